// QR of tall matrices whose rows come in blocks, and which of its columns depend on others.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace logodds::linalg {

/// R of A = Q R by Householder reflections, without Q. Rows are added in blocks, and factors of
/// rows apart are merged; R^T R = sum_r w_r a_r a_r^T in every case. Backward stable: R is exact
/// for a matrix whose columns differ from those of A by some epsilon of their length (Higham,
/// Accuracy and Stability, theorem 19.4), so columns may have any units. Right-hand sides are
/// columns, too: R of [X Y] holds Q^T Y and the norms of the residuals.
class BlockQr {
 public:
  explicit BlockQr(std::size_t columns);

  /// Row-major n x columns, row r at rows + r * stride; `weights` (n, each >= 0) or null: all 1.
  void add(const double* rows, std::size_t n, std::size_t stride, const double* weights);
  void merge(const BlockQr& other);

  [[nodiscard]] std::size_t columns() const { return static_cast<std::size_t>(r_.cols()); }
  /// Upper triangular, columns x columns; the sign of a row is of no meaning.
  [[nodiscard]] const Eigen::MatrixXd& r() const { return r_; }

 private:
  void reduce(Eigen::MatrixXd& stacked);
  Eigen::MatrixXd r_;
};

/// A column is called dependent when what the columns before it leave of it is at most this share
/// of its length. Rounding in columns that are sums of others leaves some 1e-16, while the worst of
/// NIST's regressions, Filip's tenth power, leaves 5e-8.
inline constexpr double kDependent = 1e-13;

/// Columns in their order, those that depend on columns before them left out (as R's lm does, by
/// LINPACK's dqrdc2), and the triangle of the others.
struct IndependentColumns {
  std::vector<std::size_t> kept;
  std::vector<std::size_t> dependent;
  /// For each dependent column the kept ones that it is made of: none for a column of zeros.
  std::vector<std::vector<std::size_t>> made_of;
  Eigen::MatrixXd r;    ///< kept x kept, upper triangular, no 0 on its diagonal
  Eigen::MatrixXd qty;  ///< kept x (columns of R past the first `columns`): Q^T Y
  /// For each of those columns the squared length of what the kept ones leave of it.
  Eigen::VectorXd residual_squares;
};

/// Of the first `columns` columns of `r` (upper triangular or not); those after are right-hand
/// sides.
[[nodiscard]] IndependentColumns independent_columns(const Eigen::MatrixXd& r, std::size_t columns,
                                                     double tolerance = kDependent);

}  // namespace logodds::linalg
