// Which two columns a plane is laid along, and where the others stand.
#pragma once

#include <optional>
#include <utility>

#include "plots/plane.hpp"

namespace logodds::plots {

/// The columns of numbers (by their position among these) that --x and --y name. What is not named
/// is chosen: of all pairs the one that separates the classes best, by Wilks' |W + B| / |W|, W and
/// B the scatter within and between the classes in the two columns, over the rows that have both.
/// Unlike tr(W^-1 B) that asks for two directions in which classes differ.
[[nodiscard]] std::pair<std::size_t, std::size_t> chosen_pair(const Schema& schema,
                                                              const PlaneRows& rows,
                                                              const Options& options);

/// Values of all columns: as --at has them, else the mean (of counts and 0/1 columns the nearest
/// whole number), or the most frequent level.
struct Standing {
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
};
[[nodiscard]] Standing standing_values(const Schema& schema, const PlaneRows& rows,
                                       const std::string& at);

/// Names of the columns of numbers.
[[nodiscard]] std::vector<std::string> number_names(const Schema& schema);

/// "a = 1, b = x", of columns of numbers those whose flag is not set.
[[nodiscard]] std::string standing_text(const Schema& schema, const Standing& standing,
                                        const std::vector<bool>& free);

}  // namespace logodds::plots
