// k nearest neighbours (SPEC 6): the rows are the statistic, posteriors are shares of votes.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/stats/training_rows.hpp"

namespace logodds::models::neighbors {

/// The nearest rows cast their weight, until k votes are cast; rows at the same distance as the
/// k-th share what is left in proportion to their weights. So a row of weight 2 is a row twice, and
/// neither the order of the rows nor that of the labels matters.
class NeighborsDiscriminant {
 public:
  /// `rows` must outlive the discriminant.
  NeighborsDiscriminant(const TrainingRows& rows, const Schema& schema, double k);

  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;

 private:
  /// A training row that may be among the nearest.
  struct Candidate {
    double distance;  ///< squared
    std::size_t row;
  };
  [[nodiscard]] double weight(std::size_t row) const {
    return weights_ == nullptr ? 1.0 : weights_[row];
  }
  void prune(std::vector<Candidate>& candidates) const;
  void vote(const std::vector<Candidate>& nearest, double* scores) const;

  std::vector<std::string> labels_;
  Design design_;
  std::vector<double> encoded_;  ///< the rows with indicators, when a column is coded
  DesignRows points_;
  const std::int32_t* point_labels_;
  const double* weights_;
  double k_;
};

struct NeighborsFamily {
  using Statistics = TrainingRows;
  using Discriminant = NeighborsDiscriminant;
  static constexpr bool keeps_statistics = true;

  static TrainingRows start(const Options&) { return {}; }
  static NeighborsDiscriminant estimate(const TrainingRows& rows, EstimatorInput input);
  static TrainingRows load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                      const Options& options);
};

}  // namespace logodds::models::neighbors
