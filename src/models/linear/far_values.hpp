// Values so far from the others of their column that these hardly differ beside them: codes for
// missing values, say.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"

namespace logodds::models::linear {

struct FarValue {
  std::size_t column = 0;
  std::size_t row = 0;
  double value = 0.0;
};

/// An optimiser that works in units of standard deviations is at the end of its digits where these
/// are so many times the distance of the quartiles.
inline constexpr double kFar = 1e7;

/// In the first column whose standard deviation is more than `limit` times the distance of its
/// quartiles, the value that lies farthest from the others. Columns with equal quartiles, such as
/// rare indicators, are not looked at.
[[nodiscard]] std::optional<FarValue> find_far_value(const DesignRows& rows,
                                                     std::span<const double> deviations,
                                                     double limit = kFar);

/// Names the value, says that `so` follows from it, and proposes to make it a missing one.
[[nodiscard]] std::string far_value_text(const FarValue& far, const std::vector<std::string>& names,
                                         const std::string& so);

}  // namespace logodds::models::linear
