#include "models/softmax/pair_hessian.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/member_singles.hpp"
#include "models/softmax/inner.hpp"

namespace logodds::models::softmax {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Eigen::Index;

/// Second moments of a standardised column, less than which it seems not to vary among the picks.
constexpr double kLeastMoment = 0.5;
/// Picks of a class, per parameter, that say in which directions it is curved.
constexpr double kEnoughPicks = 4.0;

constexpr std::size_t pair_of(std::size_t b, std::size_t c) {
  return std::max(b, c) * (std::max(b, c) - 1) / 2 + std::min(b, c);
}

/// By class: picks of all pairs that it is in.
std::vector<std::size_t> picks_by_class(const kernels::PickedRows& rows, std::size_t classes) {
  std::vector<std::size_t> counts(classes, 0);
  for (std::size_t c = 1; c < classes; ++c) {
    for (std::size_t b = 0; b < c; ++b) {
      counts[b] += rows.of(pair_of(b, c)).size();
      counts[c] += rows.of(pair_of(b, c)).size();
    }
  }
  return counts;
}

/// Of the rows `members`: sums of z, and of products, lower triangle.
void add_members(const Problem& problem, std::span<const std::uint32_t> members, Digits digits,
                 std::vector<double>& sums, std::vector<double>& scatter) {
  const std::size_t d = problem.columns;
  if (digits == Digits::single_precision) {
    return kernels::member_singles(problem.x, members.data(), members.size(), d, problem.stride,
                                   problem.center.data(), problem.scale.data(), sums.data(),
                                   scatter.data());
  }
  kernels::member_scatter(problem.x, members.data(), members.size(), d, problem.stride, nullptr,
                          problem.center.data(), sums.data(), scatter.data());
  for (std::size_t i = 0; i < d; ++i) {
    sums[i] *= problem.scale[i];
    for (std::size_t j = 0; j <= i; ++j) {
      scatter[i * d + j] *= problem.scale[i] * problem.scale[j];
    }
  }
}

/// sum_r w_r p_b p_c [z; 1][z; 1]^T of a pair.
Matrix pair_block(const Problem& problem, std::span<const std::uint32_t> members, double rate,
                  Digits digits) {
  const std::size_t d = problem.columns;
  std::vector<double> sums(d, 0.0);
  std::vector<double> scatter(d * d, 0.0);
  add_members(problem, members, digits, sums, scatter);
  const auto columns = static_cast<Index>(d);
  const Index width = columns + (problem.intercept ? 1 : 0);
  Matrix block(width, width);
  block.topLeftCorner(columns, columns).triangularView<Eigen::Lower>() =
      Eigen::Map<const Matrix>(scatter.data(), columns, columns);
  if (problem.intercept) {
    block.row(columns).head(columns) = Eigen::Map<const Vector>(sums.data(), columns);
    block(columns, columns) = static_cast<double>(members.size());
  }
  block.triangularView<Eigen::StrictlyUpper>() = block.transpose();
  return block / rate;
}

/// By column and class, what is added to the squares of parameters: twice the decay; more where a
/// column hardly varies among the picks, which must not seem to be flat; and the curvature of a
/// class of few picks, which do not say in which directions it has it: as if all columns were
/// independent. Of a class that hardly overlaps with others that is all there is.
Matrix diagonals(const SoftmaxObjective& objective, const kernels::PairPicks& picks,
                 const std::vector<std::size_t>& counts, const std::vector<Matrix>& blocks) {
  const Problem& problem = objective.problem();
  const std::size_t classes = objective.free_classes();
  Vector moments = Vector::Zero(blocks.front().rows());
  for (const Matrix& block : blocks) { moments += block.diagonal(); }
  const auto width = static_cast<double>(moments.size());
  double picked = 0.0;
  Matrix result = Matrix::Zero(moments.size(), static_cast<Index>(classes));
  for (std::size_t k = 0; k < classes; ++k) {
    const auto count = static_cast<double>(counts[k]);
    picked += 0.5 * count / picks.rate;
    const double unknown = std::max(0.0, 1.0 - count / (kEnoughPicks * width));
    result.col(static_cast<Index>(k)).array() += unknown * picks.curvature[k];
  }
  for (std::size_t i = 0; i < problem.columns; ++i) {
    const auto at = static_cast<Index>(i);
    const double lack = std::max(0.0, kLeastMoment - moments(at) / picked);
    result.row(at).array() += 2.0 * problem.decay[i] +
                              (picked > 0.0 ? lack * kTypicalCurvature * objective.weight() : 0.0);
  }
  return result;
}

}  // namespace

/// sum_{b < c} (e_b - e_c)(e_b - e_c)^T x A_bc, and the squares sum_k D_k |x_k|^2 of centred x_k =
/// y_k - sum_l y_l / K, y being 0 for the reference: D_k (k = l) - (D_k + D_l) / K + sum D / K^2.
Matrix pair_hessian(const SoftmaxObjective& objective, const kernels::PairPicks& picks,
                    std::size_t reference, Digits digits) {
  const std::size_t classes = objective.free_classes();
  const kernels::PickedRows rows(picks);
  std::vector<Matrix> blocks(rows.pairs());
  objective.each(blocks.size(), [&](std::size_t pair) {
    blocks[pair] = pair_block(objective.problem(), rows.of(pair), picks.rate, digits);
  });
  const Matrix squares = diagonals(objective, picks, picks_by_class(rows, classes), blocks);
  const double share = 1.0 / static_cast<double>(classes);
  const Vector common = share * share * squares.rowwise().sum();
  const Index width = squares.rows();
  const auto place = [&](std::size_t k) {
    return width * static_cast<Index>(k < reference ? k : k - 1);
  };
  const auto column = [&](std::size_t k) { return squares.col(static_cast<Index>(k)); };
  const Index size = width * static_cast<Index>(classes - 1);
  Matrix hessian(size, size);
  objective.each(classes, [&](std::size_t k) {
    if (k == reference) { return; }
    auto own = hessian.block(place(k), place(k), width, width);
    own.setZero();
    for (std::size_t l = 0; l < classes; ++l) {
      if (l == k) { continue; }
      own += blocks[pair_of(k, l)];
      if (l == reference || l > k) { continue; }
      auto beside = hessian.block(place(k), place(l), width, width);
      beside = -blocks[pair_of(k, l)];
      beside.diagonal() += common - share * (column(k) + column(l));
    }
    own.diagonal() += common + (1.0 - 2.0 * share) * column(k);
  });
  return hessian;
}

}  // namespace logodds::models::softmax
