#include "search/brute_force.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"

namespace logodds::search {

namespace {

/// Queries that go over the points together: as floats they and a panel of points stay in the first
/// cache.
constexpr std::size_t kBatch = 96;
/// Points that are compared in double first, so that the filter has a limit to begin with.
constexpr std::size_t kFirst = 256;
/// Fewer points are not worth a filter.
constexpr std::size_t kWorthFilter = 4 * kFirst;
/// Where more than one pair of so many passes the filter, all are cheaper to look at in order.
constexpr std::size_t kUseless = 8;

double squared_distance(const double* x, const double* y, std::size_t d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    const double off = x[i] - y[i];
    sum += off * off;
  }
  return sum;
}

}  // namespace

/// Some queries on their way over the points, and working memory.
struct BruteForce::Batch {
  DesignRows queries;
  std::vector<Candidates> candidates;  ///< at least one a query
  bool filtered = false;
  FilterQueries floats;
  std::vector<double> distances;
  std::vector<kernels::NearPair> pairs;
};

BruteForce::BruteForce(const DesignRows& points, Measure measure, int threads)
    : points_(points), measure_(measure) {
  if (measure == Measure::squares && points.rows >= kWorthFilter) {
    filter_.emplace(points, threads);
  }
}

void BruteForce::nearest(const DesignRows& queries, const Wanted& wanted, const Use& use) const {
  Batch batch;
  batch.candidates.assign(std::min(kBatch, queries.rows), Candidates(wanted));
  for (std::size_t first = 0; first < queries.rows; first += kBatch) {
    batch.queries = queries;
    batch.queries.data += first * queries.stride;
    batch.queries.rows = std::min(kBatch, queries.rows - first);
    search(batch);
    for (std::size_t q = 0; q < batch.queries.rows; ++q) {
      use(first + q, batch.candidates[q].sorted());
    }
  }
}

void BruteForce::search(Batch& batch) const {
  for (Candidates& candidates : batch.candidates) { candidates.clear(); }
  batch.filtered = filter_ && filter_->encode(batch.queries, batch.floats);
  if (!batch.filtered) { return offer_all(batch, 0, points_.rows); }
  const std::size_t first = std::min(points_.rows, kFirst);
  offer_all(batch, 0, first);
  for (std::size_t p = 0; p < points_.rows; p += Filter::kTile) {
    offer_filtered(batch, std::max(p, first), std::min(points_.rows, p + Filter::kTile));
  }
}

void BruteForce::offer_all(Batch& batch, std::size_t first, std::size_t end) const {
  const auto compare =
      measure_ == Measure::squares ? kernels::squared_distances : kernels::absolute_distances;
  const DesignRows& queries = batch.queries;
  batch.distances.resize(queries.rows * kFirst);
  for (std::size_t p0 = first; p0 < end; p0 += kFirst) {
    const std::size_t count = std::min(kFirst, end - p0);
    compare(queries.data, queries.rows, queries.stride, points_.data + p0 * points_.stride, count,
            points_.stride, points_.columns, batch.distances.data());
    for (std::size_t q = 0; q < queries.rows; ++q) {
      const double* const distances = batch.distances.data() + q * count;
      Candidates& candidates = batch.candidates[q];
      for (std::size_t p = 0; p < count; ++p) {
        if (distances[p] > candidates.limit()) { continue; }
        candidates.offer(distances[p], static_cast<std::uint32_t>(p0 + p));
      }
    }
  }
}

void BruteForce::offer_filtered(Batch& batch, std::size_t first, std::size_t end) const {
  const DesignRows& queries = batch.queries;
  const std::size_t tile = first / Filter::kTile * Filter::kTile;
  for (std::size_t q = 0; q < queries.rows; ++q) {
    filter_->set_limit(q, batch.candidates[q].limit(), batch.floats);
  }
  batch.pairs.resize(queries.rows * Filter::kTile);
  const std::size_t count = filter_->pairs(batch.floats, tile, batch.pairs.data());
  if (count > queries.rows * (end - first) / kUseless) { return offer_all(batch, first, end); }
  for (std::size_t i = 0; i < count; ++i) {
    const kernels::NearPair& pair = batch.pairs[i];
    const std::size_t row = tile + pair.point;
    if (row < first) { continue; }
    Candidates& candidates = batch.candidates[pair.query];
    const double distance = squared_distance(queries.data + pair.query * queries.stride,
                                             points_.data + row * points_.stride, points_.columns);
    if (distance <= candidates.limit()) {
      candidates.offer(distance, static_cast<std::uint32_t>(row));
    }
  }
}

}  // namespace logodds::search
