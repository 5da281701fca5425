// A space cut in two again and again, and where a point lies in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "logodds/data/design.hpp"

namespace logodds::search {

/// On the right of a cut are the points with larger values, and of those with the same value the
/// rows from `row` on.
struct Cut {
  std::size_t column = 0;
  double value = 0.0;
  std::uint32_t row = 0;
};

/// All cuts of the first levels, the halves of node i being 2 i + 1 and 2 i + 2: the last are
/// parts.
class Cuts {
 public:
  explicit Cuts(std::size_t levels = 0)
      : levels_(levels),
        columns_((std::size_t{1} << levels) - 1),
        values_(columns_.size()),
        rows_(columns_.size()) {}

  [[nodiscard]] std::size_t parts() const { return columns_.size() + 1; }
  /// `shared`: other points have the value of the cut, too.
  void set(std::size_t node, const Cut& cut, bool shared);

  /// Calls use(row, part) for the rows from `begin` to `end`.
  template <class Use>
  void find(const DesignRows& points, std::size_t begin, std::size_t end, const Use& use) const {
    return shared_ ? find_all<true>(points, begin, end, use)
                   : find_all<false>(points, begin, end, use);
  }

 private:
  template <bool Shared, class Use>
  void find_all(const DesignRows& points, std::size_t begin, std::size_t end,
                const Use& use) const {
    constexpr std::size_t kTogether = 16;
    std::size_t row = begin;
    for (; row + kTogether <= end; row += kTogether) {
      find_rows<Shared, kTogether>(points, row, use);
    }
    for (; row < end; ++row) { find_rows<Shared, 1>(points, row, use); }
  }
  /// Several rows at a time, whose ways do not wait for each other.
  template <bool Shared, std::size_t Count, class Use>
  void find_rows(const DesignRows& points, std::size_t first, const Use& use) const;

  std::size_t levels_;
  bool shared_ = false;  ///< whether rows have to be looked at
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
  std::vector<std::uint32_t> rows_;
};

inline void Cuts::set(std::size_t node, const Cut& cut, bool shared) {
  columns_[node] = static_cast<std::uint32_t>(cut.column);
  values_[node] = cut.value;
  rows_[node] = cut.row;
  shared_ = shared_ || shared;
}

template <bool Shared, std::size_t Count, class Use>
void Cuts::find_rows(const DesignRows& points, std::size_t first, const Use& use) const {
  std::array<std::uint32_t, Count> nodes{};
  const std::uint32_t* const columns = columns_.data();
  const double* const values = values_.data();
  const std::size_t stride = points.stride;
  const double* const from = points.data + first * stride;
  for (std::size_t level = 0; level < levels_; ++level) {
    for (std::size_t j = 0; j < Count; ++j) {
      const std::uint32_t node = nodes[j];
      const double x = from[j * stride + columns[node]];
      auto right = static_cast<std::uint32_t>(x >= values[node]);
      if constexpr (Shared) {  // without branches, as above
        const auto equal = static_cast<std::uint32_t>(x == values[node]);
        right -= equal & static_cast<std::uint32_t>(first + j < rows_[node]);
      }
      nodes[j] = 2 * node + 1 + right;
    }
  }
  for (std::size_t j = 0; j < Count; ++j) { use(first + j, nodes[j] - columns_.size()); }
}

}  // namespace logodds::search
