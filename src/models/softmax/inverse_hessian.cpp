#include "models/softmax/inverse_hessian.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::softmax {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kPlainCurvature = 0.1;
constexpr double kFloor = 1e-9;  // of the largest diagonal element: keeps flat directions finite

/// [z; 1], rows x width.
std::vector<double> extended_rows(const Problem& problem) {
  const std::size_t d = problem.columns;
  const std::size_t width = d + (problem.intercept ? 1 : 0);
  std::vector<double> rows(problem.rows * width, 1.0);
  for (std::size_t r = 0; r < problem.rows; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      const double off = problem.x[r * problem.stride + i] - problem.center[i];
      rows[r * width + i] = off * (problem.scale.empty() ? 1.0 : problem.scale[i]);
    }
  }
  return rows;
}

/// sum_r c_r z_r z_r^T plus twice the (diagonal) decay and `extra`.
Eigen::MatrixXd block_of(const Problem& problem, const std::vector<double>& rows,
                         const std::vector<double>& curvature, std::span<const double> extra,
                         std::size_t free, std::size_t k) {
  const std::size_t width = problem.columns + (problem.intercept ? 1 : 0);
  const auto size = static_cast<Eigen::Index>(width);
  RowMajor block = RowMajor::Zero(size, size);
  kernels::scatter_add(rows.data(), problem.rows, width, width, curvature.data(), block.data());
  for (std::size_t i = 0; i < width; ++i) {
    const double decay = i < problem.columns ? 2.0 * problem.decay[i] : 0.0;
    const auto at = static_cast<Eigen::Index>(i);
    block(at, at) += decay + extra[i * free + k];
  }
  return block;
}

}  // namespace

InverseHessian InverseHessian::at(SoftmaxObjective& objective, std::span<const double> theta,
                                  std::span<const double> extra) {
  const Problem& problem = objective.problem();
  InverseHessian result;
  result.free_ = objective.free_classes();
  result.width_ = objective.dimension() / result.free_;
  result.threads_ = problem.threads;
  result.whole_ = objective.dimension() <= kMostWhole;
  if (result.whole_) {
    const auto n = static_cast<Eigen::Index>(objective.dimension());
    RowMajor h(n, n);
    objective.hessian(theta, {h.data(), static_cast<std::size_t>(n * n)});
    for (Eigen::Index i = 0; i < n; ++i) { h(i, i) += extra[static_cast<std::size_t>(i)]; }
    result.factorize({Matrix(h)});
    return result;
  }
  const auto rows = extended_rows(problem);
  std::vector<double> coefficients;
  std::vector<double> bias;
  objective.expand(theta, coefficients, bias);
  std::vector<double> p(problem.rows * problem.classes);
  kernels::affine_scores(problem.x, problem.rows, problem.columns, problem.stride,
                         problem.center.data(), coefficients.data(), bias.data(), problem.classes,
                         p.data());
  kernels::softmax_rows(p.data(), problem.rows, problem.classes, nullptr);
  std::vector<Matrix> blocks(result.free_);
  parallel::run_lanes(problem.threads, result.free_, [&](std::size_t k) {
    std::vector<double> curvature(problem.rows);
    for (std::size_t r = 0; r < problem.rows; ++r) {
      const double share = p[r * problem.classes + problem.classes - result.free_ + k];
      const double w = problem.weights == nullptr ? 1.0 : problem.weights[r];
      curvature[r] = w * share * (1.0 - share);
    }
    blocks[k] = block_of(problem, rows, curvature, extra, result.free_, k);
  });
  result.factorize(std::move(blocks));
  return result;
}

InverseHessian InverseHessian::plain(const SoftmaxObjective& objective,
                                     std::span<const double> extra) {
  const Problem& problem = objective.problem();
  InverseHessian result;
  result.free_ = objective.free_classes();
  result.width_ = objective.dimension() / result.free_;
  result.threads_ = problem.threads;
  result.shared_ = true;
  std::vector<double> curvature(problem.rows, kPlainCurvature);
  for (std::size_t r = 0; r < problem.rows && problem.weights != nullptr; ++r) {
    curvature[r] *= problem.weights[r];
  }
  result.factorize({block_of(problem, extended_rows(problem), curvature, extra, result.free_, 0)});
  return result;
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

void InverseHessian::apply(std::span<double> v) const {
  const auto classes = static_cast<Eigen::Index>(free_);
  Eigen::Map<RowMajor> by_class(v.data(), static_cast<Eigen::Index>(width_), classes);
  const auto free_of_common = [&] {
    if (free_ > 1) { by_class.colwise() -= by_class.rowwise().mean().eval(); }
  };
  free_of_common();
  if (whole_) {
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
