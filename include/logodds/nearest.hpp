// The nearest training rows of new rows, where nobody votes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds {

/// Room for what is found, row-major rows x neighbors; see Neighborhood::nearest().
struct NearestRows {
  std::span<std::int64_t> numbers;
  std::span<double> distances;
};

/// The `count` nearest training rows of every row of the source: what score() tells with
/// ScoreRequest::neighbors, but without posteriors and decisions. Throws Error(usage) where the
/// model has no Neighborhood of so many rows, or where there is no room for all rows, and
/// Error(input) for a row that lacks a value.
void find_nearest(const Classifier& model, BlockSource& source, std::size_t count,
                  const Context& context, const NearestRows& out);

}  // namespace logodds
