// Some of the rows of a fit.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/large_array.hpp"
#include "models/softmax/solve.hpp"
#include "parallel/team.hpp"

namespace logodds::models::softmax {

/// Rows of a sample, weighted so that their objective estimates that of all rows.
struct Sample {
  memory::LargeArray<double> x;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
};

/// One row of each of `count` equal stretches, by chance; another `turn`: other rows.
[[nodiscard]] Sample draw(parallel::Team& team, const FitRows& rows, std::size_t count,
                          std::uint32_t turn = 0);

}  // namespace logodds::models::softmax
