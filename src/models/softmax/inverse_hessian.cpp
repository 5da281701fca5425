#include "models/softmax/inverse_hessian.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/parallel/blocks.hpp"
#include "models/softmax/inner.hpp"
#include "models/softmax/pair_hessian.hpp"
#include "random/philox.hpp"

namespace logodds::models::softmax {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows that are enough for a plain guess.
constexpr std::size_t kPlainRows = 2048;
constexpr std::size_t kPlainRowsPerColumn = 32;
constexpr double kRoughPivot = 1e-4;  // that sums of floats tell from 0, with some digits
constexpr double kFloor = 1e-9;  // of the largest diagonal element: keeps flat directions finite

/// The least share of a diagonal element of L L^T that is not explained by the columns before it; 0
/// where there is no factor.
double least_pivot(const Eigen::LLT<RowMajor>& factor) {
  const RowMajor& l = factor.matrixLLT();
  double least = 1.0;
  for (Eigen::Index i = 0; i < l.rows(); ++i) {
    const double share = l(i, i) * l(i, i) / l.row(i).head(i + 1).squaredNorm();
    if (!(share > 0.0)) { return 0.0; }
    least = std::min(least, share);
  }
  return least;
}

/// Every `step`-th row as [z; 1].
std::vector<double> extended_rows(const Problem& problem, std::size_t step) {
  const std::size_t d = problem.columns;
  const std::size_t width = d + (problem.intercept ? 1 : 0);
  std::vector<double> rows((problem.rows + step - 1) / step * width, 1.0);
  double* row = rows.data();
  for (std::size_t r = 0; r < problem.rows; r += step, row += width) {
    for (std::size_t i = 0; i < d; ++i) {
      const double off = problem.x[r * problem.stride + i] - problem.center[i];
      row[i] = off * (problem.scale.empty() ? 1.0 : problem.scale[i]);
    }
  }
  return rows;
}

/// sum_r c_r z_r z_r^T plus twice the (diagonal) decay and `extra`.
RowMajor block_of(const Problem& problem, const std::vector<double>& rows,
                  const std::vector<double>& curvature, std::span<const double> extra,
                  std::size_t free, std::size_t k) {
  const std::size_t width = problem.columns + (problem.intercept ? 1 : 0);
  const auto size = static_cast<Eigen::Index>(width);
  RowMajor block = RowMajor::Zero(size, size);
  kernels::scatter_add(rows.data(), curvature.size(), width, width, curvature.data(), block.data());
  for (std::size_t i = 0; i < width; ++i) {
    const double decay = i < problem.columns ? 2.0 * problem.decay[i] : 0.0;
    const auto at = static_cast<Eigen::Index>(i);
    block(at, at) += decay + extra[i * free + k];
  }
  return block;
}

/// Posteriors of all rows at theta, rows x classes.
std::vector<double> posteriors(const SoftmaxObjective& objective, std::span<const double> theta) {
  const Problem& problem = objective.problem();
  const std::size_t classes = problem.classes;
  std::vector<double> coefficients;
  std::vector<double> bias;
  objective.expand(theta, coefficients, bias);
  std::vector<double> p(problem.rows * classes);
  const std::size_t blocks = (problem.rows + kBlockRows - 1) / kBlockRows;
  parallel::run_lanes(problem.threads, blocks, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows;
    const std::size_t n = std::min(kBlockRows, problem.rows - begin);
    double* const out = p.data() + begin * classes;
    kernels::affine_scores(problem.x + begin * problem.stride, n, problem.columns, problem.stride,
                           problem.center.data(), coefficients.data(), bias.data(), classes, out);
    kernels::softmax_rows(out, n, classes, nullptr);
  });
  return p;
}

/// w p (1 - p) of the k-th free class, by row.
std::vector<double> curvatures(const Problem& problem, const std::vector<double>& p,
                               std::size_t free, std::size_t k) {
  std::vector<double> result(problem.rows);
  for (std::size_t r = 0; r < problem.rows; ++r) {
    const double share = p[r * problem.classes + problem.classes - free + k];
    result[r] = (problem.weights == nullptr ? 1.0 : problem.weights[r]) * share * (1.0 - share);
  }
  return result;
}

/// The factor f for which sum_r min(1, f c_r) is about `count`.
double picking_rate(const std::vector<double>& curvature, double count) {
  double rate = 0.0;
  double certain = 0.0;  // rows with f c >= 1
  for (int round = 0; round < 5; ++round) {
    double sum = 0.0;
    double above = 0.0;
    for (const double c : curvature) {
      if (rate * c >= 1.0) {
        above += 1.0;
      } else {
        sum += c;
      }
    }
    if (round > 0 && above == certain) { break; }
    certain = above;
    if (!(sum > 0.0) || !(count > certain)) { break; }
    rate = (count - certain) / sum;
  }
  return rate;
}

/// The rows of class k's block; of those that are taken the curvature becomes c / q.
std::vector<std::uint32_t> pick(std::vector<double>& curvature, std::size_t count, std::size_t k) {
  constexpr double kUnit = 1.0 / 4294967296.0;
  const double rate = picking_rate(curvature, static_cast<double>(count));
  std::vector<std::uint32_t> members;
  for (std::size_t r = 0; r < curvature.size(); ++r) {
    const auto row = static_cast<std::uint32_t>(r);
    const double q = std::min(1.0, rate * curvature[r]);
    const auto bits = random::philox({row, static_cast<std::uint32_t>(k), 0, 0}, {0xB10C, 0});
    if (!(static_cast<double>(bits[0]) * kUnit < q)) { continue; }
    curvature[r] /= q;
    members.push_back(row);
  }
  return members;
}

/// As block_of, from the rows `members` where they lie.
RowMajor block_of_members(const Problem& problem, const std::vector<std::uint32_t>& members,
                          const std::vector<double>& curvature, std::span<const double> extra,
                          std::size_t free, std::size_t k) {
  const std::size_t d = problem.columns;
  std::vector<double> sums(d, 0.0);
  std::vector<double> scatter(d * d, 0.0);
  kernels::member_scatter(problem.x, members.data(), members.size(), d, problem.stride,
                          curvature.data(), problem.center.data(), sums.data(), scatter.data());
  const auto scale = [&](std::size_t i) { return problem.scale.empty() ? 1.0 : problem.scale[i]; };
  const auto width = static_cast<Eigen::Index>(d + (problem.intercept ? 1 : 0));
  RowMajor block(width, width);
  for (std::size_t i = 0; i < d; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j <= i; ++j) {
      block(row, static_cast<Eigen::Index>(j)) = scale(i) * scale(j) * scatter[i * d + j];
    }
    block(row, row) += 2.0 * problem.decay[i] + extra[i * free + k];
    if (problem.intercept) { block(width - 1, row) = scale(i) * sums[i]; }
  }
  if (problem.intercept) {
    double total = extra[d * free + k];
    for (const std::uint32_t r : members) { total += curvature[r]; }
    block(width - 1, width - 1) = total;
  }
  return block;
}

}  // namespace

InverseHessian::InverseHessian(const SoftmaxObjective& objective)
    : free_(objective.free_classes()),
      width_(objective.dimension() / free_),
      threads_(objective.problem().threads) {}

InverseHessian InverseHessian::at(SoftmaxObjective& objective, std::span<const double> theta,
                                  std::span<const double> extra) {
  InverseHessian result(objective);
  result.whole_ = true;
  const auto n = static_cast<Eigen::Index>(objective.dimension());
  RowMajor h(n, n);
  const std::span<double> out{h.data(), static_cast<std::size_t>(n * n)};
  objective.hessian(theta, out);
  h.diagonal() += Eigen::Map<const Eigen::VectorXd>(extra.data(), n);
  result.factorize(std::move(h));
  return result;
}

InverseHessian InverseHessian::of_pairs(const SoftmaxObjective& objective,
                                        const kernels::PairPicks& picks) {
  InverseHessian result(objective);
  result.reference_ =
      static_cast<std::size_t>(std::ranges::max_element(picks.curvature) - picks.curvature.begin());
  for (const Digits digits : {Digits::single_precision, Digits::double_precision}) {
    result.factorize(pair_hessian(objective, picks, result.reference_, digits));
    if (least_pivot(result.factors_.front()) >= kRoughPivot) { break; }
  }
  return result;
}

InverseHessian InverseHessian::picked(const SoftmaxObjective& objective,
                                      std::span<const double> theta, std::span<const double> extra,
                                      std::size_t count) {
  const Problem& problem = objective.problem();
  InverseHessian result(objective);
  const auto p = posteriors(objective, theta);
  std::vector<Matrix> blocks(result.free_);
  parallel::run_lanes(problem.threads, result.free_, [&](std::size_t k) {
    auto curvature = curvatures(problem, p, result.free_, k);
    const auto members = pick(curvature, count, k);
    blocks[k] = block_of_members(problem, members, curvature, extra, result.free_, k);
  });
  result.factorize(std::move(blocks));
  return result;
}

InverseHessian InverseHessian::plain(const SoftmaxObjective& objective,
                                     std::span<const double> extra) {
  const Problem& problem = objective.problem();
  InverseHessian result(objective);
  result.shared_ = true;
  const std::size_t enough = std::max(kPlainRows, kPlainRowsPerColumn * problem.columns);
  const std::size_t step = std::max<std::size_t>(problem.rows / enough, 1);
  std::vector<double> curvature;
  double taken = 0.0;
  double all = 0.0;
  for (std::size_t r = 0; r < problem.rows; ++r) {
    const double weight = problem.weights == nullptr ? 1.0 : problem.weights[r];
    all += weight;
    if (r % step != 0) { continue; }
    taken += weight;
    curvature.push_back(weight);
  }
  for (double& c : curvature) { c *= kTypicalCurvature * all / taken; }
  result.factorize(
      block_of(problem, extended_rows(problem, step), curvature, extra, result.free_, 0));
  return result;
}

void InverseHessian::factorize(Matrix block) {
  std::vector<Matrix> blocks;
  blocks.push_back(std::move(block));
  factorize(std::move(blocks));
}

void InverseHessian::factorize(std::vector<Matrix> blocks) {
  factors_.resize(blocks.size());
  parallel::run_lanes(threads_, blocks.size(), [&](std::size_t b) {
    Matrix& block = blocks[b];
    const double largest = block.diagonal().maxCoeff();
    for (double floor = kFloor; floor < 1.0; floor *= 100.0) {
      block.diagonal().array() += floor * largest;
      factors_[b].compute(block);
      if (factors_[b].info() == Eigen::Success) { break; }
    }
  });
}

/// The parameters of all classes but the reference, class after class: a step in which the
/// reference stays where it is.
void InverseHessian::solve_relative(std::span<double> v) const {
  Eigen::VectorXd relative(static_cast<Eigen::Index>((free_ - 1) * width_));
  const auto for_each = [&](const auto& move) {
    Eigen::Index at = 0;
    for (std::size_t k = 0; k < free_; ++k) {
      for (std::size_t i = 0; i < width_ && k != reference_; ++i) {
        move(v[i * free_ + k], relative(at++));
      }
    }
  };
  for_each([](double from, double& to) { to = from; });
  factors_.front().solveInPlace(relative);
  for_each([](double& to, double from) { to = from; });
  for (std::size_t i = 0; i < width_; ++i) { v[i * free_ + reference_] = 0.0; }
}

void InverseHessian::apply(std::span<double> v) const {
  const auto classes = static_cast<Eigen::Index>(free_);
  Eigen::Map<RowMajor> by_class(v.data(), static_cast<Eigen::Index>(width_), classes);
  const auto free_of_common = [&] {
    if (free_ > 1) { by_class.colwise() -= by_class.rowwise().mean().eval(); }
  };
  free_of_common();
  if (reference_ != kNone) {
    solve_relative(v);
  } else if (whole_) {
    Eigen::Map<Eigen::VectorXd> all(v.data(), static_cast<Eigen::Index>(v.size()));
    factors_.front().solveInPlace(all);
  } else if (shared_) {
    Matrix columns = by_class;
    factors_.front().solveInPlace(columns);
    by_class = columns;
  } else {
    parallel::run_lanes(threads_, free_, [&](std::size_t k) {
      Eigen::VectorXd column = by_class.col(static_cast<Eigen::Index>(k));
      factors_[k].solveInPlace(column);
      by_class.col(static_cast<Eigen::Index>(k)) = column;
    });
  }
  free_of_common();
}

}  // namespace logodds::models::softmax
