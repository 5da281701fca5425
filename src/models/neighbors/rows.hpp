// The statistic: the rows, and for a model that has dropped some the units of all of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/source.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/neighbors/space.hpp"

namespace logodds::models::neighbors {

class NeighborRows : public TrainingRows {
 public:
  /// Of a model that compares directions, rows of zeros are refused where their place is known.
  explicit NeighborRows(bool directions = false) : directions_(directions) { keep_places(); }

  void add(const RowBlock& block, const Shape& shape);

  /// Nothing where the rows are all that were given, and tell the units themselves.
  std::optional<Units> units;

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static NeighborRows load(const modelfile::Reader& reader, const Schema& schema,
                                         const Wish& wish);

 private:
  bool directions_;
};

}  // namespace logodds::models::neighbors
