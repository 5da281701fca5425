#include "models/linear/far_values.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/data/schema.hpp"

namespace logodds::models::linear {

namespace {

struct Quartiles {
  double first;
  double median;
  double third;
};

/// Of up to 1000 rows, which are enough to tell such distances.
Quartiles quartiles(const DesignRows& rows, std::size_t column) {
  constexpr std::size_t kEnough = 1000;
  const std::size_t count = std::min(rows.rows, kEnough);
  std::vector<double> values(count);
  for (std::size_t s = 0; s < count; ++s) {
    values[s] = rows.data[s * rows.rows / count * rows.stride + column];
  }
  std::ranges::sort(values);
  return {values[count / 4], values[count / 2], values[count - 1 - count / 4]};
}

FarValue farthest(const DesignRows& rows, std::size_t column, double middle) {
  FarValue far{.column = column};
  double distance = -1.0;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double value = rows.data[r * rows.stride + column];
    if (!(std::abs(value - middle) > distance)) { continue; }
    distance = std::abs(value - middle);
    far.row = r;
    far.value = value;
  }
  return far;
}

}  // namespace

std::optional<FarValue> find_far_value(const DesignRows& rows, std::span<const double> deviations,
                                       double limit) {
  for (std::size_t i = 0; i < deviations.size() && rows.rows > 0; ++i) {
    const Quartiles of = quartiles(rows, i);
    const double apart = of.third - of.first;
    if (apart > 0.0 && deviations[i] > limit * apart) { return farthest(rows, i, of.median); }
  }
  return std::nullopt;
}

std::string far_value_text(const FarValue& far, const std::vector<std::string>& names,
                           const std::string& so) {
  return "the value " + format_number(far.value) + " of '" + names[far.column] + "' in row " +
         std::to_string(far.row + 1) +
         " is so far from the others that these hardly differ beside it, and " + so +
         "; if it stands for a missing value, make it one, else take the column's logarithm or "
         "leave the row out";
}

}  // namespace logodds::models::linear
