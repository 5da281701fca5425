// What only a model of centers can do.
#pragma once

#include <span>

#include "logodds/data/row_block.hpp"

namespace logodds {

class Centers {
 public:
  Centers() = default;
  Centers(const Centers&) = default;
  Centers(Centers&&) = default;
  Centers& operator=(const Centers&) = default;
  Centers& operator=(Centers&&) = default;
  virtual ~Centers() = default;

  /// Euclidean distances of every row to every center, in the units in which the model compares
  /// them: row-major, block.rows x centers.
  virtual void center_distances(const RowBlock& block, std::span<double> out) const = 0;
};

}  // namespace logodds
