// Sums of outer products over picked rows. Some rows at a time are made floats, beside each other
// in the cache; the products are built in tiles held in registers.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/member_singles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/ahead.hpp"
#include "kernels/member_singles.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::member_singles;

#else

using Singles = hn::ScalableTag<float>;
using Single = hn::Vec<Singles>;
constexpr Singles kSingles{};
constexpr std::size_t kSingleLanes = hn::MaxLanes(Singles{});

/// Sums held in registers: kTall columns by up to kWide vectors of columns.
constexpr std::size_t kTall = kManyRegisters ? 8 : 4;
constexpr std::size_t kWide = 3;
/// Rows whose products are added up as floats.
constexpr std::size_t kChunk = 128;

/// The rows of a call.
struct Members {
  const double* rows;
  const std::uint32_t* numbers;
  std::size_t n;
  std::size_t d;
  std::size_t stride;
  const double* scale;
  const double* shift;  ///< - center x scale
};

/// z of rows of which `width` floats, a multiple of kTall and of kSingleLanes, stand beside each
/// other; those behind the columns are 0.
struct Chunk {
  float* z;
  std::size_t n;
  std::size_t width;
};

/// A vector of z from column i on.
HWY_INLINE Single standardized(const Members& from, const double* x, std::size_t i) {
  const hn::Half<Singles> half;
  const auto load = [&](std::size_t at) {
    return hn::DemoteTo(half, hn::MulAdd(hn::LoadU(kTag, x + at), hn::LoadU(kTag, from.scale + at),
                                         hn::LoadU(kTag, from.shift + at)));
  };
  return hn::Combine(kSingles, load(i + kLanes), load(i));
}

/// The rows from `first` on.
HWY_NOINLINE void fill_chunk(const Members& from, std::size_t first, const Chunk& to) {
  constexpr std::size_t kAhead = 8;  // rows asked of the memory before they are read
  const std::size_t whole = from.d / kSingleLanes * kSingleLanes;
  float* z = to.z;
  for (std::size_t m = first; m < first + to.n; ++m, z += to.width) {
    const double* const next =
        from.rows + from.numbers[std::min(m + kAhead, from.n - 1)] * from.stride;
    for (std::size_t i = 0; i < from.d; i += kLineDoubles) { __builtin_prefetch(next + i); }
    const double* const x = from.rows + from.numbers[m] * from.stride;
    for (std::size_t i = 0; i < whole; i += kSingleLanes) {
      hn::Store(standardized(from, x, i), kSingles, z + i);
    }
    for (std::size_t i = whole; i < from.d; ++i) {
      z[i] = static_cast<float>(x[i] * from.scale[i] + from.shift[i]);
    }
    std::fill(z + from.d, z + to.width, 0.0F);
  }
}

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

/// Rows i to i + kTall of the products, Wide vectors of columns from j on.
template <std::size_t Wide>
HWY_NOINLINE void add_square(const Chunk& chunk, std::size_t i, std::size_t j, std::size_t d,
                             double* scatter) {
  Single sums[kTall][Wide];
  for (auto& row : sums) {
    for (Single& sum : row) { sum = hn::Zero(kSingles); }
  }
  const float* z = chunk.z;
  for (std::size_t r = 0; r < chunk.n; ++r, z += chunk.width) {
    Single b[Wide];
    for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kSingles, z + j + v * kSingleLanes); }
    for (std::size_t t = 0; t < kTall; ++t) {
      const Single a = hn::Set(kSingles, z[i + t]);
      for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::MulAdd(a, b[v], sums[t][v]); }
    }
  }
  for (std::size_t t = 0; t < kTall && i + t < d; ++t) {
    for (std::size_t v = 0; v < Wide && j + v * kSingleLanes <= i + t; ++v) {
      const std::size_t column = j + v * kSingleLanes;
      add_singles(sums[t][v], i + t + 1 - column, scatter + (i + t) * d + column);
    }
  }
}

constexpr void (*kSquares[])(const Chunk&, std::size_t, std::size_t, std::size_t, double*) = {
    add_square<1>, add_square<2>, add_square<3>};

/// Rows i to i + kTall of the products, up to the diagonal, in groups of nearly equal width.
HWY_INLINE void add_band(const Chunk& chunk, std::size_t i, std::size_t d, double* scatter) {
  std::size_t vectors = (std::min(i + kTall, d) + kSingleLanes - 1) / kSingleLanes;
  std::size_t groups = (vectors + kWide - 1) / kWide;
  for (std::size_t j = 0; groups > 0; --groups) {
    const std::size_t wide = (vectors + groups - 1) / groups;
    kSquares[wide - 1](chunk, i, j, d, scatter);
    j += wide * kSingleLanes;
    vectors -= wide;
  }
}

HWY_INLINE void add_chunk_sums(const Chunk& chunk, std::size_t d, double* sums) {
  for (std::size_t i = 0; i < d; i += kSingleLanes) {
    Single sum = hn::Zero(kSingles);
    for (std::size_t m = 0; m < chunk.n; ++m) {
      sum = hn::Add(sum, hn::Load(kSingles, chunk.z + m * chunk.width + i));
    }
    add_singles(sum, d - i, sums + i);
  }
}

void member_singles(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* center, const double* scale, double* sums,
                    double* scatter) {
  constexpr std::size_t kWhole = std::max(kTall, kSingleLanes);
  const std::size_t width = (d + kWhole - 1) / kWhole * kWhole;
  const Scratch shift(d);
  for (std::size_t i = 0; i < d; ++i) { shift.data()[i] = -center[i] * scale[i]; }
  const Scratch storage(kChunk * width / 2);
  const Members from{rows, members, n, d, stride, scale, shift.data()};
  for (std::size_t first = 0; first < n; first += kChunk) {
    const Chunk chunk{reinterpret_cast<float*>(storage.data()), std::min(kChunk, n - first), width};
    fill_chunk(from, first, chunk);
    add_chunk_sums(chunk, d, sums);
    for (std::size_t i = 0; i < d; i += kTall) { add_band(chunk, i, d, scatter); }
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(member_singles);

void member_singles(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* center, const double* scale, double* sums,
                    double* scatter) {
  HWY_DYNAMIC_DISPATCH(member_singles)
  (rows, members, n, d, stride, center, scale, sums, scatter);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
