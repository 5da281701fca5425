// Products of rows and centers in floats, lanes being centers: a number of a row is spread over the
// lanes, so that rows are read where they lie, in whatever order.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/nearest.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "kernels/nearest.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::nearest_two;
using reference::unsettled_rows;

#else

using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;
using IntTag = hn::RebindToSigned<FloatTag>;
constexpr FloatTag kFloats{};
constexpr std::size_t kFloatLanes = hn::MaxLanes(FloatTag{});
static_assert(kCenterLanes % kFloatLanes == 0);

/// Sums held in registers: kTall rows by up to kWide vectors of centers.
constexpr std::size_t kTall = kManyRegisters ? 6 : 4;
constexpr std::size_t kWide = kManyRegisters ? 4 : 3;
/// Rows whose g are kept in the first-level cache until the smallest are taken.
constexpr std::size_t kTileOfRows = 24;
static_assert(kTileOfRows % kTall == 0);

/// g of Rows rows and Wide vectors of centers from c on; row t of them at x[t].
template <std::size_t Rows, std::size_t Wide>
HWY_INLINE void product_tile(const float* const* x, const FloatCenters& centers, std::size_t c,
                             float* g) {
  Floats sums[Rows][Wide];
  for (std::size_t t = 0; t < Rows; ++t) {
    for (std::size_t v = 0; v < Wide; ++v) {
      sums[t][v] = hn::Load(kFloats, centers.half_norms + c + v * kFloatLanes);
    }
  }
  const float* column = centers.values + c;
  for (std::size_t i = 0; i < centers.d; ++i, column += centers.stride) {
    Floats b[Wide];
    for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kFloats, column + v * kFloatLanes); }
    for (std::size_t t = 0; t < Rows; ++t) {
      const Floats a = hn::Set(kFloats, x[t][i]);
      for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::NegMulAdd(a, b[v], sums[t][v]); }
    }
  }
  for (std::size_t t = 0; t < Rows; ++t) {
    for (std::size_t v = 0; v < Wide; ++v) {
      hn::Store(sums[t][v], kFloats, g + t * centers.stride + c + v * kFloatLanes);
    }
  }
}

/// All centers, in nearly equal groups of at most kWide vectors.
template <std::size_t Rows>
HWY_NOINLINE void products(const float* const* x, const FloatCenters& centers, float* g) {
  std::size_t vectors = (centers.count + kFloatLanes - 1) / kFloatLanes;
  std::size_t groups = (vectors + kWide - 1) / kWide;
  for (std::size_t c = 0; groups > 0; --groups) {
    const std::size_t wide = (vectors + groups - 1) / groups;
    if (wide == 1) { product_tile<Rows, 1>(x, centers, c, g); }
    if (wide == 2) { product_tile<Rows, 2>(x, centers, c, g); }
    if (wide == 3) { product_tile<Rows, 3>(x, centers, c, g); }
    if constexpr (kWide > 3) {
      if (wide == 4) { product_tile<Rows, 4>(x, centers, c, g); }
    }
    c += wide * kFloatLanes;
    vectors -= wide;
  }
}

/// The smallest, the next and the place of the smallest of `count` numbers.
HWY_INLINE NearestTwo smallest_two(const float* g, std::size_t count) {
  const IntTag integers;
  Floats best = hn::Load(kFloats, g);
  Floats second = hn::Set(kFloats, std::numeric_limits<float>::infinity());
  auto place = hn::Iota(integers, 0);
  auto places = place;
  for (std::size_t c = kFloatLanes; c < count; c += kFloatLanes) {
    places = hn::Add(places, hn::Set(integers, static_cast<std::int32_t>(kFloatLanes)));
    const Floats next = hn::Load(kFloats, g + c);
    const auto nearer = hn::Lt(next, best);
    second = hn::Min(second, hn::Max(best, next));
    place = hn::IfThenElse(hn::RebindMask(integers, nearer), places, place);
    best = hn::Min(best, next);
  }
  const Floats least = hn::MinOfLanes(kFloats, best);
  const auto is_least = hn::Eq(best, least);
  const auto lane = static_cast<std::size_t>(hn::FindFirstTrue(kFloats, is_least));
  HWY_ALIGN std::int32_t all_places[kFloatLanes];
  hn::Store(place, integers, all_places);
  // The next is the second of the lane that has the smallest, or the best of another lane.
  const auto in_lane = hn::RebindMask(
      kFloats, hn::Eq(hn::Iota(integers, 0), hn::Set(integers, static_cast<std::int32_t>(lane))));
  const Floats others = hn::IfThenElse(in_lane, second, best);
  return {hn::GetLane(least), hn::GetLane(hn::MinOfLanes(kFloats, others)), all_places[lane]};
}

void nearest_two(const float* rows, const std::uint32_t* members, std::size_t n,
                 const FloatCenters& centers, NearestTwo* out) {
  constexpr std::size_t kAhead = kTileOfRows;
  const Scratch memory(kTileOfRows * centers.stride / 2 + 1);
  auto* const g = reinterpret_cast<float*>(memory.data());
  const float* x[kTileOfRows];
  for (std::size_t m = 0; m < n; m += kTileOfRows) {
    const std::size_t count = std::min(kTileOfRows, n - m);
    for (std::size_t t = 0; t < count; ++t) {
      x[t] = rows + std::size_t{members[m + t]} * centers.d;
    }
    for (std::size_t t = 0; t < kTileOfRows && m + kAhead + t < n; ++t) {
      const float* const next = rows + std::size_t{members[m + kAhead + t]} * centers.d;
      for (std::size_t i = 0; i < centers.d; i += 16) { __builtin_prefetch(next + i); }
    }
    std::size_t t = 0;
    for (; t + kTall <= count; t += kTall) {
      products<kTall>(x + t, centers, g + t * centers.stride);
    }
    for (; t < count; ++t) { products<1>(x + t, centers, g + t * centers.stride); }
    for (t = 0; t < count; ++t) {
      out[m + t] = smallest_two(g + t * centers.stride, centers.count);
    }
  }
}

std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out) {
  const IntTag integers;
  const hn::RebindToUnsigned<FloatTag> unsigneds;
  std::size_t count = 0;
  std::size_t r = 0;
  for (; r + kFloatLanes <= n; r += kFloatLanes) {
    const Floats sum = hn::GatherIndex(kFloats, sums, hn::LoadU(integers, labels + r));
    const auto open = hn::Not(hn::Lt(sum, hn::LoadU(kFloats, limits + r)));
    const auto numbers = hn::Iota(unsigneds, static_cast<std::uint32_t>(r));
    count += hn::CompressStore(numbers, hn::RebindMask(unsigneds, open), unsigneds, out + count);
  }
  for (; r < n; ++r) {
    out[count] = static_cast<std::uint32_t>(r);
    count += sums[labels[r]] < limits[r] ? 0U : 1U;
  }
  return count;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(nearest_two);
HWY_EXPORT(unsettled_rows);

void nearest_two(const float* rows, const std::uint32_t* members, std::size_t n,
                 const FloatCenters& centers, NearestTwo* out) {
  HWY_DYNAMIC_DISPATCH(nearest_two)(rows, members, n, centers, out);
}

std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(unsettled_rows)(labels, limits, n, sums, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
