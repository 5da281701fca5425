// The rows of one K-means problem, and how they are cut for threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "logodds/data/design.hpp"

namespace logodds::models::k_means {

/// A range of rows that one thread works on.
struct Piece {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Pieces depend on the number of rows alone, so that sums over them have the same bits for any
/// number of threads.
class Pieces {
 public:
  Pieces(std::size_t rows, std::size_t least_rows, std::size_t most_pieces)
      : rows_(rows), count_(std::clamp<std::size_t>(rows / least_rows, 1, most_pieces)) {}

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] Piece operator[](std::size_t p) const {
    return {p * rows_ / count_, (p + 1) * rows_ / count_};
  }

 private:
  std::size_t rows_;
  std::size_t count_;
};

struct Problem {
  DesignRows rows;
  const double* weights;  ///< null: all 1
  std::size_t clusters;
  Pieces pieces;

  Problem(const DesignRows& of_rows, const double* of_weights, std::size_t of_clusters)
      : rows(of_rows), weights(of_weights), clusters(of_clusters), pieces(of_rows.rows, 512, 256) {}

  [[nodiscard]] const double* row(std::size_t r) const { return rows.data + r * rows.stride; }
  [[nodiscard]] double weight(std::size_t r) const { return weights == nullptr ? 1.0 : weights[r]; }
};

}  // namespace logodds::models::k_means
