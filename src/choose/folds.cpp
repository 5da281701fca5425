#include "choose/folds.hpp"

#include <algorithm>
#include <utility>

#include "random/row_draws.hpp"

namespace logodds::choose {

namespace {

/// The word of a row that a repeat is sorted by: one of its own each.
std::uint64_t word_of(std::uint64_t seed, std::size_t row, std::size_t repeat) {
  random::RowDraws draws(seed, row);
  for (std::size_t i = 0; i < repeat; ++i) { static_cast<void>(draws.bits()); }
  return draws.bits();
}

}  // namespace

std::vector<std::size_t> stratified_folds(std::span<const std::int32_t> labels, std::size_t classes,
                                          std::size_t folds, std::uint64_t seed,
                                          std::size_t repeat) {
  std::vector<std::vector<std::pair<std::uint64_t, std::size_t>>> by_class(classes);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    by_class[static_cast<std::size_t>(labels[r])].emplace_back(word_of(seed, r, repeat), r);
  }
  std::vector<std::size_t> result(labels.size(), folds);
  std::size_t next = 0;  // goes on from class to class, so that small classes spread
  for (auto& members : by_class) {
    std::ranges::sort(members);
    for (std::size_t m = 0; m < members.size() && members.size() > 1; ++m) {
      result[members[m].second] = next++ % folds;
    }
  }
  return result;
}

}  // namespace logodds::choose
