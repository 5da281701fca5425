// The features of rows by what is not 0, of sparse and of dense blocks alike.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "models/linear/features.hpp"

namespace logodds::models::linear {

/// What is not 0 in one row: indices ascend.
struct FeatureRow {
  std::span<const std::uint32_t> indices;
  std::span<const double> values;
};

/// Calls `use` for every row in order. Sparse rows are taken as they are where the features allow
/// it; others are encoded some at a time, so that the features of all rows are never in memory
/// together.
void each_row(const RowBlock& rows, const Features& features,
              const std::function<void(std::size_t, const FeatureRow&)>& use);

}  // namespace logodds::models::linear
