// Products of queries and points in tiles of registers, compared with the limits before they leave.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/neighbors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/neighbors.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::near_pairs;

#else

using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;

constexpr FloatTag kFloats{};
constexpr std::size_t kFloatLanes = hn::MaxLanes(FloatTag{});
/// Accumulators of a tile: as many as leave registers for the points and one query. Vectors of one
/// tile belong to one panel, or to two where a vector is a panel.
constexpr std::size_t kWide = 2;
constexpr std::size_t kTall = kManyRegisters ? 12 : 6;

/// Where the points of vector v of a tile begin, relative to its first panel, and their offsets.
struct TilePlace {
  std::size_t panel_size;

  [[nodiscard]] HWY_INLINE std::size_t of(std::size_t first, std::size_t v) const {
    const std::size_t point = first + v * kFloatLanes;
    return point / kPanelPoints * panel_size + point % kPanelPoints;
  }
};

HWY_INLINE std::size_t append_bits(std::uint64_t bits, std::size_t query, std::size_t point,
                                   NearPair* pairs) {
  std::size_t count = 0;
  for (; bits != 0; bits &= bits - 1) {
    const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero64(bits);
    pairs[count++] = {static_cast<std::uint16_t>(query), static_cast<std::uint16_t>(point + lane)};
  }
  return count;
}

/// Count queries from `q` on against the points first, ..., first + kWide * kFloatLanes - 1.
template <std::size_t Count>
HWY_NOINLINE std::size_t near_tile(const NearInput& input, std::size_t q, std::size_t first,
                                   NearPair* pairs) {
  const TilePlace place{input.d * kPanelPoints};
  const float* points[kWide];
  Floats sums[Count][kWide];
  for (std::size_t v = 0; v < kWide; ++v) {
    points[v] = input.panels + place.of(first, v);
    const Floats offset = hn::LoadU(kFloats, input.offsets + first + v * kFloatLanes);
    for (std::size_t t = 0; t < Count; ++t) { sums[t][v] = offset; }
  }
  const float* const queries = input.queries + q * input.stride;
  for (std::size_t i = 0; i < input.d; ++i) {
    Floats x[kWide];
    for (std::size_t v = 0; v < kWide; ++v) {
      x[v] = hn::LoadU(kFloats, points[v] + i * kPanelPoints);
    }
    for (std::size_t t = 0; t < Count; ++t) {
      const Floats query = hn::Set(kFloats, queries[t * input.stride + i]);
      for (std::size_t v = 0; v < kWide; ++v) {
        sums[t][v] = hn::NegMulAdd(query, x[v], sums[t][v]);
      }
    }
  }
  auto any = hn::Le(sums[0][0], hn::Set(kFloats, input.limits[q]));
  for (std::size_t t = 0; t < Count; ++t) {
    const Floats limit = hn::Set(kFloats, input.limits[q + t]);
    for (std::size_t v = 0; v < kWide; ++v) { any = hn::Or(any, hn::Le(sums[t][v], limit)); }
  }
  if (HWY_LIKELY(hn::AllFalse(kFloats, any))) { return 0; }
  std::size_t count = 0;
  for (std::size_t t = 0; t < Count; ++t) {
    const Floats limit = hn::Set(kFloats, input.limits[q + t]);
    for (std::size_t v = 0; v < kWide; ++v) {
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(kFloats, hn::Le(sums[t][v], limit), bytes);
      std::uint64_t bits = 0;
      hwy::CopyBytes<sizeof(bits)>(bytes, &bits);
      count += append_bits(bits, q + t, first + v * kFloatLanes, pairs + count);
    }
  }
  return count;
}

/// The last queries of a call, fewer than kTall.
HWY_INLINE std::size_t near_rest(const NearInput& input, std::size_t q, std::size_t first,
                                 NearPair* pairs) {
  std::size_t count = 0;
  for (; q + 2 <= input.n; q += 2) { count += near_tile<2>(input, q, first, pairs + count); }
  return q < input.n ? count + near_tile<1>(input, q, first, pairs + count) : count;
}

std::size_t near_pairs(const NearInput& input, NearPair* pairs) {
  std::size_t count = 0;
  const std::size_t points = input.panel_count * kPanelPoints;
  for (std::size_t first = 0; first < points; first += kWide * kFloatLanes) {
    std::size_t q = 0;
    for (; q + kTall <= input.n; q += kTall) {
      count += near_tile<kTall>(input, q, first, pairs + count);
    }
    count += near_rest(input, q, first, pairs + count);
  }
  return count;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(near_pairs);

std::size_t near_pairs(const NearInput& input, NearPair* pairs) {
  return HWY_DYNAMIC_DISPATCH(near_pairs)(input, pairs);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
