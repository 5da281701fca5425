// Least squares by QR: coefficients to the last digit that the data allow, with their errors.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "linalg/qr.hpp"

namespace logodds::linalg {

/// Rows of a block, both arrays row-major: regressors x at x + r * x_stride, right-hand sides y at
/// y + r * y_stride; weights (each >= 0) or null: all 1. Nothing may be NaN or infinite.
struct BlockRows {
  std::size_t rows = 0;
  const double* x = nullptr;
  std::size_t x_stride = 0;
  const double* y = nullptr;
  std::size_t y_stride = 0;
  const double* weights = nullptr;
};

/// Which rows there are. They are read several times, block by block, and need not be in memory
/// all at once.
struct Regression {
  std::size_t columns = 0;  ///< D, regressors without the intercept
  std::size_t targets = 1;  ///< T, right-hand sides, fitted one by one with the same R
  std::size_t blocks = 0;   ///< about 1024 rows each
  /// Block b, the same rows whenever it is asked for. `scratch` belongs to the calling thread and
  /// may hold what the result points to, until the next call.
  std::function<BlockRows(std::size_t block, std::vector<double>& scratch)> read{};
  bool intercept = true;
  double ridge = 0.0;  ///< this times the sum of squared coefficients is added, intercept excluded
  int threads = 1;     ///< any number gives the same bits
};

struct LeastSquaresSettings {
  /// Columns that leave at most this share of their length beside the columns before them have the
  /// coefficient 0 and are not identifiable. With a ridge, only where that does not help.
  double tolerance = kDependent;
  /// Rounds of iterative refinement at most; each reads the rows once. They end when a round
  /// changes nothing: 2 or 3 rounds, if the problem is not hopeless. 0: QR alone, whose error is
  /// some epsilon times the condition number of the columns scaled to length 1.
  std::size_t refinements = 8;
};

/// Coefficients are (D + 1) x T row-major, the intercept first; without an intercept D x T.
struct LeastSquaresFit {
  std::vector<double> coefficients;
  /// Of each coefficient: residual deviation times the root of the diagonal of (X^T W X)^-1; 0 for
  /// one that is not identifiable. Empty with a ridge, or when no degree of freedom is left.
  std::vector<double> standard_errors;
  std::vector<int> identifiable;  ///< by coefficient: 0 when it depends on those before it
  std::size_t rank = 0;           ///< identifiable coefficients
  double weight = 0.0;            ///< sum of the weights: a row of weight 2 is the row twice
  /// weight - rank
  double degrees_of_freedom = 0.0;
  std::vector<double> residual_squares;    ///< T: sum of w r^2
  std::vector<double> residual_deviation;  ///< T: sqrt(residual squares / degrees of freedom), or 0
  /// T: 1 - residual squares / sum of w (y - mean)^2; without an intercept the mean is 0. 1 when y
  /// is constant.
  std::vector<double> r_squared;
  std::size_t refinements = 0;  ///< rounds done
};

/// Minimises sum_r w_r |y_r - X_r b|^2 + ridge |b|^2.
///
/// R of the rows scaled by powers of 2 comes from Householder QR. Then the solution is refined:
/// with the residuals r = y - X b and the gradient g = X^T W r in double-double arithmetic, b +=
/// (R^T R)^-1 g, b itself in double-double. The error falls by epsilon times the condition number a
/// round (not its square, because g is exact), until b is that of the rows as they stand, rounded
/// to double. What an answer lacks then is the rounding of its data: powers of x in double
/// precision allow 7 to 8 digits of NIST's Filip problem.
///
/// Throws Error(numeric) when there are no rows, or numbers too large to square.
[[nodiscard]] LeastSquaresFit least_squares(const Regression& regression,
                                            const LeastSquaresSettings& settings = {});

/// The same for rows in memory: x is n x D, y is n x T.
[[nodiscard]] LeastSquaresFit least_squares(const double* x, const double* y, std::size_t n,
                                            std::size_t columns, std::size_t targets,
                                            const double* weights, bool intercept,
                                            const LeastSquaresSettings& settings = {});

}  // namespace logodds::linalg
