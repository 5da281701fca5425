#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "models/neighbors/neighbors.hpp"

namespace logodds::models::neighbors {

NeighborsDiscriminant::NeighborsDiscriminant(const TrainingRows& rows, const Schema& schema,
                                             double k)
    : labels_(schema.labels), design_(schema, OneHot::full), k_(k) {
  const RowBlock all = rows.view();
  points_ = design_.encode(all, encoded_);
  point_labels_ = all.labels;
  weights_ = all.weights;
}

/// Sorts and cuts after the distance at which the k-th vote is cast (rows at that distance stay).
void NeighborsDiscriminant::prune(std::vector<Candidate>& candidates) const {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
  });
  double votes = 0.0;
  std::size_t kept = 0;
  while (kept < candidates.size() && votes < k_) { votes += weight(candidates[kept++].row); }
  while (kept > 0 && kept < candidates.size() &&
         candidates[kept].distance == candidates[kept - 1].distance) {
    ++kept;
  }
  candidates.resize(kept);
}

void NeighborsDiscriminant::vote(const std::vector<Candidate>& nearest, double* scores) const {
  std::fill_n(scores, labels_.size(), 0.0);
  if (!std::isfinite(nearest.front().distance)) {  // so far out that every distance overflows
    std::fill_n(scores, labels_.size(), -std::numeric_limits<double>::infinity());
    return;
  }
  double votes = 0.0;
  for (std::size_t begin = 0; begin < nearest.size() && votes < k_;) {
    std::size_t end = begin;
    double group = 0.0;
    for (; end < nearest.size() && nearest[end].distance == nearest[begin].distance; ++end) {
      group += weight(nearest[end].row);
    }
    const double share = std::min(1.0, (k_ - votes) / group);
    for (; begin < end; ++begin) {
      scores[point_labels_[nearest[begin].row]] += share * weight(nearest[begin].row);
    }
    votes += share * group;
  }
  for (std::size_t k = 0; k < labels_.size(); ++k) { scores[k] = std::log(scores[k] / votes); }
}

void NeighborsDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  constexpr std::size_t kQueries = 16;   // tile of queries
  constexpr std::size_t kPoints = 1024;  // tile of training rows: distances stay in cache
  constexpr std::size_t kSlack = 256;    // candidates beyond k before they are sorted and cut
  std::vector<double> scratch;
  const DesignRows queries = design_.encode(block, scratch);
  std::vector<double> distances(kQueries * kPoints);
  std::vector<std::vector<Candidate>> candidates(kQueries);
  std::vector<double> limits(kQueries);
  const auto most = static_cast<std::size_t>(std::min(k_, 1e9)) + kSlack;
  // Candidates after which a query's are cut: twice what the last cut left, so that ties, which no
  // cut removes, do not make every further row sort them all again.
  std::vector<std::size_t> cut_at(kQueries);
  for (std::size_t q0 = 0; q0 < queries.rows; q0 += kQueries) {
    const std::size_t nq = std::min(kQueries, queries.rows - q0);
    for (std::size_t q = 0; q < nq; ++q) { candidates[q].clear(); }
    std::fill(cut_at.begin(), cut_at.end(), 2 * most);
    std::fill(limits.begin(), limits.end(), std::numeric_limits<double>::infinity());
    for (std::size_t p0 = 0; p0 < points_.rows; p0 += kPoints) {
      const std::size_t np = std::min(kPoints, points_.rows - p0);
      kernels::squared_distances(queries.data + q0 * queries.stride, nq, queries.stride,
                                 points_.data + p0 * points_.stride, np, points_.stride,
                                 points_.columns, distances.data());
      for (std::size_t q = 0; q < nq; ++q) {
        const double* row = distances.data() + q * np;
        for (std::size_t p = 0; p < np; ++p) {
          if (row[p] > limits[q]) { continue; }
          candidates[q].push_back({row[p], p0 + p});
          if (candidates[q].size() <= cut_at[q]) { continue; }
          prune(candidates[q]);
          cut_at[q] = 2 * std::max(most, candidates[q].size());
          limits[q] = candidates[q].back().distance;
        }
      }
    }
    for (std::size_t q = 0; q < nq; ++q) {
      prune(candidates[q]);
      vote(candidates[q], out.data() + (q0 + q) * labels_.size());
    }
  }
}

Description NeighborsDiscriminant::describe() const {
  Description description;
  description.facts = {{"rows", static_cast<std::int64_t>(points_.rows)},
                       {"index", std::string("brute force")},
                       {"metric", std::string("euclidean")}};
  std::vector<double> by_class(labels_.size(), 0.0);
  for (std::size_t r = 0; r < points_.rows; ++r) {
    by_class[static_cast<std::size_t>(point_labels_[r])] += weight(r);
  }
  DescriptionTable classes{"classes", {"class", "weight"}, {}};
  for (std::size_t k = 0; k < labels_.size(); ++k) {
    classes.rows.push_back({labels_[k], by_class[k]});
  }
  description.tables.push_back(std::move(classes));
  return description;
}

}  // namespace logodds::models::neighbors
