// Least-squares lines: one column on others, and of two columns each on the other.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/models/description.hpp"
#include "logodds/models/model.hpp"

namespace logodds {

/// The intercept, or what a column (or the indicator of a level) is multiplied by. Without a degree
/// of freedom the error, t and p are NaN; where the column depends on those before it the
/// coefficient is 0 as well.
struct RegressionTerm {
  std::string name;
  double coefficient = 0.0;
  double standard_error = 0.0;
  double t = 0.0;  ///< coefficient / standard error
  double p = 0.0;  ///< of a |t| this large, if the coefficient were 0: Student's distribution
  bool identifiable = true;
};

/// response = sum of terms + residual, by least squares.
struct RegressionFit {
  std::string response;
  std::vector<RegressionTerm> terms;  ///< the intercept first, if there is one
  double weight = 0.0;                ///< sum of the weights: a row of weight 2 is the row twice
  double degrees_of_freedom = 0.0;    ///< weight - identifiable terms
  double residual_squares = 0.0;      ///< sum of w r^2
  double residual_deviation = 0.0;    ///< sqrt(residual squares / degrees of freedom), or NaN
  /// 1 - residual squares / sum of w (y - mean)^2, the mean being 0 without an intercept; NaN when
  /// the response does not vary.
  double r_squared = 0.0;
  /// Are all coefficients but the intercept 0? F and its upper tail; NaN where nothing tells.
  double f = 0.0;
  double f_p = 0.0;
};

/// Two columns of numbers, each regressed on the other.
struct LinePair {
  RegressionFit x_on_y;
  double correlation = 0.0;  ///< r: the product of the two slopes is r^2
  /// Degrees between the two lines in the plane of x and y: tan = |1 - r^2| s_x s_y / (|r| (s_x^2 +
  /// s_y^2)). They coincide where |r| = 1 and are at right angles where r = 0.
  double angle = 0.0;
  /// The same with both columns in units of their deviations: 90 - 2 atan |r|.
  double standard_angle = 0.0;
};

class FittedLine {
 public:
  FittedLine(Design design, RegressionFit fit, std::optional<LinePair> pair,
             std::vector<std::pair<std::string, Cell>> facts);

  [[nodiscard]] const RegressionFit& regression() const { return fit_; }
  /// Where there is one regressor, of numbers, and it varies with the response.
  [[nodiscard]] const std::optional<LinePair>& pair() const { return pair_; }
  /// The value of the line at every row: of the columns before the response (which may be left out
  /// of the block). A missing value makes it NaN.
  void fitted(const RowBlock& block, std::span<double> out) const;

  [[nodiscard]] Description describe() const;
  /// coefficients, standard_errors, t, p, identifiable; r_squared, residual_deviation,
  /// degrees_of_freedom, weight, f, f_p of shape 1.
  [[nodiscard]] std::vector<NamedArray> arrays() const;

 private:
  Design design_;  ///< of the regressors
  RegressionFit fit_;
  std::optional<LinePair> pair_;
  std::vector<std::pair<std::string, Cell>> facts_;
};

/// The schema without its last column, which is the response.
[[nodiscard]] Schema regressors_of(const Schema& schema);

}  // namespace logodds
