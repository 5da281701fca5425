// The points of a tile of kernels/box_tree.hpp: their distances from a query, and the nearest.
// Included once for every target (hence no #pragma once, but Highway's toggle).
#if defined(LOGODDS_KERNELS_BOX_TILE_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_BOX_TILE_INL_
#undef LOGODDS_KERNELS_BOX_TILE_INL_
#else
#define LOGODDS_KERNELS_BOX_TILE_INL_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/box_tree.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kTileVectorsOfPoints = kTilePoints / kLanes;

template <class Mask>
HWY_INLINE std::uint32_t bits_of(Mask mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(kTag, mask, bits);
  return bits[0];
}

template <Measure M>
HWY_INLINE Vector term(Vector off) {
  return M == Measure::squares ? hn::Mul(off, off) : hn::Abs(off);
}

/// Stores the distances of the points of a tile where some are near; a bit for each of these.
template <Measure M>
HWY_INLINE std::uint32_t near_points(const double* query, const double* tile, std::size_t d,
                                     double limit, double* distances) {
  Vector sums[kTileVectorsOfPoints];
  const Vector first = hn::Set(kTag, query[0]);
  for (std::size_t v = 0; v < kTileVectorsOfPoints; ++v) {
    sums[v] = term<M>(hn::Sub(first, hn::LoadU(kTag, tile + v * kLanes)));
  }
  for (std::size_t i = 1; i < d; ++i) {
    const Vector x = hn::Set(kTag, query[i]);
    for (std::size_t v = 0; v < kTileVectorsOfPoints; ++v) {
      const Vector y = hn::LoadU(kTag, tile + i * kTilePoints + v * kLanes);
      sums[v] = hn::Add(sums[v], term<M>(hn::Sub(x, y)));
    }
  }
  const Vector most = hn::Set(kTag, limit);
  std::uint32_t near = 0;
  for (std::size_t v = 0; v < kTileVectorsOfPoints; ++v) {
    hn::StoreU(sums[v], kTag, distances + v * kLanes);
    near |= bits_of(hn::Le(sums[v], most)) << (v * kLanes);
  }
  return near;
}

/// Of the points of a tile a bit for each of the `enough` nearest, and for some that are not much
/// farther. The least distances of the groups belong to as many points, so that the distance at
/// place `enough` among them is not below the one that is asked for: with 5 of 8 groups about 7
/// points are not farther than that, where a point after the other would have to be compared.
HWY_INLINE std::uint32_t nearest_points(const double* distances, std::size_t enough) {
  constexpr std::size_t kGroupVectors = Taker::kTileGroups / kLanes;
  Vector least[kGroupVectors];
  for (Vector& some : least) { some = hn::Set(kTag, kInfinity); }
  for (std::size_t v = 0; v < kTileVectorsOfPoints; ++v) {  // not of NaNs, which come first
    Vector& some = least[v % kGroupVectors];
    some = hn::Min(hn::LoadU(kTag, distances + v * kLanes), some);
  }
  double values[Taker::kTileGroups];
  Vector places[kGroupVectors];
  for (std::size_t v = 0; v < kGroupVectors; ++v) {
    hn::StoreU(least[v], kTag, values + v * kLanes);
    places[v] = hn::Zero(kTag);
  }
  for (const double value : values) {
    for (std::size_t v = 0; v < kGroupVectors; ++v) {
      const auto not_above = hn::Le(hn::Set(kTag, value), least[v]);
      places[v] = hn::Add(places[v], hn::IfThenElseZero(not_above, hn::Set(kTag, 1.0)));
    }
  }
  const Vector place = hn::Set(kTag, static_cast<double>(enough));
  Vector bound = hn::Set(kTag, kInfinity);
  for (std::size_t v = 0; v < kGroupVectors; ++v) {
    bound = hn::Min(bound, hn::IfThenElse(hn::Ge(places[v], place), least[v], bound));
  }
  bound = hn::MinOfLanes(kTag, bound);
  std::uint32_t near = 0;
  for (std::size_t v = 0; v < kTileVectorsOfPoints; ++v) {
    near |= bits_of(hn::Le(hn::LoadU(kTag, distances + v * kLanes), bound)) << (v * kLanes);
  }
  return near;
}

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // LOGODDS_KERNELS_BOX_TILE_INL_
