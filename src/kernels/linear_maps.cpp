#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/linear_maps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/affine-inl.hpp"
#include "kernels/linear_maps.hpp"
#include "kernels/losses-inl.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::linear_maps_losses;
using reference::linear_maps_scores;

#else

/// Calls take(p, r, count, tile) with the scores of `count` rows from row r on under every map p,
/// transposed.
template <class Take>
HWY_INLINE void map_tiles(const double* rows, std::size_t n, std::size_t stride,
                          const LinearMaps& maps, const Take& take) {
  const auto [d, k, m, center, coefficients, bias] = maps;
  const Scratch tile(d * kTileRows);
  const Scratch scores(k * kTileRows);
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(rows + r * stride, count, d, stride, center, tile.data());
    for (std::size_t p = 0; p < m; ++p) {
      affine_all(
          {tile.data(), d, coefficients + p * d * k, bias + p * k, k, scores.data(), kTileRows});
      take(p, r, count, scores.data());
    }
  }
}

void linear_maps_scores(const double* rows, std::size_t n, std::size_t stride,
                        const LinearMaps& maps, double* out) {
  const std::size_t k = maps.k;
  map_tiles(rows, n, stride, maps,
            [=](std::size_t p, std::size_t r, std::size_t count, const double* tile) {
              store_tile(kTag, tile, count, 0, k, out + (p * n + r) * k);
            });
}

bool linear_maps_losses(const double* rows, std::size_t n, std::size_t stride,
                        const LinearMaps& maps, const std::int32_t* truths, const RowLosses& out) {
  bool sound = true;
  map_tiles(rows, n, stride, maps,
            [&](std::size_t p, std::size_t r, std::size_t count, double* tile) {
              sound = tile_losses(tile, count, maps.k, truths + r, out.from(p * n + r)) && sound;
            });
  return sound;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(linear_maps_losses);
HWY_EXPORT(linear_maps_scores);

void linear_maps_scores(const double* rows, std::size_t n, std::size_t stride,
                        const LinearMaps& maps, double* out) {
  HWY_DYNAMIC_DISPATCH(linear_maps_scores)(rows, n, stride, maps, out);
}

bool linear_maps_losses(const double* rows, std::size_t n, std::size_t stride,
                        const LinearMaps& maps, const std::int32_t* truths, const RowLosses& out) {
  return HWY_DYNAMIC_DISPATCH(linear_maps_losses)(rows, n, stride, maps, truths, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
