// One start of K-means to its end.
#pragma once

#include <vector>

#include "logodds/models/k_means.hpp"
#include "models/k_means/assignment.hpp"

namespace logodds::models::k_means {

/// What the options say, for these rows.
struct DescentPlan {
  std::size_t max_steps;
  double least_move;  ///< sum of the squared moves of the centers that ends it
  bool trace;
  bool triangle;  ///< triangle(), else all_distances()
};

/// `told` is called after every step, with its number and E (NaN where it is not known).
[[nodiscard]] KMeansResult descend(const Problem& problem, const DescentPlan& plan,
                                   std::vector<double> centers, parallel::Team& team,
                                   const std::function<void(std::size_t, double)>& told);

}  // namespace logodds::models::k_means
