// Products of rows and centers in floats, lanes being rows: some rows are transposed into a tile,
// and every number of a center is spread over the lanes. Only the two smallest results of a row are
// kept.
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

using reference::nearest_centers;
using reference::unsettled_rows;

#else

using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Ints = hn::Vec<IntTag>;
constexpr FloatTag kFloats{};
constexpr IntTag kInts{};
constexpr std::size_t kFloatLanes = hn::MaxLanes(FloatTag{});

/// A tile of rows, kWide vectors; sums of up to kTall centers are held in registers.
constexpr std::size_t kWide = kManyRegisters ? 4 : 2;
constexpr std::size_t kTall = 6;
constexpr std::size_t kTileFloats = kWide * kFloatLanes;

/// Columns i to i + 4 of four rows: tile[(i + c) * kTileFloats + r].
HWY_INLINE void transpose_four(const float* const* x, std::size_t i, float* tile) {
  const hn::FixedTag<float, 4> four;
  const hn::Repartition<double, decltype(four)> pairs;
  const auto a = hn::LoadU(four, x[0] + i);
  const auto b = hn::LoadU(four, x[1] + i);
  const auto c = hn::LoadU(four, x[2] + i);
  const auto d = hn::LoadU(four, x[3] + i);
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(four, a, b));
  const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(four, a, b));
  const auto cd_low = hn::BitCast(pairs, hn::InterleaveLower(four, c, d));
  const auto cd_high = hn::BitCast(pairs, hn::InterleaveUpper(four, c, d));
  float* const to = tile + i * kTileFloats;
  hn::Store(hn::BitCast(four, hn::InterleaveLower(pairs, ab_low, cd_low)), four, to);
  hn::Store(hn::BitCast(four, hn::InterleaveUpper(pairs, ab_low, cd_low)), four, to + kTileFloats);
  hn::Store(hn::BitCast(four, hn::InterleaveLower(pairs, ab_high, cd_high)), four,
            to + 2 * kTileFloats);
  hn::Store(hn::BitCast(four, hn::InterleaveUpper(pairs, ab_high, cd_high)), four,
            to + 3 * kTileFloats);
}

/// tile[i * kTileFloats + r] = x[r][i]
HWY_INLINE void fill_float_tile(const float* const* x, std::size_t d, float* tile) {
  for (std::size_t r = 0; r < kTileFloats; r += 4) {
    std::size_t i = 0;
    for (; i + 4 <= d; i += 4) { transpose_four(x + r, i, tile + r); }
    for (; i < d; ++i) {
      for (std::size_t t = 0; t < 4; ++t) { tile[i * kTileFloats + r + t] = x[r + t][i]; }
    }
  }
}

/// The two smallest g of the rows of a tile.
struct Smallest {
  Floats best[kWide];
  Floats second[kWide];
  Ints place[kWide];
};

/// What Tall centers from c on say.
template <std::size_t Tall>
HWY_INLINE void compare_centers(const float* tile, const FloatCenters& centers, std::size_t c,
                                Smallest& found) {
  Floats sums[Tall][kWide];
  for (std::size_t t = 0; t < Tall; ++t) {
    for (std::size_t v = 0; v < kWide; ++v) {
      sums[t][v] = hn::Set(kFloats, centers.half_norms[c + t]);
    }
  }
  const float* numbers = centers.values + c;
  for (std::size_t i = 0; i < centers.d; ++i, numbers += centers.count, tile += kTileFloats) {
    Floats x[kWide];
    for (std::size_t v = 0; v < kWide; ++v) { x[v] = hn::Load(kFloats, tile + v * kFloatLanes); }
    for (std::size_t t = 0; t < Tall; ++t) {
      const Floats number = hn::Set(kFloats, numbers[t]);
      for (std::size_t v = 0; v < kWide; ++v) {
        sums[t][v] = hn::NegMulAdd(number, x[v], sums[t][v]);
      }
    }
  }
  for (std::size_t t = 0; t < Tall; ++t) {
    const Ints center = hn::Set(kInts, static_cast<std::int32_t>(c + t));
    for (std::size_t v = 0; v < kWide; ++v) {
      const Floats g = sums[t][v];
      const auto nearer = hn::RebindMask(kInts, hn::Lt(g, found.best[v]));
      found.second[v] = hn::Min(found.second[v], hn::Max(found.best[v], g));
      found.place[v] = hn::IfThenElse(nearer, center, found.place[v]);
      found.best[v] = hn::Min(found.best[v], g);
    }
  }
}

/// All centers, in nearly equal groups of at most kTall.
HWY_NOINLINE void compare_all(const float* tile, const FloatCenters& centers, Smallest& found) {
  constexpr void (*kGroups[])(const float*, const FloatCenters&, std::size_t, Smallest&) = {
      compare_centers<1>, compare_centers<2>, compare_centers<3>,
      compare_centers<4>, compare_centers<5>, compare_centers<kTall>};
  std::size_t left = centers.count;
  for (std::size_t groups = (left + kTall - 1) / kTall; groups > 0; --groups) {
    const std::size_t tall = (left + groups - 1) / groups;
    kGroups[tall - 1](tile, centers, centers.count - left, found);
    left -= tall;
  }
}

/// As in the reference.
HWY_INLINE Floats gap_of(Floats best, Floats second, Floats length, const FloatMargin& margin) {
  const Floats one = hn::Set(kFloats, 1.0F);
  const Floats two = hn::Set(kFloats, 2.0F);
  const Floats up = hn::Set(kFloats, 1.0F + kGapSlack);
  const Floats error = hn::Mul(
      hn::MulAdd(hn::Set(kFloats, margin.per_length), length, hn::Set(kFloats, margin.constant)),
      up);
  const Floats square = hn::MulAdd(two, error, hn::Mul(hn::Mul(length, length), up));
  const auto distance = [&](Floats g) {
    return hn::Sqrt(hn::Max(hn::Zero(kFloats), hn::MulAdd(two, g, square)));
  };
  const Floats apart = hn::Mul(two, hn::NegMulAdd(two, error, hn::Sub(second, best)));
  const Floats gap = hn::Mul(hn::Div(apart, hn::Add(distance(best), distance(second))),
                             hn::Sub(one, hn::Set(kFloats, kGapSlack)));
  const Floats infinity = hn::Set(kFloats, std::numeric_limits<float>::infinity());
  return hn::IfThenElse(hn::Eq(second, infinity),
                        hn::Set(kFloats, std::numeric_limits<float>::max()), gap);
}

/// Asks for the rows of the next tile.
HWY_INLINE void ask_for(const float* rows, std::size_t d, const std::uint32_t* members,
                        std::size_t n) {
  constexpr std::size_t kLine = 16;
  for (std::size_t m = 0; m < std::min(n, kTileFloats); ++m) {
    const float* const row = rows + std::size_t{members[m]} * d;
    for (std::size_t i = 0; i < d; i += kLine) { __builtin_prefetch(row + i); }
  }
}

void nearest_centers(const float* rows, const float* lengths, const std::uint32_t* members,
                     std::size_t n, const FloatCenters& centers, const FloatMargin& margin,
                     std::int32_t* nearest, float* gaps) {
  const Scratch memory(centers.d * kTileFloats / 2);
  auto* const tile = reinterpret_cast<float*>(memory.data());
  const float* x[kTileFloats];
  HWY_ALIGN float length[kTileFloats];
  HWY_ALIGN float gap[kTileFloats];
  HWY_ALIGN std::int32_t place[kTileFloats];
  for (std::size_t m = 0; m < n; m += kTileFloats) {
    const std::size_t count = std::min(kTileFloats, n - m);
    for (std::size_t r = 0; r < kTileFloats; ++r) {
      const std::size_t member = members[m + std::min(r, count - 1)];
      x[r] = rows + member * centers.d;
      length[r] = lengths[member];
    }
    ask_for(rows, centers.d, members + m + count, n - m - count);
    fill_float_tile(x, centers.d, tile);
    Smallest found;
    for (std::size_t v = 0; v < kWide; ++v) {
      found.best[v] = found.second[v] = hn::Set(kFloats, std::numeric_limits<float>::infinity());
      found.place[v] = hn::Zero(kInts);
    }
    compare_all(tile, centers, found);
    for (std::size_t v = 0; v < kWide; ++v) {
      const std::size_t at = v * kFloatLanes;
      hn::Store(gap_of(found.best[v], found.second[v], hn::Load(kFloats, length + at), margin),
                kFloats, gap + at);
      hn::Store(found.place[v], kInts, place + at);
    }
    std::copy_n(gap, count, gaps + m);
    std::copy_n(place, count, nearest + m);
  }
}

std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out) {
  const hn::RebindToUnsigned<FloatTag> unsigneds;
  std::size_t count = 0;
  std::size_t r = 0;
  for (; r + kFloatLanes <= n; r += kFloatLanes) {
    const Floats sum = hn::GatherIndex(kFloats, sums, hn::LoadU(kInts, labels + r));
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

HWY_EXPORT(nearest_centers);
HWY_EXPORT(unsettled_rows);

void nearest_centers(const float* rows, const float* lengths, const std::uint32_t* members,
                     std::size_t n, const FloatCenters& centers, const FloatMargin& margin,
                     std::int32_t* nearest, float* gaps) {
  HWY_DYNAMIC_DISPATCH(nearest_centers)
  (rows, lengths, members, n, centers, margin, nearest, gaps);
}

std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(unsettled_rows)(labels, limits, n, sums, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
