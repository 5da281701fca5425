// Three and more classes: scores, posteriors and the gradient in one pass over the rows. A tile of
// rows is turned in the cache, so that lanes are rows.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax_turned.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/softmax_tiles-inl.hpp"
#include "kernels/softmax_turned.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

double softmax_add_turned(const double* rows, std::size_t n, std::size_t stride,
                          const SoftmaxMap& map, const std::int32_t* labels, const double* weights,
                          double* gradient) {
  return reference::softmax_add(rows, n, stride, map, labels, weights, gradient);
}

#else

/// tile = rows - center, turned; rows that are not there are 0.
HWY_NOINLINE void turn_rows(const double* rows, std::size_t count, std::size_t stride,
                            std::size_t d, const double* center, double* tile) {
  constexpr std::size_t kApart = kRows<double>;
  const std::size_t whole_rows = count / kLanes * kLanes;
  for (std::size_t r = 0; r < whole_rows; r += kLanes) {
    const double* const from = rows + r * stride;
    for (std::size_t i = 0; i + 2 <= d; i += 2) {
      Vector first;
      Vector second;
      load_columns(kTag, from + i, stride, first, second);
      hn::Store(hn::Sub(first, hn::Set(kTag, center[i])), kTag, tile + i * kApart + r);
      hn::Store(hn::Sub(second, hn::Set(kTag, center[i + 1])), kTag, tile + (i + 1) * kApart + r);
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    const bool turned = i + 1 < d || d % 2 == 0;
    for (std::size_t r = turned ? whole_rows : 0; r < count; ++r) {
      tile[i * kApart + r] = rows[r * stride + i] - center[i];
    }
    std::fill(tile + i * kApart + count, tile + (i + 1) * kApart, 0.0);
  }
}

double softmax_add_turned(const double* rows, std::size_t n, std::size_t stride,
                          const SoftmaxMap& map, const std::int32_t* labels, const double* weights,
                          double* gradient) {
  const TileTables<double> tables(map.d, map.k, map.coefficients, map.bias);
  const TileWork<double>& work = tables.work();
  clear_sums(work);
  double loss = 0.0;
  for (std::size_t begin = 0; begin < n; begin += kRows<double>) {
    const std::size_t count = std::min(kRows<double>, n - begin);
    const double* const from = rows + begin * stride;
    set_labels(work, labels + begin, weights != nullptr ? weights + begin : nullptr, count);
    turn_rows(from, count, stride, map.d, map.center, work.tile);
    const bool more = stride == map.d && begin + 2 * kRows<double> <= n;
    loss +=
        add_tile(work, more ? NextTile{from + kRows<double> * stride, kRows<double>} : NextTile{});
  }
  add_sums(work, gradient);
  return loss;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(softmax_add_turned);

double softmax_add_turned(const double* rows, std::size_t n, std::size_t stride,
                          const SoftmaxMap& map, const std::int32_t* labels, const double* weights,
                          double* gradient) {
  return HWY_DYNAMIC_DISPATCH(softmax_add_turned)(rows, n, stride, map, labels, weights, gradient);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
