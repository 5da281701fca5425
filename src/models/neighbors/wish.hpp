// The options of k nearest neighbors, and what their text means.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "logodds/registry/options.hpp"

namespace logodds::models::neighbors {

enum class Metric : std::uint8_t { euclidean, manhattan, cosine, mahalanobis };

struct Wish {
  std::size_t least_k = 5;
  std::size_t most_k = 5;  ///< more than least_k: one of these is to be chosen
  Metric metric = Metric::euclidean;
  bool by_distance = false;  ///< a vote weighs 1 / distance
  bool standardize = false;
  bool condense = false;

  /// k has still to be chosen.
  [[nodiscard]] bool open() const { return most_k > least_k; }
};

[[nodiscard]] std::vector<OptionSpec> option_specs();
[[nodiscard]] Wish read_wish(const Options& options);

}  // namespace logodds::models::neighbors
