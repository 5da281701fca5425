// The sizes that a statistic's codes run over, and how codes change when dictionaries are unified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "logodds/data/schema.hpp"

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

[[nodiscard]] Shape shape_of(const Schema& schema);

/// All values of both, each list and the result in label order.
[[nodiscard]] std::vector<std::string> united(const std::vector<std::string>& a,
                                              const std::vector<std::string>& b);
/// For each value of `from` (in any order) its place in `to`, which is in label order and holds it.
[[nodiscard]] std::vector<std::int32_t> codes_between(const std::vector<std::string>& from,
                                                      const std::vector<std::string>& to);

}  // namespace logodds
