#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/common_axes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <vector>

#include "kernels/affine-inl.hpp"
#include "kernels/common_axes.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

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

void common_axes_scores(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, double* out) {
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
    for (std::size_t p = 0; p < m; ++p) {
      store_tile(kTag, scores.data() + p * k * kTileRows, count, 0, k, out + (p * n + r) * k);
    }
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(common_axes_scores);

void common_axes_scores(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, double* out) {
  HWY_DYNAMIC_DISPATCH(common_axes_scores)(rows, n, stride, models, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
