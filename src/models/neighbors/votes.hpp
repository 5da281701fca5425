// From the nearest rows to scores and a winner.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/neighbors/space.hpp"

namespace logodds::models::neighbors {

struct Voter {
  double sum;     ///< over coordinates, see Space
  double weight;  ///< votes that the row has
  std::int32_t label;
};

/// The nearest rows cast their votes until k are cast; rows at the same distance as the last share
/// what is left in proportion to their weights. So a row of weight 2 is a row twice, and the order
/// of the rows does not matter.
///
/// Of classes with equally many votes the one whose nearest voter is the nearest wins, and of those
/// the one that comes first. A posterior is the share of the votes, but for a winner by that rule:
/// it gets a few units in the last place more, so that it is the largest posterior, too.
class Ballot {
 public:
  /// `space` must outlive it.
  Ballot(std::size_t classes, const Space& space, bool by_distance);

  /// `voters` by distance, enough to cast k votes, or all there are.
  void cast(std::span<const Voter> voters, double k);
  /// Of the votes that were cast last.
  [[nodiscard]] std::size_t winner() const;
  /// ln (votes / votes of the winner). All are -infinity where the nearest row is infinitely far.
  void log_scores(double* scores) const;

 private:
  /// What a vote at this distance is worth, against one at the distance of the nearest row.
  [[nodiscard]] double worth(double sum, double least) const;

  const Space* space_;
  bool by_distance_;
  std::vector<double> votes_;
  std::vector<double> nearest_;  ///< of each class, the least sum of a voter
};

}  // namespace logodds::models::neighbors
