#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/common_axes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <vector>

#include "kernels/affine-inl.hpp"
#include "kernels/common_axes.hpp"
#include "kernels/losses-inl.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::common_axes_losses;
using reference::common_axes_scores;

#else

/// to = tile - center, both transposed.
HWY_INLINE void center_tile(const double* tile, std::size_t d, const double* center, double* to) {
  for (std::size_t i = 0; i < d; ++i) {
    const Vector at = hn::Set(kTag, center[i]);
    for (std::size_t v = i * kTileRows; v < (i + 1) * kTileRows; v += kLanes) {
      hn::Store(hn::Sub(hn::Load(kTag, tile + v), at), kTag, to + v);
    }
  }
}

HWY_INLINE void square_tile(double* tile, std::size_t d) {
  for (std::size_t v = 0; v < d * kTileRows; v += kLanes) {
    const Vector value = hn::Load(kTag, tile + v);
    hn::Store(hn::Mul(value, value), kTag, tile + v);
  }
}

/// Calls take(p, r, count, tile) with the scores of `count` rows from row r on under every model p,
/// transposed.
template <class Take>
HWY_INLINE void score_tiles(const double* rows, std::size_t n, std::size_t stride,
                            const CommonAxes& models, const Take& take) {
  const auto [d, k, m, means, axes, halves, bias] = models;
  const std::vector<double> zeros(d, 0.0);
  const Scratch tile(d * kTileRows);
  const Scratch centered(d * kTileRows);
  const Scratch turned(d * kTileRows);
  const Scratch scores(m * k * kTileRows);
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(rows + r * stride, count, d, stride, nullptr, tile.data());
    for (std::size_t c = 0; c < k; ++c) {
      center_tile(tile.data(), d, means + c * d, centered.data());
      affine_all({centered.data(), d, axes + c * d * d, zeros.data(), d, turned.data(), kTileRows});
      square_tile(turned.data(), d);
      affine_all({turned.data(), d, halves + c * d * m, bias + c * m, m,
                  scores.data() + c * kTileRows, k * kTileRows});
    }
    for (std::size_t p = 0; p < m; ++p) { take(p, r, count, scores.data() + p * k * kTileRows); }
  }
}

void common_axes_scores(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, double* out) {
  const std::size_t k = models.k;
  score_tiles(rows, n, stride, models,
              [=](std::size_t p, std::size_t r, std::size_t count, const double* tile) {
                store_tile(kTag, tile, count, 0, k, out + (p * n + r) * k);
              });
}

bool common_axes_losses(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, const std::int32_t* truths,
                        const RowLosses& out) {
  bool sound = true;
  score_tiles(
      rows, n, stride, models, [&](std::size_t p, std::size_t r, std::size_t count, double* tile) {
        sound = tile_losses(tile, count, models.k, truths + r, out.from(p * n + r)) && sound;
      });
  return sound;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(common_axes_losses);
HWY_EXPORT(common_axes_scores);

void common_axes_scores(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, double* out) {
  HWY_DYNAMIC_DISPATCH(common_axes_scores)(rows, n, stride, models, out);
}

bool common_axes_losses(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, const std::int32_t* truths,
                        const RowLosses& out) {
  return HWY_DYNAMIC_DISPATCH(common_axes_losses)(rows, n, stride, models, truths, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
