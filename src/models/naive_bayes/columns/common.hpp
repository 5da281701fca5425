// What the laws of a column have in common: moments over all classes, floors, columns and classes
// that tell nothing, values that a law does not know.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/naive_bayes/column_family.hpp"

namespace logodds::models::naive_bayes::columns {

inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();
inline constexpr double kHalfLog2Pi = 0.91893853320467274178;
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct Moments {
  double weight = 0.0;
  double mean = 0.0;
  double variance = 0.0;  ///< divisor: the weight
};

/// Of every class, and of all together; a class that has no value has the moments of all.
struct ClassMoments {
  Moments overall;
  std::vector<Moments> classes;
};

/// Of the numbers of a column, or of their logarithms.
[[nodiscard]] ClassMoments class_moments(const std::vector<double>& weights,
                                         const std::vector<double>& means,
                                         const std::vector<double>& scatters);

/// The law of a column of numbers that has one value only, or none: it says nothing, and a note
/// says so. Null when the column varies. Throws Error(numeric) when squares overflow.
[[nodiscard]] std::unique_ptr<ColumnLaw> constant_law(const ColumnSummary& rows,
                                                      std::vector<std::string>& notes);

/// Throws Error(numeric): the law is a single point in class k, and the floor is 0.
[[noreturn]] void refuse_point(const ColumnSummary& rows, std::size_t k, std::string_view family);

/// A class's variance, at least rule.variance_floor times that of all classes together.
[[nodiscard]] double floored_variance(const ColumnSummary& rows, std::size_t k, double variance,
                                      double overall, const ColumnRule& rule,
                                      std::string_view family);

/// weight * value, and 0 for a weight of 0 even where the value is infinite.
[[nodiscard]] inline double times(double weight, double value) {
  return weight == 0.0 ? 0.0 : weight * value;
}

/// The numbers that a law knows.
struct Domain {
  double low;
  double high;
  bool whole;
  [[nodiscard]] bool contains(double x) const {
    return x >= low && x <= high && (!whole || x == std::floor(x));
  }
};
inline constexpr double kLargest = std::numeric_limits<double>::max();
inline constexpr Domain kPositive{std::numeric_limits<double>::denorm_min(), kLargest, false};
inline constexpr Domain kNotNegative{0.0, kLargest, false};
inline constexpr Domain kZeroOrOne{0.0, 1.0, true};
inline constexpr Domain kCounts{0.0, kLargest, true};

/// Numbers outside of the domain make every class impossible; what is returned is x with NaN in
/// their place. `copy` keeps it where there are any.
[[nodiscard]] std::span<const double> only_possible(std::span<const double> x, const Domain& domain,
                                                    std::size_t classes, std::size_t stride,
                                                    double* scores, std::vector<double>& copy);

}  // namespace logodds::models::naive_bayes::columns
