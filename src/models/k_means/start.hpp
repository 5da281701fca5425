// Where K-means starts.
#pragma once

#include <cstdint>
#include <vector>

#include "logodds/models/k_means.hpp"
#include "models/k_means/problem.hpp"
#include "parallel/team.hpp"

namespace logodds::models::k_means {

/// Different rows that there are, counted up to `most`.
[[nodiscard]] std::size_t count_different(const Problem& problem, std::size_t most);

/// The centers of the `which`-th start, row-major clusters x columns: a function of the rows, the
/// seed and `which` alone. There must be as many different rows.
[[nodiscard]] std::vector<double> start_centers(const Problem& problem, KMeansStart start,
                                                std::uint64_t seed, std::size_t which,
                                                parallel::Team& team);

}  // namespace logodds::models::k_means
