// The sizes that a statistic's codes run over, and how codes change when dictionaries are unified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace logodds {

struct Shape {
  std::size_t classes = 0;
  std::size_t numeric = 0;          ///< columns of numbers
  std::vector<std::size_t> levels;  ///< levels of each coded column
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Old code -> new code, for labels and for the levels of each coded column; `shape` is the new
/// one.
struct Recoding {
  Shape shape;
  std::vector<std::int32_t> labels;
  std::vector<std::vector<std::int32_t>> levels;
};

}  // namespace logodds
