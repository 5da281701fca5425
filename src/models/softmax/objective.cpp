#include "models/softmax/objective.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "kernels/kernels.hpp"
#include "kernels/logistic.hpp"
#include "kernels/pair_products.hpp"
#include "kernels/softmax_loss.hpp"
#include "kernels/softmax_single.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::softmax {

/// T beta and b, of all classes.
struct SoftmaxObjective::Map {
  std::vector<double> coefficients;
  std::vector<double> bias;
};

namespace {

/// Rows of a lane at least: enough that what the kernels do once a call costs little.
std::size_t least_rows(std::size_t columns) {
  constexpr std::size_t kDoubles = std::size_t{1} << 15U;
  return std::clamp<std::size_t>(kDoubles / std::max<std::size_t>(columns, 1), 256, kBlockRows);
}

}  // namespace

SoftmaxObjective::SoftmaxObjective(const Problem& problem)
    : problem_(problem),
      free_(problem.classes == 2 ? 1 : problem.classes),
      weight_(problem.weights == nullptr
                  ? static_cast<double>(problem.rows)
                  : std::accumulate(problem.weights, problem.weights + problem.rows, 0.0)) {
  const std::size_t most = problem.rows / least_rows(problem.columns);
  lanes_.resize(std::clamp<std::size_t>(most, 1, parallel::kMostLanes));
}

void SoftmaxObjective::expand(std::span<const double> theta, std::vector<double>& coefficients,
                              std::vector<double>& bias) const {
  const std::size_t classes = problem_.classes;
  const std::size_t skipped = classes - free_;
  const std::size_t d = problem_.columns;
  coefficients.assign(d * classes, 0.0);
  bias.assign(classes, 0.0);
  for (std::size_t i = 0; i < d; ++i) {
    const double scale = problem_.scale.empty() ? 1.0 : problem_.scale[i];
    for (std::size_t k = 0; k < free_; ++k) {
      coefficients[i * classes + skipped + k] = scale * theta[i * free_ + k];
    }
  }
  if (problem_.intercept) { std::copy_n(theta.data() + d * free_, free_, bias.data() + skipped); }
}

void SoftmaxObjective::add_two_class_rows(Lane& lane, std::size_t begin, std::size_t end,
                                          const Map& map) const {
  const kernels::LogisticMap logistic{problem_.columns, problem_.center.data(),
                                      map.coefficients.data(), map.bias[1]};
  lane.value += kernels::logistic_add(problem_.x + begin * problem_.stride, end - begin,
                                      problem_.stride, logistic, problem_.labels + begin,
                                      weights_from(begin), lane.gradient.data());
}

void SoftmaxObjective::add_rows(Lane& lane, std::size_t begin, std::size_t end,
                                const Map& map) const {
  const kernels::SoftmaxMap linear{problem_.columns, problem_.classes, problem_.center.data(),
                                   map.coefficients.data(), map.bias.data()};
  lane.value += kernels::softmax_add(problem_.x + begin * problem_.stride, end - begin,
                                     problem_.stride, linear, problem_.labels + begin,
                                     weights_from(begin), lane.gradient.data());
}

void SoftmaxObjective::run_lanes(const AddRows& add) {
  constexpr std::size_t kTile = 64;  // rows that the kernels take at a time
  const std::size_t tiles = (problem_.rows + kTile - 1) / kTile;
  const std::size_t count = lanes_.size();
  parallel::run_lanes(problem_.threads, count, [&](std::size_t number) {
    Lane& lane = lanes_[number];
    lane.value = 0.0;
    lane.gradient.assign((problem_.columns + 1) * free_, 0.0);
    const std::size_t begin = number * tiles / count * kTile;
    add(lane, begin, std::min((number + 1) * tiles / count * kTile, problem_.rows));
  });
}

void SoftmaxObjective::add_reduced(std::span<const double> gradient, std::span<double> out) const {
  const std::size_t d = problem_.columns;
  for (std::size_t i = 0; i < d; ++i) {
    const double scale = problem_.scale.empty() ? 1.0 : problem_.scale[i];
    for (std::size_t k = 0; k < free_; ++k) {
      out[i * free_ + k] += scale * gradient[i * free_ + k];
    }
  }
  for (std::size_t k = d * free_; k < out.size(); ++k) { out[k] += gradient[k]; }
}

/// eps sum_k |T beta_k|^2 = sum_k beta_k^T (eps T^T T) beta_k, times `factor`.
double SoftmaxObjective::add_decay(double factor, std::span<const double> theta,
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
      add(i, i, factor * problem_.decay[i]);
      continue;
    }
    for (std::size_t j = 0; j < d; ++j) { add(i, j, factor * problem_.decay[i * d + j]); }
  }
  return value;
}

double SoftmaxObjective::evaluate(std::span<const double> theta, std::span<double> gradient) {
  Map map;
  expand(theta, map.coefficients, map.bias);
  if (problem_.classes == 2) {  // the logistic kernel wants the one vector that there is
    for (std::size_t i = 0; i < problem_.columns; ++i) {
      map.coefficients[i] = map.coefficients[2 * i + 1];
    }
  }
  const auto add =
      problem_.classes == 2 ? &SoftmaxObjective::add_two_class_rows : &SoftmaxObjective::add_rows;
  run_lanes(
      [&](Lane& lane, std::size_t begin, std::size_t end) { (this->*add)(lane, begin, end, map); });
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double value = 0.0;
  for (const auto& lane : lanes_) {
    value += lane.value;
    add_reduced(lane.gradient, gradient);
  }
  return value + add_decay(1.0, theta, gradient);
}

double SoftmaxObjective::evaluate_roughly(std::span<const double> theta,
                                          std::span<double> gradient) {
  std::vector<double> bias(free_, 0.0);
  const std::size_t coefficients = problem_.columns * free_;
  std::copy(theta.begin() + static_cast<std::ptrdiff_t>(coefficients), theta.end(), bias.begin());
  const kernels::SingleMap map{.d = problem_.columns,
                               .k = free_,
                               .center = problem_.center.data(),
                               .scale = problem_.scale.data(),
                               .coefficients = theta.data(),
                               .bias = bias.data()};
  run_lanes([&](Lane& lane, std::size_t begin, std::size_t end) {
    lane.value += kernels::softmax_add_single(problem_.x + begin * problem_.stride, end - begin,
                                              problem_.stride, map, problem_.labels + begin,
                                              weights_from(begin), lane.gradient.data());
  });
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double value = 0.0;
  for (const auto& lane : lanes_) {
    value += lane.value;
    for (std::size_t i = 0; i < gradient.size(); ++i) { gradient[i] += lane.gradient[i]; }
  }
  return value + add_decay(1.0, theta, gradient);
}

void SoftmaxObjective::batch_gradient(std::span<const double> theta,
                                      std::span<const std::uint32_t> rows,
                                      std::span<double> gradient) const {
  const std::size_t d = problem_.columns;
  const std::size_t skipped = problem_.classes - free_;
  Map map;
  expand(theta, map.coefficients, map.bias);
  std::vector<double> sums((d + 1) * free_, 0.0);
  std::vector<double> p(problem_.classes);
  // Per unit of weight, of which a row has weight / rows on average: a row of twice the weight
  // pulls twice as hard, however large the batch.
  const double weight =
      static_cast<double>(rows.size()) * weight_ / static_cast<double>(problem_.rows);
  for (const std::uint32_t r : rows) {
    const double* const x = problem_.x + r * problem_.stride;
    const double w = problem_.weights == nullptr ? 1.0 : problem_.weights[r];
    kernels::affine_scores(x, 1, d, problem_.stride, problem_.center.data(),
                           map.coefficients.data(), map.bias.data(), problem_.classes, p.data());
    kernels::softmax_rows(p.data(), 1, problem_.classes, nullptr);
    p[static_cast<std::size_t>(problem_.labels[r])] -= 1.0;
    for (std::size_t i = 0; i <= d; ++i) {
      const double z = i < d ? w * (x[i] - problem_.center[i]) : w;
      for (std::size_t k = 0; k < free_; ++k) { sums[i * free_ + k] += z * p[skipped + k]; }
    }
  }
  for (double& sum : sums) { sum /= weight; }
  std::fill(gradient.begin(), gradient.end(), 0.0);
  add_reduced(sums, gradient);
  add_decay(1.0 / weight_, theta, gradient);
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

/// A number added to the biases of all classes changes nothing: along that direction the Hessian is
/// 0, and so is the gradient but for rounding, of which a Newton step would make any number.
void SoftmaxObjective::add_common_curvature(std::span<double> out, std::size_t first) const {
  const std::size_t n = dimension();
  const std::size_t end = first + free_;
  double largest = 0.0;
  for (std::size_t i = first; i < end; ++i) { largest = std::max(largest, out[i * n + i]); }
  for (std::size_t i = first; i < end; ++i) {
    for (std::size_t j = first; j <= i; ++j) { out[i * n + j] += largest; }
  }
}

/// Sums of w_n p_k (delta_kl - p_l) [z_n; 1][z_n; 1]^T over some blocks of rows, for pairs k >= l.
struct SoftmaxObjective::PairSums {
  /// One pair: width x width, the lower triangle. Several: a row for every two columns i >= j, a
  /// column for every pair.
  std::vector<double> sums;
  std::vector<double> p;
  std::vector<double> extended;   ///< [z; 1]
  std::vector<double> products;   ///< of the columns of a row, two by two
  std::vector<double> curvature;  ///< w p_k (delta_kl - p_l) of a row, pair by pair
  std::vector<float> z;           ///< `extended`, in rows of whole fours
  std::vector<float> factors;     ///< `curvature`
};

namespace {

constexpr std::size_t triangle(std::size_t n) { return n * (n + 1) / 2; }

/// v_i v_j for i >= j.
void multiply_pairs(const double* v, std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; out += ++i) {
    for (std::size_t j = 0; j <= i; ++j) { out[j] = v[i] * v[j]; }
  }
}

/// w p_k (delta_kl - p_l) for k >= l.
template <class T>
void pair_curvatures(const double* p, std::size_t n, double weight, T* out) {
  for (std::size_t k = 0; k < n; out += ++k) {
    const double factor = weight * p[k];
    for (std::size_t l = 0; l < k; ++l) { out[l] = static_cast<T>(-factor * p[l]); }
    out[k] = static_cast<T>(factor * (1.0 - p[k]));
  }
}

}  // namespace

void SoftmaxObjective::set_posteriors(PairSums& to, std::size_t begin, std::size_t end,
                                      const Map& map) const {
  const std::size_t n = end - begin;
  to.p.resize(n * problem_.classes);
  kernels::affine_scores(problem_.x + begin * problem_.stride, n, problem_.columns, problem_.stride,
                         problem_.center.data(), map.coefficients.data(), map.bias.data(),
                         problem_.classes, to.p.data());
  kernels::softmax_rows(to.p.data(), n, problem_.classes, nullptr);
}

void SoftmaxObjective::add_pairs_roughly(PairSums& to, std::size_t begin, std::size_t end,
                                         const Map& map) const {
  const std::size_t d = problem_.columns;
  const std::size_t n = end - begin;
  const std::size_t width = d + (problem_.intercept ? 1 : 0);
  const std::size_t stride = (width + 3) / 4 * 4;
  const std::size_t pairs = triangle(free_);
  set_posteriors(to, begin, end, map);
  to.z.assign(n * stride, 1.0F);
  to.factors.resize(n * pairs);
  for (std::size_t r = 0; r < n; ++r) {
    const double* const x = problem_.x + (begin + r) * problem_.stride;
    for (std::size_t i = 0; i < d; ++i) {
      const double scale = problem_.scale.empty() ? 1.0 : problem_.scale[i];
      to.z[r * stride + i] = static_cast<float>((x[i] - problem_.center[i]) * scale);
    }
    const double weight = problem_.weights == nullptr ? 1.0 : problem_.weights[begin + r];
    pair_curvatures(to.p.data() + r * free_, free_, weight, to.factors.data() + r * pairs);
  }
  kernels::pair_products_add(to.z.data(), n, width, stride, to.factors.data(), pairs,
                             to.sums.data());
}

void SoftmaxObjective::add_pairs(PairSums& to, std::size_t begin, std::size_t end,
                                 const Map& map) const {
  const std::size_t d = problem_.columns;
  const std::size_t n = end - begin;
  const std::size_t classes = problem_.classes;
  const std::size_t width = d + (problem_.intercept ? 1 : 0);
  const std::size_t pairs = triangle(free_);
  const double* const rows = problem_.x + begin * problem_.stride;
  set_posteriors(to, begin, end, map);
  to.extended.assign(n * width, 1.0);
  to.curvature.resize(n * pairs);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      to.extended[r * width + i] = (rows[r * problem_.stride + i] - problem_.center[i]) *
                                   (problem_.scale.empty() ? 1.0 : problem_.scale[i]);
    }
    const double weight = problem_.weights == nullptr ? 1.0 : problem_.weights[begin + r];
    pair_curvatures(to.p.data() + r * classes + (classes - free_), free_, weight,
                    to.curvature.data() + r * pairs);
  }
  if (pairs == 1) {
    return kernels::scatter_add(to.extended.data(), n, width, width, to.curvature.data(),
                                to.sums.data());
  }
  const std::size_t products = triangle(width);
  to.products.resize(n * products);
  for (std::size_t r = 0; r < n; ++r) {
    multiply_pairs(to.extended.data() + r * width, width, to.products.data() + r * products);
  }
  const std::vector<double> zeros(products, 0.0);
  kernels::outer_add(to.products.data(), n, products, products, zeros.data(), to.curvature.data(),
                     pairs, to.sums.data());
}

void SoftmaxObjective::hessian(std::span<const double> theta, std::span<double> out) {
  constexpr std::size_t kProducts = std::size_t{1} << 15U;  // that stay in the second-level cache
  const std::size_t width = dimension() / free_;
  const std::size_t size =
      free_ == 1 ? 512 : std::clamp<std::size_t>(kProducts / triangle(width), 32, 512);
  sum_pairs(theta, size, &SoftmaxObjective::add_pairs, out);
  add_decay_hessian(out);
  if (problem_.intercept && free_ > 1) { add_common_curvature(out, dimension() - free_); }
}

void SoftmaxObjective::hessian_roughly(std::span<const double> theta, std::span<double> out) {
  constexpr std::size_t kRows = 128;  // of which factors stay near the first-level cache
  sum_pairs(theta, kRows, &SoftmaxObjective::add_pairs_roughly, out);
  add_decay_hessian(out);
  for (std::size_t first = 0; first < dimension(); first += free_) {
    add_common_curvature(out, first);
  }
}

void SoftmaxObjective::sum_pairs(std::span<const double> theta, std::size_t size, AddPairs add,
                                 std::span<double> out) const {
  constexpr std::size_t kFew = 400;  // parameters whose pairs of many lanes take little memory
  const std::size_t n = dimension();
  const std::size_t width = n / free_;
  const std::size_t pairs = triangle(free_);
  const std::size_t blocks = (problem_.rows + size - 1) / size;
  Map map;
  expand(theta, map.coefficients, map.bias);
  std::vector<PairSums> lanes(
      std::min<std::size_t>(std::max<std::size_t>(blocks, 1), n <= kFew ? 16 : 4));
  parallel::run_lanes(problem_.threads, lanes.size(), [&](std::size_t lane) {
    lanes[lane].sums.assign(pairs == 1 ? width * width : pairs * triangle(width), 0.0);
    for (std::size_t block = lane; block < blocks; block += lanes.size()) {
      (this->*add)(lanes[lane], block * size, std::min((block + 1) * size, problem_.rows), map);
    }
  });
  std::vector<double>& sums = lanes[0].sums;
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) {
    std::ranges::transform(lanes[lane].sums, sums, sums.begin(), std::plus<>());
  }
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const from =
          sums.data() + (pairs == 1 ? i * width + j : (triangle(i) + j) * pairs);
      for (std::size_t k = 0; k < free_; ++k) {
        for (std::size_t l = 0; l <= k; ++l) {
          out[(i * free_ + k) * n + j * free_ + l] = from[triangle(k) + l];
          out[(i * free_ + l) * n + j * free_ + k] = from[triangle(k) + l];
        }
      }
    }
  }
}

}  // namespace logodds::models::softmax
