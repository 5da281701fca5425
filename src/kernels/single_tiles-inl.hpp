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

#if HWY_MAX_BYTES >= 64  // and 32 registers

/// Eight columns of a row.
using Eight = hn::CappedTag<float, 8>;
HWY_INLINE hn::Vec<Eight> standardized_eight(const double* x, const double* scale,
                                             const double* shift) {
  const hn::CappedTag<double, 8> tag;
  return hn::DemoteTo(Eight{},
                      hn::MulAdd(hn::LoadU(tag, x), hn::LoadU(tag, scale), hn::LoadU(tag, shift)));
}

/// Rows 0 to 3 of columns c, and of columns 4 + c, for c = 0, 1, 2, 3.
struct HalfSquare {
  hn::Vec<Eight> columns[4];
};

HWY_INLINE HalfSquare turn_half(const double* rows, std::size_t stride, const double* scale,
                                const double* shift) {
  const Eight eight;
  const hn::Repartition<double, Eight> pairs;
  const auto a = standardized_eight(rows, scale, shift);
  const auto b = standardized_eight(rows + stride, scale, shift);
  const auto c = standardized_eight(rows + 2 * stride, scale, shift);
  const auto d = standardized_eight(rows + 3 * stride, scale, shift);
  const auto low = hn::BitCast(pairs, hn::InterleaveLower(eight, a, b));
  const auto low_next = hn::BitCast(pairs, hn::InterleaveLower(eight, c, d));
  const auto high = hn::BitCast(pairs, hn::InterleaveUpper(eight, a, b));
  const auto high_next = hn::BitCast(pairs, hn::InterleaveUpper(eight, c, d));
  return {{hn::BitCast(eight, hn::InterleaveLower(pairs, low, low_next)),
           hn::BitCast(eight, hn::InterleaveUpper(pairs, low, low_next)),
           hn::BitCast(eight, hn::InterleaveLower(pairs, high, high_next)),
           hn::BitCast(eight, hn::InterleaveUpper(pairs, high, high_next))}};
}

/// A square of eight rows and eight columns, turned.
HWY_INLINE void turn_large_square(const double* rows, std::size_t stride, const double* scale,
                                  const double* shift, float* to) {
  const Eight eight;
  const HalfSquare first = turn_half(rows, stride, scale, shift);
  const HalfSquare second = turn_half(rows + 4 * stride, stride, scale, shift);
  for (std::size_t c = 0; c < 4; ++c) {
    hn::Store(hn::ConcatLowerLower(eight, second.columns[c], first.columns[c]), eight,
              to + c * kSingleRows);
    hn::Store(hn::ConcatUpperUpper(eight, second.columns[c], first.columns[c]), eight,
              to + (4 + c) * kSingleRows);
  }
}

constexpr std::size_t kLargeSide = 8;

#else

constexpr std::size_t kLargeSide = 4;

HWY_INLINE void turn_large_square(const double* rows, std::size_t stride, const double* scale,
                                  const double* shift, float* to) {
  turn_square(rows, stride, scale, shift, to);
}

#endif  // HWY_MAX_BYTES

/// tile = the standardised rows, turned; rows that are not there are 0.
HWY_NOINLINE void fill_tile_of_singles(const double* rows, std::size_t count, std::size_t stride,
                                       std::size_t d, const double* scale, const double* shift,
                                       float* tile) {
  const std::size_t whole_rows = count / 4 * 4;
  const std::size_t whole_columns = d / 4 * 4;
  const auto fill_one = [&](std::size_t r, std::size_t i) {
    tile[i * kSingleRows + r] = static_cast<float>(rows[r * stride + i] * scale[i] + shift[i]);
  };
  const std::size_t large_rows = count / kLargeSide * kLargeSide;
  const std::size_t large_columns = d / kLargeSide * kLargeSide;
  const auto turn = [&](std::size_t r, std::size_t i, auto square) {
    square(rows + r * stride + i, stride, scale + i, shift + i, tile + i * kSingleRows + r);
  };
  for (std::size_t first = 0; first < large_columns; first += kColumnsTurned) {
    const std::size_t last = std::min(large_columns, first + kColumnsTurned);
    for (std::size_t r = 0; r < large_rows; r += kLargeSide) {
      for (std::size_t i = first; i < last; i += kLargeSide) { turn(r, i, turn_large_square); }
    }
  }
  for (std::size_t r = 0; r < whole_rows; r += 4) {  // what is left over beside and below
    for (std::size_t i = r < large_rows ? large_columns : 0; i < whole_columns; i += 4) {
      turn(r, i, turn_square);
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
