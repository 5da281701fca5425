// Every query against every row, in tiles.
#pragma once

#include <optional>

#include "search/filter.hpp"
#include "search/index.hpp"

namespace logodds::search {

/// Of squares, rows that a filter in single precision lets through are looked at in double.
class BruteForce final : public Index {
 public:
  BruteForce(const DesignRows& points, Measure measure, int threads);

  void nearest(const DesignRows& queries, const Wanted& wanted, const Use& use) const override;
  [[nodiscard]] std::string name() const override { return "brute force"; }

 private:
  struct Batch;
  void search(Batch& batch) const;
  void offer_all(Batch& batch, std::size_t first, std::size_t end) const;
  void offer_filtered(Batch& batch, std::size_t first, std::size_t end) const;

  DesignRows points_;
  Measure measure_;
  std::optional<Filter> filter_;
};

}  // namespace logodds::search
