// Tiles of standardised rows in single precision, turned so that lanes are rows. Included once for
// every target.
#if defined(LOGODDS_KERNELS_SINGLE_TILES_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_SINGLE_TILES_INL_
#undef LOGODDS_KERNELS_SINGLE_TILES_INL_
#else
#define LOGODDS_KERNELS_SINGLE_TILES_INL_
#endif

#include <algorithm>

#include "kernels/softmax_single.hpp"
#include "kernels/softmax_tiles-inl.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

constexpr std::size_t kSingleRows = kRows<float>;
static_assert(kMostTileRows % kSingleRows == 0);
/// Columns turned at a time: what is written stays in the first-level cache.
constexpr std::size_t kColumnsTurned = 32;

/// Four columns of a row, as floats; `tag`: doubles, four of them where vectors are that long.
using Four = hn::Full128<float>;
template <class D>
HWY_INLINE hn::Vec<Four> standardized_four(D tag, const double* x, const double* scale,
                                           const double* shift) {
  const auto load = [&](std::size_t i) {
    return hn::MulAdd(hn::LoadU(tag, x + i), hn::LoadU(tag, scale + i), hn::LoadU(tag, shift + i));
  };
  const hn::Rebind<float, D> singles;
  if constexpr (hn::MaxLanes(D{}) == 4) {
    return hn::DemoteTo(singles, load(0));
  } else {
    return hn::Combine(Four{}, hn::DemoteTo(singles, load(2)), hn::DemoteTo(singles, load(0)));
  }
}

/// A square of four rows and four columns, turned.
HWY_INLINE void turn_square(const double* rows, std::size_t stride, const double* scale,
                            const double* shift, float* to) {
  const Four four;
  const hn::CappedTag<double, 4> tag;
  const auto a = standardized_four(tag, rows, scale, shift);
  const auto b = standardized_four(tag, rows + stride, scale, shift);
  const auto c = standardized_four(tag, rows + 2 * stride, scale, shift);
  const auto d = standardized_four(tag, rows + 3 * stride, scale, shift);
  const auto low = hn::InterleaveLower(four, a, b);
  const auto low_next = hn::InterleaveLower(four, c, d);
  const auto high = hn::InterleaveUpper(four, a, b);
  const auto high_next = hn::InterleaveUpper(four, c, d);
  hn::Store(hn::ConcatLowerLower(four, low_next, low), four, to);
  hn::Store(hn::ConcatUpperUpper(four, low_next, low), four, to + kSingleRows);
  hn::Store(hn::ConcatLowerLower(four, high_next, high), four, to + 2 * kSingleRows);
  hn::Store(hn::ConcatUpperUpper(four, high_next, high), four, to + 3 * kSingleRows);
}

/// tile = the standardised rows, turned; rows that are not there are 0.
HWY_NOINLINE void fill_tile_of_singles(const double* rows, std::size_t count, std::size_t stride,
                                       std::size_t d, const double* scale, const double* shift,
                                       float* tile) {
  const std::size_t whole_rows = count / 4 * 4;
  const std::size_t whole_columns = d / 4 * 4;
  const auto fill_one = [&](std::size_t r, std::size_t i) {
    tile[i * kSingleRows + r] = static_cast<float>(rows[r * stride + i] * scale[i] + shift[i]);
  };
  for (std::size_t first = 0; first < whole_columns; first += kColumnsTurned) {
    const std::size_t last = std::min(whole_columns, first + kColumnsTurned);
    for (std::size_t r = 0; r < whole_rows; r += 4) {
      for (std::size_t i = first; i < last; i += 4) {
        turn_square(rows + r * stride + i, stride, scale + i, shift + i,
                    tile + i * kSingleRows + r);
      }
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t r = i < whole_columns ? whole_rows : 0; r < count; ++r) { fill_one(r, i); }
    std::fill(tile + i * kSingleRows + count, tile + (i + 1) * kSingleRows, 0.0F);
  }
}

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
