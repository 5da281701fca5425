// Least squares from cross products of 106 bits.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "linalg/double_double.hpp"
#include "linalg/qr.hpp"

namespace logodds::linalg {

/// sum_n w_n a_ni a_nj of column i and column j.
using Products = std::function<DoubleDouble(std::size_t i, std::size_t j)>;

/// The response regressed on the regressors, all by the number of their column.
struct WideTask {
  std::vector<std::size_t> regressors;  ///< the constant 1 is one of them, if there is an intercept
  std::size_t response = 0;
  /// As in LeastSquaresSettings.
  double tolerance = kDependent;
};

struct WideFit {
  std::vector<double> coefficients;  ///< by regressor, 0 where it is not identifiable
  /// The root of the diagonal of (X^T W X)^-1: standard errors, once they are multiplied by the
  /// residual deviation.
  std::vector<double> roots;
  std::vector<int> identifiable;  ///< by regressor: 0 when it depends on those before it
  std::size_t rank = 0;
  double residual_squares = 0.0;  ///< what is rounding of the response's squares is 0
  /// The squares of the response that the first regressor leaves: around its mean, where that is
  /// the constant.
  double first_squares = 0.0;
  double squares = 0.0;  ///< of the response
};

/// R of [X y] = Q R, row by row: it is the Cholesky factor of the products, because R^T R = X^T W
/// X. Everything is computed in 106 bits, so what comes out is right in every digit of a double as
/// long as the columns, scaled to length 1, have a condition number below 1e8, and has lost 2
/// digits for every further factor of 10.
[[nodiscard]] WideFit least_squares(const Products& products, const WideTask& task);

}  // namespace logodds::linalg
