// k nearest neighbors: the rows are the statistic, posteriors are shares of votes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "logodds/models/concepts.hpp"
#include "logodds/models/neighborhood.hpp"
#include "models/neighbors/comparison.hpp"

namespace logodds::models::neighbors {

class NeighborsDiscriminant : public Neighborhood {
 public:
  /// `rows` must outlive the discriminant; k must be settled.
  NeighborsDiscriminant(const NeighborRows& rows, const Schema& schema, const Wish& wish,
                        int threads);

  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;
  [[nodiscard]] const Comparison& comparison() const { return comparison_; }

  [[nodiscard]] std::size_t neighbor_rows() const override { return comparison_.rows().rows; }
  [[nodiscard]] std::size_t neighbor_count() const override;
  [[nodiscard]] const RowBlock& training_rows() const override { return comparison_.rows(); }
  [[nodiscard]] std::vector<double> coordinates(const RowBlock& block) const override;
  void nearest(const RowBlock& block, std::size_t count, std::span<std::int64_t> numbers,
               std::span<double> distances, std::span<double> log_scores) const override;
  [[nodiscard]] std::size_t rows_at_once() const override;
  void nearest_at_once(std::span<const RowBlock> blocks, std::size_t count, int threads,
                       std::span<std::int64_t> numbers, std::span<double> distances) const override;

 private:
  [[nodiscard]] DesignRows queries(const RowBlock& block, std::vector<double>& scratch) const;
  void vote(std::span<const search::Candidate> found, Ballot& ballot, std::vector<Voter>& voters,
            double* scores) const;

  std::vector<std::string> labels_;
  Wish wish_;
  Comparison comparison_;
};

struct NeighborsFamily {
  using Statistics = NeighborRows;
  using Discriminant = NeighborsDiscriminant;
  static constexpr bool keeps_statistics = true;

  static NeighborRows start(const Options& options);
  /// --condense drops rows for good.
  static bool keeps_all_rows(const Options& options) { return !options.flag("condense"); }
  /// --k auto, --condense
  static void settle(NeighborRows& rows, Options& options, const Schema& schema,
                     const Context& context, FitReport& report);
  static NeighborsDiscriminant estimate(const NeighborRows& rows, EstimatorInput input);
  static NeighborRows load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                      const Options& options);
};

}  // namespace logodds::models::neighbors
