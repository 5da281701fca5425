#include "models/softmax/objective.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::softmax {

SoftmaxObjective::SoftmaxObjective(const Problem& problem)
    : problem_(problem),
      free_(problem.classes == 2 ? 1 : problem.classes),
      zeros_(problem.columns, 0.0) {
  const std::size_t blocks = (problem.rows + kBlockRows - 1) / kBlockRows;
  lanes_.resize(std::min(lanes_for(problem.columns), std::max<std::size_t>(blocks, 1)));
}

void SoftmaxObjective::expand(std::span<const double> theta, std::vector<double>& beta,
                              std::vector<double>& bias) const {
  const std::size_t classes = problem_.classes;
  const std::size_t skipped = classes - free_;
  beta.assign(problem_.columns * classes, 0.0);
  bias.assign(classes, 0.0);
  for (std::size_t i = 0; i <= problem_.columns; ++i) {
    double* to = i < problem_.columns ? beta.data() + i * classes : bias.data();
    std::copy_n(theta.data() + i * free_, free_, to + skipped);
  }
}

void SoftmaxObjective::add_block(Lane& lane, std::size_t begin, std::size_t end,
                                 const std::vector<double>& beta,
                                 const std::vector<double>& bias) const {
  const std::size_t d = problem_.columns;
  const std::size_t classes = problem_.classes;
  const std::size_t n = end - begin;
  const double* rows = problem_.z.data() + begin * d;
  lane.scores.resize(n * classes + 2 * n);
  double* const scores = lane.scores.data();
  double* const log_sums = scores + n * classes;
  double* const truth_scores = log_sums + n;
  kernels::affine_scores(rows, n, d, d, zeros_.data(), beta.data(), bias.data(), classes, scores);
  for (std::size_t r = 0; r < n; ++r) {
    truth_scores[r] = scores[r * classes + static_cast<std::size_t>(problem_.labels[begin + r])];
  }
  kernels::softmax_rows(scores, n, classes, log_sums);
  double* const bias_gradient = lane.gradient.data() + d * classes;
  for (std::size_t r = 0; r < n; ++r) {
    const double w = problem_.weights == nullptr ? 1.0 : problem_.weights[begin + r];
    double* residual = scores + r * classes;
    lane.value += w * (log_sums[r] - truth_scores[r]);
    residual[static_cast<std::size_t>(problem_.labels[begin + r])] -= 1.0;
    for (std::size_t k = 0; k < classes; ++k) {
      residual[k] *= w;
      bias_gradient[k] += residual[k];
    }
  }
  kernels::outer_add(rows, n, d, d, zeros_.data(), scores, classes, lane.gradient.data());
}

void SoftmaxObjective::run_lane(std::size_t lane, const std::vector<double>& beta,
                                const std::vector<double>& bias) {
  lanes_[lane].value = 0.0;
  lanes_[lane].gradient.assign((problem_.columns + 1) * problem_.classes, 0.0);
  for (std::size_t begin = lane * kBlockRows; begin < problem_.rows;
       begin += lanes_.size() * kBlockRows) {
    add_block(lanes_[lane], begin, std::min(begin + kBlockRows, problem_.rows), beta, bias);
  }
}

/// eps sum_k |T beta_k|^2 = sum_k beta_k^T (eps T^T T) beta_k.
double SoftmaxObjective::add_decay(std::span<const double> theta,
                                   std::span<double> gradient) const {
  const std::size_t d = problem_.columns;
  const bool diagonal = problem_.decay.size() == d;
  double value = 0.0;
  const auto add = [&](std::size_t i, std::size_t j, double m) {
    for (std::size_t k = 0; k < free_; ++k) {
      gradient[i * free_ + k] += 2.0 * m * theta[j * free_ + k];
      value += m * theta[i * free_ + k] * theta[j * free_ + k];
    }
  };
  for (std::size_t i = 0; i < d; ++i) {
    if (diagonal) {
      add(i, i, problem_.decay[i]);
      continue;
    }
    for (std::size_t j = 0; j < d; ++j) { add(i, j, problem_.decay[i * d + j]); }
  }
  return value;
}

double SoftmaxObjective::evaluate(std::span<const double> theta, std::span<double> gradient) {
  std::vector<double> beta;
  std::vector<double> bias;
  expand(theta, beta, bias);
  parallel::run_lanes(problem_.threads, lanes_.size(),
                      [&](std::size_t lane) { run_lane(lane, beta, bias); });
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double value = 0.0;
  const std::size_t skipped = problem_.classes - free_;
  for (const auto& lane : lanes_) {
    value += lane.value;
    for (std::size_t i = 0; i <= problem_.columns; ++i) {
      for (std::size_t k = 0; k < free_; ++k) {
        gradient[i * free_ + k] += lane.gradient[i * problem_.classes + skipped + k];
      }
    }
  }
  return value + add_decay(theta, gradient);
}

void SoftmaxObjective::add_decay_hessian(std::span<double> out) const {
  const std::size_t d = problem_.columns;
  const std::size_t n = dimension();
  const bool diagonal = problem_.decay.size() == d;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = diagonal ? i : 0; j <= i; ++j) {
      const double m = 2.0 * problem_.decay[diagonal ? i : i * d + j];
      for (std::size_t k = 0; k < free_; ++k) { out[(i * free_ + k) * n + j * free_ + k] += m; }
    }
  }
}

void SoftmaxObjective::hessian(std::span<const double> theta, std::span<double> out) {
  const std::size_t d = problem_.columns;
  const std::size_t rows = problem_.rows;
  const std::size_t classes = problem_.classes;
  const std::size_t n = dimension();
  std::vector<double> beta;
  std::vector<double> bias;
  expand(theta, beta, bias);
  std::vector<double> p(rows * classes);
  kernels::affine_scores(problem_.z.data(), rows, d, d, zeros_.data(), beta.data(), bias.data(),
                         classes, p.data());
  kernels::softmax_rows(p.data(), rows, classes, nullptr);
  std::vector<double> extended(rows * (d + 1));  // [z; 1]
  for (std::size_t r = 0; r < rows; ++r) {
    std::copy_n(problem_.z.data() + r * d, d, extended.data() + r * (d + 1));
    extended[r * (d + 1) + d] = 1.0;
  }
  std::fill(out.begin(), out.end(), 0.0);
  const std::size_t skipped = classes - free_;
  parallel::run_lanes(problem_.threads, free_ * free_, [&](std::size_t pair) {
    const std::size_t k = pair / free_;
    const std::size_t l = pair % free_;
    if (l > k) { return; }
    std::vector<double> curvature(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const double w = problem_.weights == nullptr ? 1.0 : problem_.weights[r];
      const double* row = p.data() + r * classes + skipped;
      curvature[r] = w * row[k] * ((k == l ? 1.0 : 0.0) - row[l]);
    }
    std::vector<double> block((d + 1) * (d + 1), 0.0);
    kernels::scatter_add(extended.data(), rows, d + 1, d + 1, curvature.data(), block.data());
    for (std::size_t i = 0; i <= d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double value = block[i * (d + 1) + j];
        out[(i * free_ + k) * n + j * free_ + l] = value;
        out[(i * free_ + l) * n + j * free_ + k] = value;
      }
    }
  });
  add_decay_hessian(out);
}

}  // namespace logodds::models::softmax
