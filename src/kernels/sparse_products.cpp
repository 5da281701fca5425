// Lines of a sparse matrix, one after the other, against a table with a row for each of their
// places.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sparse_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/sparse_products.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

void product_of_doubles(const SparseLines& x, const double* v, std::size_t width, double* out) {
  reference::sparse_product(x, v, width, out);
}
void product_of_floats(const FloatLines& x, const float* v, std::size_t width, float* out) {
  reference::sparse_product(x, v, width, out);
}
using reference::mixed_dots;

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kAhead = 12;  // rows that are fetched before they are needed

/// Vectors of at most `Most` numbers of type T: `Elements` of them in `kCount` vectors.
template <class T, std::size_t Elements, std::size_t Most>
struct Part {
  static constexpr hn::CappedTag<T, Most> kTag{};
  static constexpr std::size_t kWide = hn::MaxLanes(kTag);
  static constexpr std::size_t kCount = Elements / kWide;
  using Wide = hn::Vec<hn::CappedTag<T, Most> >;

  static HWY_INLINE void clear(Wide* sums) {
    for (std::size_t c = 0; c < kCount; ++c) { sums[c] = hn::Zero(kTag); }
  }
  static HWY_INLINE void add(T value, const T* row, Wide* sums) {
    const auto factor = hn::Set(kTag, value);
    for (std::size_t c = 0; c < kCount; ++c) {
      sums[c] = hn::MulAdd(factor, hn::LoadU(kTag, row + c * kWide), sums[c]);
    }
  }
  static HWY_INLINE void store(const Wide* a, const Wide* b, T* out) {
    for (std::size_t c = 0; c < kCount; ++c) {
      hn::StoreU(hn::Add(a[c], b[c]), kTag, out + c * kWide);
    }
  }
};

/// Elements columns of v, a multiple of 8, and another 4 if `Half`. Two sums of every other value
/// of a line: one would wait for itself.
template <class T, std::size_t Elements, bool Half>
struct Columns {
  using Whole = Part<T, Elements, 8>;
  using Rest = Part<T, Half ? 4 : 0, 4>;
  typename Whole::Wide whole[2][Whole::kCount + 1];
  typename Rest::Wide rest[2][Rest::kCount + 1];

  HWY_INLINE void clear() {
    for (std::size_t s = 0; s < 2; ++s) {
      Whole::clear(whole[s]);
      Rest::clear(rest[s]);
    }
  }
  static HWY_INLINE void fetch(const T* row) {
    constexpr std::size_t kLine = 64 / sizeof(T);
    for (std::size_t c = 0; c < Elements + (Half ? 4 : 0); c += kLine) {
      __builtin_prefetch(row + c);
    }
  }
  HWY_INLINE void add(std::size_t s, T value, const T* row) {
    Whole::add(value, row, whole[s]);
    Rest::add(value, row + Elements, rest[s]);
  }
  HWY_INLINE void store(T* out) const {
    Whole::store(whole[0], whole[1], out);
    Rest::store(rest[0], rest[1], out + Elements);
  }
};

template <class T, std::size_t Elements, bool Half>
HWY_INLINE void some_columns(const LinesOf<T>& x, const T* v, std::size_t width, T* out) {
  using Sums = Columns<T, Elements, Half>;
  const std::size_t all = x.starts[x.lines];
  const std::size_t ahead = all < kAhead ? 0 : all - kAhead;  // up to here there are rows to fetch
  for (std::size_t j = 0; j < x.lines; ++j) {
    Sums sums;
    sums.clear();
    std::size_t i = x.starts[j];
    const std::size_t end = x.starts[j + 1];
    for (; i + 1 < end && i + 1 < ahead; i += 2) {
      Sums::fetch(v + x.places[i + kAhead] * width);
      Sums::fetch(v + x.places[i + kAhead + 1] * width);
      sums.add(0, x.values[i], v + x.places[i] * width);
      sums.add(1, x.values[i + 1], v + x.places[i + 1] * width);
    }
    for (; i < end; ++i) {
      if (i < ahead) { Sums::fetch(v + x.places[i + kAhead] * width); }
      sums.add(0, x.values[i], v + x.places[i] * width);
    }
    sums.store(out + j * width);
  }
}

template <class T>
HWY_INLINE void product_of(const LinesOf<T>& x, const T* v, std::size_t width, T* out) {
  if (width % 4 != 0) { return reference::sparse_product(x, v, width, out); }
  std::size_t left = width;
  for (; left >= 32; left -= 24, v += 24, out += 24) {
    some_columns<T, 24, false>(x, v, width, out);
  }
  switch (left / 4) {
    case 1:
      return some_columns<T, 0, true>(x, v, width, out);
    case 2:
      return some_columns<T, 8, false>(x, v, width, out);
    case 3:
      return some_columns<T, 8, true>(x, v, width, out);
    case 4:
      return some_columns<T, 16, false>(x, v, width, out);
    case 5:
      return some_columns<T, 16, true>(x, v, width, out);
    case 6:
      return some_columns<T, 24, false>(x, v, width, out);
    default:
      return some_columns<T, 24, true>(x, v, width, out);
  }
}

void product_of_doubles(const SparseLines& x, const double* v, std::size_t width, double* out) {
  product_of(x, v, width, out);
}

void product_of_floats(const FloatLines& x, const float* v, std::size_t width, float* out) {
  product_of(x, v, width, out);
}

using Doubles = Part<double, 0, 8>;

/// The rest of n / (4 vectors) by plain code; four sums, because one would wait for itself.
HWY_INLINE double mixed_dot(const double* a, std::size_t n, const float* b) {
  constexpr auto kTag = Doubles::kTag;
  constexpr std::size_t kWide = Doubles::kWide;
  constexpr hn::Rebind<float, hn::CappedTag<double, 8> > kHalf{};
  Doubles::Wide sums[4];
  for (auto& sum : sums) { sum = hn::Zero(kTag); }
  std::size_t i = 0;
  for (; i + 4 * kWide <= n; i += 4 * kWide) {
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t at = i + c * kWide;
      const auto wide = hn::PromoteTo(kTag, hn::LoadU(kHalf, b + at));
      sums[c] = hn::MulAdd(hn::LoadU(kTag, a + at), wide, sums[c]);
    }
  }
  double rest = 0.0;
  for (; i < n; ++i) { rest += a[i] * static_cast<double>(b[i]); }
  const auto all = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  return rest + hn::GetLane(hn::SumOfLanes(kTag, all));
}

void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums) {
  for (std::size_t j = 0; j < count; ++j) { sums[j] = mixed_dot(a, n, tables[j]); }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(product_of_doubles);
HWY_EXPORT(product_of_floats);
HWY_EXPORT(mixed_dots);

void sparse_product(const SparseLines& x, const double* v, std::size_t width, double* out) {
  HWY_DYNAMIC_DISPATCH(product_of_doubles)(x, v, width, out);
}

void sparse_product(const FloatLines& x, const float* v, std::size_t width, float* out) {
  HWY_DYNAMIC_DISPATCH(product_of_floats)(x, v, width, out);
}

void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums) {
  HWY_DYNAMIC_DISPATCH(mixed_dots)(a, n, tables, count, sums);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
