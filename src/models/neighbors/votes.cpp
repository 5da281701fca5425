#include "models/neighbors/votes.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::models::neighbors {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Votes that differ by less than this share are equal: sums of shares are rounded.
constexpr double kEqual = 1e-12;
/// What the losers of a tie lose in their logarithms: more than a posterior is rounded by.
constexpr double kPreference = 0x1p-50;

}  // namespace

Ballot::Ballot(std::size_t classes, const Space& space, bool by_distance)
    : space_(&space), by_distance_(by_distance), votes_(classes), nearest_(classes) {}

double Ballot::worth(double sum, double least) const {
  if (!by_distance_ || sum == least) { return 1.0; }
  return least == 0.0 ? 0.0 : space_->distance(least) / space_->distance(sum);
}

void Ballot::cast(std::span<const Voter> voters, double k) {
  std::ranges::fill(votes_, 0.0);
  std::ranges::fill(nearest_, kInfinity);
  double cast = 0.0;
  for (std::size_t begin = 0; begin < voters.size() && cast < k;) {
    const double sum = voters[begin].sum;
    std::size_t end = begin;
    double group = 0.0;
    for (; end < voters.size() && voters[end].sum == sum; ++end) { group += voters[end].weight; }
    const double share = std::min(1.0, (k - cast) / group);
    const double value = share * worth(sum, voters.front().sum);
    for (; begin < end; ++begin) {
      const auto label = static_cast<std::size_t>(voters[begin].label);
      votes_[label] += value * voters[begin].weight;
      nearest_[label] = std::min(nearest_[label], sum);
    }
    cast += share * group;
  }
}

std::size_t Ballot::winner() const {
  const double least = *std::ranges::max_element(votes_) * (1.0 - kEqual);
  std::size_t winner = votes_.size();
  for (std::size_t c = 0; c < votes_.size(); ++c) {
    if (votes_[c] < least || votes_[c] == 0.0) { continue; }
    if (winner == votes_.size() || nearest_[c] < nearest_[winner]) { winner = c; }
  }
  return std::min(winner, votes_.size() - 1);
}

void Ballot::log_scores(double* scores) const {
  const std::size_t first = winner();
  const double most = votes_[first];
  for (std::size_t c = 0; c < votes_.size(); ++c) {
    scores[c] = nearest_[first] == kInfinity
                    ? -kInfinity
                    : std::min(std::log(votes_[c] / most), c == first ? 0.0 : -kPreference);
  }
}

}  // namespace logodds::models::neighbors
