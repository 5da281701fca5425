// The coefficients of a model that is linear in its features, as statisticians read them.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace logodds {

/// One coefficient of the log odds of `label` against the model's reference (or of the score of
/// `label`, where every class has its own). What is not known is NaN.
struct Coefficient {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  std::string label;
  std::string feature;  ///< "(intercept)", "age", "sex=male", "age^2", ...
  double estimate = 0.0;
  double standard_error = kUnknown;
  double z = kUnknown;        ///< estimate / standard error
  double p_value = kUnknown;  ///< of |z| under the normal law, both sides
  double odds_ratio = kUnknown;
  double lower = kUnknown;  ///< interval of the odds ratio
  double upper = kUnknown;
  /// False when the rows do not tell it: the column is constant, or a sum of others.
  bool identifiable = true;
};

struct CoefficientTable {
  std::vector<Coefficient> rows;   ///< by class, and within a class the intercept first
  std::vector<std::string> notes;  ///< why errors are not given, what the classes are against, ...
};

class Coefficients {
 public:
  Coefficients() = default;
  Coefficients(const Coefficients&) = default;
  Coefficients(Coefficients&&) = default;
  Coefficients& operator=(const Coefficients&) = default;
  Coefficients& operator=(Coefficients&&) = default;
  virtual ~Coefficients() = default;

  /// `level` of the intervals: 0.95, say.
  [[nodiscard]] virtual CoefficientTable coefficient_table(double level) const = 0;
};

}  // namespace logodds
