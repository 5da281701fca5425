// Sums over rows of z_i z_j c_q. For one i after the other the c are multiplied by z_i, and then,
// four j at a time, by z_j: the second product is a sum of outer products, held in registers.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pair_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/pair_products.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::pair_products_add;

#else

using Singles = hn::ScalableTag<float>;
using Single = hn::Vec<Singles>;
constexpr Singles kSingles{};
constexpr std::size_t kSingleLanes = hn::MaxLanes(Singles{});

/// Sums held in registers: kTall columns by up to kWide vectors of pairs.
constexpr std::size_t kTall = 4;
constexpr std::size_t kWide = kManyRegisters ? 5 : 3;

/// What a call works on, for one column i.
struct PairWork {
  const float* z;
  std::size_t n;
  std::size_t stride;
  const float* scaled;  ///< z_i c_q: n x width
  std::size_t width;    ///< `pairs`, rounded up to whole vectors
  std::size_t pairs;
  double* sums;  ///< of column i: j x pairs
};

/// to[0 .. min(count, kSingleLanes)) += values.
HWY_INLINE void add_singles(Single values, std::size_t count, double* to) {
  if (count < kSingleLanes) {
    HWY_ALIGN float elements[kSingleLanes];
    hn::Store(values, kSingles, elements);
    for (std::size_t q = 0; q < count; ++q) { to[q] += static_cast<double>(elements[q]); }
    return;
  }
  const hn::Half<Singles> half;
  const Vector low = hn::PromoteTo(kTag, hn::LowerHalf(half, values));
  const Vector high = hn::PromoteTo(kTag, hn::UpperHalf(half, values));
  hn::StoreU(hn::Add(hn::LoadU(kTag, to), low), kTag, to);
  hn::StoreU(hn::Add(hn::LoadU(kTag, to + kLanes), high), kTag, to + kLanes);
}

/// Columns from j on, of which the first `columns` count; Wide vectors of pairs from q on.
template <std::size_t Wide>
HWY_NOINLINE void add_pair_tile(const PairWork& work, std::size_t j, std::size_t columns,
                                std::size_t q) {
  Single sums[kTall][Wide];
  for (auto& row : sums) {
    for (Single& sum : row) { sum = hn::Zero(kSingles); }
  }
  const float* z = work.z + j;
  const float* scaled = work.scaled + q;
  for (std::size_t r = 0; r < work.n; ++r, z += work.stride, scaled += work.width) {
    Single b[Wide];
    for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kSingles, scaled + v * kSingleLanes); }
    for (std::size_t t = 0; t < kTall; ++t) {
      const Single a = hn::Set(kSingles, z[t]);
      for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::MulAdd(a, b[v], sums[t][v]); }
    }
  }
  for (std::size_t t = 0; t < std::min(kTall, columns); ++t) {
    for (std::size_t v = 0; v < Wide; ++v) {
      const std::size_t first = q + v * kSingleLanes;
      add_singles(sums[t][v], work.pairs - first, work.sums + (j + t) * work.pairs + first);
    }
  }
}

constexpr void (*kPairTiles[])(const PairWork&, std::size_t, std::size_t, std::size_t) = {
    add_pair_tile<1>, add_pair_tile<2>, add_pair_tile<3>, add_pair_tile<4>, add_pair_tile<5>};

/// All pairs of up to kTall columns from j on, in groups of nearly equal width.
HWY_INLINE void add_pair_columns(const PairWork& work, std::size_t j, std::size_t columns) {
  std::size_t vectors = work.width / kSingleLanes;
  std::size_t groups = (vectors + kWide - 1) / kWide;
  for (std::size_t q = 0; groups > 0; --groups) {
    const std::size_t wide = (vectors + groups - 1) / groups;
    kPairTiles[wide - 1](work, j, columns, q);
    q += wide * kSingleLanes;
    vectors -= wide;
  }
}

/// scaled = z_i c, n x width; what stands behind the pairs stays as it is.
HWY_INLINE void scale_factors(const float* z, std::size_t n, std::size_t stride,
                              const float* factors, std::size_t pairs, std::size_t width,
                              float* scaled) {
  const std::size_t whole = pairs / kSingleLanes * kSingleLanes;
  for (std::size_t r = 0; r < n; ++r, factors += pairs, scaled += width) {
    const float value = z[r * stride];
    const Single a = hn::Set(kSingles, value);
    for (std::size_t q = 0; q < whole; q += kSingleLanes) {
      hn::Store(hn::Mul(a, hn::LoadU(kSingles, factors + q)), kSingles, scaled + q);
    }
    for (std::size_t q = whole; q < pairs; ++q) { scaled[q] = value * factors[q]; }
  }
}

void pair_products_add(const float* z, std::size_t n, std::size_t d, std::size_t stride,
                       const float* factors, std::size_t pairs, double* sums) {
  if (n == 0) { return; }
  const std::size_t width = (pairs + kSingleLanes - 1) / kSingleLanes * kSingleLanes;
  const Scratch scratch(n * width / 2 + 1);
  auto* const scaled = reinterpret_cast<float*>(scratch.data());
  std::fill_n(scaled, n * width, 0.0F);
  for (std::size_t i = 0; i < d; ++i) {
    scale_factors(z + i, n, stride, factors, pairs, width, scaled);
    const PairWork work{z, n, stride, scaled, width, pairs, sums + i * (i + 1) / 2 * pairs};
    for (std::size_t j = 0; j <= i; j += kTall) { add_pair_columns(work, j, i + 1 - j); }
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(pair_products_add);

void pair_products_add(const float* z, std::size_t n, std::size_t d, std::size_t stride,
                       const float* factors, std::size_t pairs, double* sums) {
  HWY_DYNAMIC_DISPATCH(pair_products_add)(z, n, d, stride, factors, pairs, sums);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
