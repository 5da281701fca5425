// The nearest training rows of new rows, where nobody votes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds {

/// Of some rows, row-major rows x neighbors; see Neighborhood::nearest().
struct NearestBlock {
  std::span<const std::int64_t> numbers;
  std::span<const double> distances;
};

/// Hands the `count` nearest training rows of every row of the source to `sink`, in the order of
/// the rows: what score() tells with ScoreRequest::neighbors, but without posteriors and decisions.
/// Throws Error(usage) where the model has no Neighborhood of so many rows, and Error(input) for a
/// row that lacks a value.
void find_nearest(const Classifier& model, BlockSource& source, std::size_t count,
                  const Context& context, const std::function<void(const NearestBlock&)>& sink);

}  // namespace logodds
