// What only a model that keeps its training rows can do: say which of them are near.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds {

class Neighborhood {
 public:
  Neighborhood() = default;
  Neighborhood(const Neighborhood&) = delete;
  Neighborhood(Neighborhood&&) = default;
  Neighborhood& operator=(const Neighborhood&) = delete;
  Neighborhood& operator=(Neighborhood&&) = default;
  virtual ~Neighborhood() = default;

  /// Rows that can be near: at most so many can be asked for.
  [[nodiscard]] virtual std::size_t neighbor_rows() const = 0;
  /// How many of them a decision rests on: k, or all where there are fewer.
  [[nodiscard]] virtual std::size_t neighbor_count() const = 0;
  /// These rows in the model's columns, with their labels and weights.
  [[nodiscard]] virtual const RowBlock& training_rows() const = 0;
  /// Rows in coordinates whose Euclidean distances are compared, row-major; empty where the model
  /// compares otherwise (manhattan, cosine).
  [[nodiscard]] virtual std::vector<double> coordinates(const RowBlock& block) const = 0;
  /// The `count` nearest training rows of every row of the block, nearest first and equally near
  /// ones by their number. `numbers` and `distances` are row-major block.rows x count; a number is
  /// that of the row among those that training was given, from 1. Unless it is empty, `log_scores`
  /// gets what Classifier::log_scores() gives, from the same search.
  virtual void nearest(const RowBlock& block, std::size_t count, std::span<std::int64_t> numbers,
                       std::span<double> distances, std::span<double> log_scores = {}) const = 0;
  /// How many rows are best searched at once by the next function; 0: no more than a block.
  [[nodiscard]] virtual std::size_t rows_at_once() const = 0;
  /// The same as nearest() for the rows of several blocks, in up to `threads` threads and in the
  /// order that suits the search. The row of a RowProblem is counted through all blocks.
  virtual void nearest_at_once(std::span<const RowBlock> blocks, std::size_t count, int threads,
                               std::span<std::int64_t> numbers,
                               std::span<double> distances) const = 0;
};

}  // namespace logodds
