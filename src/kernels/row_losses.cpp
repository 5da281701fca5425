#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_losses.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/losses-inl.hpp"
#include "kernels/row_losses.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::row_losses;

#else

bool row_losses(const double* scores, std::size_t n, std::size_t k, const std::int32_t* truths,
                const RowLosses& out) {
  const Scratch tile(k * kTileRows);
  bool sound = true;
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(scores + r * k, count, k, k, nullptr, tile.data());
    sound = tile_losses(tile.data(), count, k, truths + r, out.from(r)) && sound;
  }
  return sound;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(row_losses);

bool row_losses(const double* scores, std::size_t n, std::size_t k, const std::int32_t* truths,
                const RowLosses& out) {
  return HWY_DYNAMIC_DISPATCH(row_losses)(scores, n, k, truths, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
