// Distances of queries from tiles of transposed points (lanes are points).
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/distances.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/neighbors.hpp"
#include "kernels/reference.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::absolute_distances;
using reference::squared_distances;

#else

struct Queries {
  const double* first;
  std::size_t stride;
  std::size_t d;
};

/// distances[q * kTileRows + p] for Count queries. Multiplication and addition stay apart, so that
/// every level rounds alike and a distance does not depend on the machine.
template <Measure M, std::size_t Count>
HWY_NOINLINE void distance_tile(const Queries& queries, const double* tile, double* distances) {
  Vector sums[Count][kTileVectors];
  for (auto& row : sums) {
    for (Vector& sum : row) { sum = hn::Zero(kTag); }
  }
  for (std::size_t i = 0; i < queries.d; ++i) {
    Vector points[kTileVectors];
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      points[v] = hn::Load(kTag, tile + i * kTileRows + v * kLanes);
    }
    for (std::size_t q = 0; q < Count; ++q) {
      const Vector query = hn::Set(kTag, queries.first[q * queries.stride + i]);
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        const Vector difference = hn::Sub(query, points[v]);
        const Vector term =
            M == Measure::squares ? hn::Mul(difference, difference) : hn::Abs(difference);
        sums[q][v] = hn::Add(sums[q][v], term);
      }
    }
  }
  for (std::size_t q = 0; q < Count; ++q) {
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      hn::Store(sums[q][v], kTag, distances + q * kTileRows + v * kLanes);
    }
  }
}

template <Measure M>
void distances_by(const double* queries, std::size_t n, std::size_t query_stride,
                  const double* points, std::size_t m, std::size_t point_stride, std::size_t d,
                  double* out) {
  constexpr std::size_t kQueries = 4;
  constexpr void (*kTiles[])(const Queries&, const double*, double*) = {
      distance_tile<M, 1>, distance_tile<M, 2>, distance_tile<M, 3>, distance_tile<M, kQueries>};
  const Scratch tile(d * kTileRows);
  HWY_ALIGN double distances[kQueries * kTileRows];
  for (std::size_t p = 0; p < m; p += kTileRows) {
    const std::size_t count = std::min(kTileRows, m - p);
    fill_tile(points + p * point_stride, count, d, point_stride, nullptr, tile.data());
    for (std::size_t q = 0; q < n; q += kQueries) {
      const std::size_t group = std::min(kQueries, n - q);
      kTiles[group - 1]({queries + q * query_stride, query_stride, d}, tile.data(), distances);
      for (std::size_t g = 0; g < group; ++g) {
        std::copy_n(distances + g * kTileRows, count, out + (q + g) * m + p);
      }
    }
  }
}

void squared_distances(const double* queries, std::size_t n, std::size_t query_stride,
                       const double* points, std::size_t m, std::size_t point_stride, std::size_t d,
                       double* out) {
  distances_by<Measure::squares>(queries, n, query_stride, points, m, point_stride, d, out);
}

void absolute_distances(const double* queries, std::size_t n, std::size_t query_stride,
                        const double* points, std::size_t m, std::size_t point_stride,
                        std::size_t d, double* out) {
  distances_by<Measure::absolutes>(queries, n, query_stride, points, m, point_stride, d, out);
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(absolute_distances);
HWY_EXPORT(squared_distances);

void squared_distances(const double* queries, std::size_t n, std::size_t query_stride,
                       const double* points, std::size_t m, std::size_t point_stride, std::size_t d,
                       double* out) {
  HWY_DYNAMIC_DISPATCH(squared_distances)
  (queries, n, query_stride, points, m, point_stride, d, out);
}

void absolute_distances(const double* queries, std::size_t n, std::size_t query_stride,
                        const double* points, std::size_t m, std::size_t point_stride,
                        std::size_t d, double* out) {
  HWY_DYNAMIC_DISPATCH(absolute_distances)
  (queries, n, query_stride, points, m, point_stride, d, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
