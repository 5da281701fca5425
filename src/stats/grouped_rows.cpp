#include "stats/grouped_rows.hpp"

#include <numeric>

namespace logodds {

Grouped group_by_class(const RowBlock& block, std::size_t classes) {
  Grouped groups{std::vector<std::uint32_t>(classes + 1, 0),
                 std::vector<std::uint32_t>(block.rows)};
  if (block.labels == nullptr) {
    groups.begin.back() = static_cast<std::uint32_t>(block.rows);
    std::iota(groups.members.begin(), groups.members.end(), 0U);
    return groups;
  }
  for (std::size_t r = 0; r < block.rows; ++r) {
    ++groups.begin[static_cast<std::size_t>(block.labels[r]) + 1];
  }
  std::partial_sum(groups.begin.begin(), groups.begin.end(), groups.begin.begin());
  auto next = groups.begin;
  for (std::size_t r = 0; r < block.rows; ++r) {
    groups.members[next[static_cast<std::size_t>(block.labels[r])]++] =
        static_cast<std::uint32_t>(r);
  }
  return groups;
}

double weight_of(const RowBlock& block, std::span<const std::uint32_t> members) {
  if (block.weights == nullptr) { return static_cast<double>(members.size()); }
  double weight = 0.0;
  for (const auto r : members) { weight += block.weights[r]; }
  return weight;
}

}  // namespace logodds
