// What the vector kernels share: lane counts, partial vectors, tiles of transposed rows.
// Included once for every target (hence no #pragma once, but Highway's toggle).
#if defined(LOGODDS_KERNELS_VECTORS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_VECTORS_INL_
#undef LOGODDS_KERNELS_VECTORS_INL_
#else
#define LOGODDS_KERNELS_VECTORS_INL_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;

constexpr Tag kTag{};
constexpr std::size_t kLanes = hn::MaxLanes(Tag{});
/// Targets with 32 vector registers have room for larger tiles of accumulators.
constexpr bool kManyRegisters = HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON;
/// A tile holds this many rows, transposed: element i of row r at tile[i * kTileRows + r].
constexpr std::size_t kTileVectors = kManyRegisters ? 4 : 2;
constexpr std::size_t kTileRows = kTileVectors * kLanes;

/// The first `count` < kLanes values at p, then zeros; reads nothing else.
HWY_INLINE Vector load_first(const double* p, std::size_t count) {
  const auto mask = hn::FirstN(kTag, count);
  if constexpr (kLanes == 2) {
    return hn::IfThenElseZero(mask, hn::Set(kTag, count == 0 ? 0.0 : *p));
  }
  return hn::MaskedLoad(mask, kTag, p);
}

/// N/2 pairs of neighbors, at p, p + step, ...: one vector.
template <class D>
HWY_INLINE hn::Vec<D> load_pairs(D tag, const double* p, std::size_t step) {
  if constexpr (hn::MaxLanes(D{}) == 2) {
    return hn::LoadU(tag, p);
  } else {
    const hn::Half<D> half;
    return hn::Combine(tag, load_pairs(half, p + hn::MaxLanes(half) / 2 * step, step),
                       load_pairs(half, p, step));
  }
}

/// Two neighboring columns of N rows: first = p[0], p[stride], ...; second = p[1], p[stride+1], ...
template <class D>
HWY_INLINE void load_columns(D tag, const double* p, std::size_t stride, hn::Vec<D>& first,
                             hn::Vec<D>& second) {
  const auto even = load_pairs(tag, p, 2 * stride);
  const auto odd = load_pairs(tag, p + stride, 2 * stride);
  first = hn::InterleaveLower(tag, even, odd);
  second = hn::InterleaveUpper(tag, even, odd);
}

/// tile[i * kTileRows + r] = row r's element i minus center[i]; absent rows (r >= count) are 0 -
/// center.
HWY_INLINE void fill_partial_tile(const double* rows, std::size_t count, std::size_t d,
                                  std::size_t stride, const double* center, double* tile) {
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t r = 0; r < kTileRows; ++r) {
      tile[i * kTileRows + r] =
          (r < count ? rows[r * stride + i] : 0.0) - (center != nullptr ? center[i] : 0.0);
    }
  }
}

/// tile[i * kTileRows + r] = row r's element i minus center[i] (null: minus nothing). Rows from
/// `count` on, when it is less than kTileRows, are not read.
HWY_INLINE void fill_tile(const double* rows, std::size_t count, std::size_t d, std::size_t stride,
                          const double* center, double* tile) {
  if (count < kTileRows) { return fill_partial_tile(rows, count, d, stride, center, tile); }
  const auto center_at = [center](std::size_t i) { return center != nullptr ? center[i] : 0.0; };
  for (std::size_t v = 0; v < kTileRows; v += kLanes) {
    const double* p = rows + v * stride;
    std::size_t i = 0;
    for (; i + 2 <= d; i += 2) {
      Vector first;
      Vector second;
      load_columns(kTag, p + i, stride, first, second);
      hn::Store(hn::Sub(first, hn::Set(kTag, center_at(i))), kTag, tile + i * kTileRows + v);
      hn::Store(hn::Sub(second, hn::Set(kTag, center_at(i + 1))), kTag,
                tile + (i + 1) * kTileRows + v);
    }
    for (std::size_t r = 0; i < d && r < kLanes; ++r) {
      tile[i * kTileRows + v + r] = p[r * stride + i] - center_at(i);
    }
  }
}

/// The way back: out[r * k + c] = tile[c * kTileRows + r] for r < count, c from `first` to k.
/// Vectors of N columns while they fit, then of N/2, ..., then a last single column.
template <class D>
HWY_INLINE void store_tile(D tag, const double* tile, std::size_t count, std::size_t first,
                           std::size_t k, double* out) {
  constexpr std::size_t kWidth = hn::MaxLanes(D{});
  std::size_t c = first;
  for (; c + kWidth <= k; c += kWidth) {
    for (std::size_t r = 0; r < count; r += 2) {
      hn::Vec<D> row;
      hn::Vec<D> next;
      load_columns(tag, tile + c * kTileRows + r, kTileRows, row, next);
      hn::StoreU(row, tag, out + r * k + c);
      if (r + 1 < count) { hn::StoreU(next, tag, out + (r + 1) * k + c); }
    }
  }
  if constexpr (kWidth > 2) {
    store_tile(hn::Half<D>{}, tile, count, c, k, out);
  } else if (c < k) {
    for (std::size_t r = 0; r < count; ++r) { out[r * k + c] = tile[c * kTileRows + r]; }
  }
}

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
