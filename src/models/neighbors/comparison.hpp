// Training rows in the coordinates in which they are compared, with an index over them.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "logodds/context.hpp"
#include "models/neighbors/rows.hpp"
#include "models/neighbors/votes.hpp"
#include "search/index.hpp"

namespace logodds::models::neighbors {

class Comparison {
 public:
  /// `rows` must outlive it, `k` votes are mostly asked for. Throws Error(numeric) where rows
  /// cannot be compared.
  Comparison(const NeighborRows& rows, const Schema& schema, const Wish& wish, std::size_t k,
             int threads);

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] const RowBlock& rows() const { return rows_; }
  [[nodiscard]] const DesignRows& points() const { return points_; }
  [[nodiscard]] const search::Index& index() const { return *index_; }
  /// The number of a row among those that training was given, from 1.
  [[nodiscard]] std::int64_t number(std::uint32_t row) const;
  [[nodiscard]] Voter voter(const search::Candidate& candidate) const {
    return {candidate.distance, rows_.weight(candidate.row), rows_.labels[candidate.row]};
  }
  /// The rows that cast k votes.
  [[nodiscard]] search::Wanted wanted(double k) const {
    return {.rows = 1, .votes = k, .weights = rows_.weights};
  }
  /// Calls work(block, first row, points of the block) for all training rows in blocks of
  /// kBlockRows, in up to context.threads threads; `what` is for the progress bar.
  using Work = std::function<void(std::size_t, std::size_t, const DesignRows&)>;
  void for_blocks(const Context& context, std::string_view what, const Work& work) const;
  [[nodiscard]] std::size_t blocks() const { return (rows_.rows + kBlockRows - 1) / kBlockRows; }

 private:
  RowBlock rows_;
  const std::vector<std::size_t>* numbers_;
  Space space_;
  std::vector<double> coordinates_;
  DesignRows points_;
  std::unique_ptr<search::Index> index_;
};

}  // namespace logodds::models::neighbors
