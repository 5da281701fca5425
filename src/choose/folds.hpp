// Which rows are held out together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logodds::choose {

/// The fold of every row, from 0, by class in an order that seed and repeat scramble, so that folds
/// are alike. A class of one row is never held out: its fold is `folds`.
[[nodiscard]] std::vector<std::size_t> stratified_folds(std::span<const std::int32_t> labels,
                                                        std::size_t classes, std::size_t folds,
                                                        std::uint64_t seed, std::size_t repeat = 0);

}  // namespace logodds::choose
