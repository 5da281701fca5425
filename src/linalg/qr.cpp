#include "linalg/qr.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace logodds::linalg {

namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>>;

/// Columns are reflected one after the other; `rank` rows at the top are done.
struct Elimination {
  Eigen::MatrixXd work;
  Index rank = 0;

  /// Reflects what is left of column j onto row `rank`, in all columns after it.
  void keep(Index j) {
    Eigen::VectorXd scratch(work.cols());
    double tau = 0.0;
    double beta = 0.0;
    auto rest = work.col(j).tail(work.rows() - rank);
    rest.makeHouseholderInPlace(tau, beta);
    const Eigen::VectorXd essential = rest.tail(rest.size() - 1);
    work.block(rank, j + 1, work.rows() - rank, work.cols() - j - 1)
        .applyHouseholderOnTheLeft(essential, tau, scratch.data());
    rest(0) = beta;
    rest.tail(rest.size() - 1).setZero();
    ++rank;
  }
  [[nodiscard]] double left_of(Index j) const {
    return work.col(j).tail(work.rows() - rank).stableNorm();
  }
};

/// The kept columns whose part in column j, which depends on them, is more than rounding.
std::vector<std::size_t> constituents(const Elimination& done, const IndependentColumns& found,
                                      Index j) {
  constexpr double kPart = 1e-6;  // of the length of the column
  const auto before = static_cast<Index>(
      std::ranges::lower_bound(found.kept, static_cast<std::size_t>(j)) - found.kept.begin());
  const Eigen::VectorXd column = done.work.col(j).head(before);
  const Eigen::VectorXd parts =
      found.r.topLeftCorner(before, before).triangularView<Eigen::Upper>().solve(column);
  std::vector<std::size_t> result;
  for (Index k = 0; k < before; ++k) {
    if (std::abs(parts(k)) * found.r.col(k).norm() > kPart * column.norm()) {
      result.push_back(found.kept[static_cast<std::size_t>(k)]);
    }
  }
  return result;
}

}  // namespace

BlockQr::BlockQr(std::size_t columns)
    : r_(Eigen::MatrixXd::Zero(static_cast<Index>(columns), static_cast<Index>(columns))) {}

void BlockQr::reduce(Eigen::MatrixXd& stacked) {
  if (r_.cols() == 0) { return; }
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> factors(stacked);
  r_ = stacked.topRows(r_.rows()).triangularView<Eigen::Upper>();
}

void BlockQr::add(const double* rows, std::size_t n, std::size_t stride, const double* weights) {
  const Index m = r_.cols();
  const auto count = static_cast<Index>(n);
  Eigen::MatrixXd stacked(m + count, m);
  stacked.topRows(m) = r_;
  stacked.bottomRows(count) =
      Rows(rows, count, m, Eigen::OuterStride<>(static_cast<Index>(stride)));
  if (weights != nullptr) {
    const Eigen::Map<const Eigen::VectorXd> w(weights, count);
    stacked.bottomRows(count).array().colwise() *= w.array().sqrt();
  }
  reduce(stacked);
}

void BlockQr::merge(const BlockQr& other) {
  Eigen::MatrixXd stacked(r_.rows() + other.r_.rows(), r_.cols());
  stacked << r_, other.r_;
  reduce(stacked);
}

IndependentColumns independent_columns(const Eigen::MatrixXd& r, std::size_t columns,
                                       double tolerance) {
  Elimination done{r};
  IndependentColumns found;
  for (std::size_t column = 0; column < columns; ++column) {
    const auto j = static_cast<Index>(column);
    if (done.left_of(j) > tolerance * r.col(j).stableNorm()) {
      done.keep(j);
      found.kept.push_back(column);
    } else {
      found.dependent.push_back(column);
    }
  }
  found.r.resize(done.rank, done.rank);
  for (std::size_t k = 0; k < found.kept.size(); ++k) {
    found.r.col(static_cast<Index>(k)) =
        done.work.col(static_cast<Index>(found.kept[k])).head(done.rank);
  }
  for (const auto column : found.dependent) {
    found.made_of.push_back(constituents(done, found, static_cast<Index>(column)));
  }
  const auto right = done.work.rightCols(r.cols() - static_cast<Index>(columns));
  found.qty = right.topRows(done.rank);
  found.residual_squares =
      right.bottomRows(r.rows() - done.rank).colwise().squaredNorm().transpose();
  return found;
}

}  // namespace logodds::linalg
