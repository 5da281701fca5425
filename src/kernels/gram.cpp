// Columns of a sparse matrix, one after the other, against a table with a row for each of its rows.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gram.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/gram.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

double gram_add_doubles(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  return reference::gram_add(x, v, width, out);
}
double gram_add_floats(const FloatColumns& x, const float* v, std::size_t width, float* out) {
  return reference::gram_add(x, v, width, out);
}
using reference::mixed_dots;
using reference::transposed_product;

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kAhead = 12;  // rows that are fetched before they are needed

/// Vectors of T, at most 8 of them in one.
template <class T>
struct Kind {
  static constexpr hn::CappedTag<T, 8> kTag{};
  static constexpr std::size_t kWide = hn::MaxLanes(kTag);
  static constexpr std::size_t kLine = 64 / sizeof(T) / kWide;  // vectors in a cache line
  using Wide = hn::Vec<hn::CappedTag<T, 8> >;
};

template <class T, std::size_t Count>
HWY_INLINE void fetch(const T* row) {
  for (std::size_t c = 0; c < Count; c += Kind<T>::kLine) {
    __builtin_prefetch(row + c * Kind<T>::kWide);
  }
}

/// x_j^T v for Count vectors of columns of v; `last` is the last place that holds a value.
template <class T, std::size_t Count>
HWY_INLINE void column_sums(const ColumnsOf<T>& x, std::size_t j, std::size_t last, const T* v,
                            std::size_t width, typename Kind<T>::Wide* sums) {
  constexpr auto kTag = Kind<T>::kTag;
  for (std::size_t c = 0; c < Count; ++c) { sums[c] = hn::Zero(kTag); }
  for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
    const T* const row = v + x.rows[i] * width;
    fetch<T, Count>(v + x.rows[std::min(i + kAhead, last)] * width);
    const auto value = hn::Set(kTag, x.values[i]);
    for (std::size_t c = 0; c < Count; ++c) {
      sums[c] = hn::MulAdd(value, hn::LoadU(kTag, row + c * Kind<T>::kWide), sums[c]);
    }
  }
}

template <class T, std::size_t Count>
HWY_INLINE double gram_columns(const ColumnsOf<T>& x, const T* v, std::size_t width, T* out) {
  constexpr auto kTag = Kind<T>::kTag;
  const std::size_t end = x.starts[x.columns];
  auto largest = hn::Zero(kTag);
  for (std::size_t j = 0; j < x.columns; ++j) {
    typename Kind<T>::Wide sums[Count];
    column_sums<T, Count>(x, j, end - 1, v, width, sums);
    for (std::size_t c = 0; c < Count; ++c) { largest = hn::Max(largest, hn::Abs(sums[c])); }
    for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
      T* const row = out + x.rows[i] * width;
      fetch<T, Count>(out + x.rows[std::min(i + kAhead, end - 1)] * width);
      const auto value = hn::Set(kTag, x.values[i]);
      for (std::size_t c = 0; c < Count; ++c) {
        T* const to = row + c * Kind<T>::kWide;
        hn::StoreU(hn::MulAdd(value, sums[c], hn::LoadU(kTag, to)), kTag, to);
      }
    }
  }
  return static_cast<double>(hn::GetLane(hn::MaxOfLanes(kTag, largest)));
}

template <class T>
HWY_INLINE double gram_add_of(const ColumnsOf<T>& x, const T* v, std::size_t width, T* out) {
  if (width % 8 != 0) { return reference::gram_add(x, v, width, out); }
  constexpr std::size_t kWide = Kind<T>::kWide;
  double largest = 0.0;
  std::size_t c = 0;
  for (; c + 24 <= width; c += 24) {
    largest = std::max(largest, gram_columns<T, 24 / kWide>(x, v + c, width, out + c));
  }
  for (; c + 16 <= width; c += 16) {
    largest = std::max(largest, gram_columns<T, 16 / kWide>(x, v + c, width, out + c));
  }
  for (; c < width; c += 8) {
    largest = std::max(largest, gram_columns<T, 8 / kWide>(x, v + c, width, out + c));
  }
  return largest;
}

double gram_add_doubles(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  return gram_add_of(x, v, width, out);
}

double gram_add_floats(const FloatColumns& x, const float* v, std::size_t width, float* out) {
  return gram_add_of(x, v, width, out);
}

template <std::size_t Count>
HWY_INLINE void product_columns(const SparseColumns& x, const double* v, std::size_t width,
                                double* out) {
  for (std::size_t j = 0; j < x.columns; ++j) {
    Kind<double>::Wide sums[Count];
    column_sums<double, Count>(x, j, x.starts[x.columns] - 1, v, width, sums);
    for (std::size_t c = 0; c < Count; ++c) {
      hn::StoreU(sums[c], Kind<double>::kTag, out + j * width + c * Kind<double>::kWide);
    }
  }
}

void transposed_product(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  if (width % 8 != 0) { return reference::transposed_product(x, v, width, out); }
  constexpr std::size_t kWide = Kind<double>::kWide;
  std::size_t c = 0;
  for (; c + 24 <= width; c += 24) { product_columns<24 / kWide>(x, v + c, width, out + c); }
  for (; c + 16 <= width; c += 16) { product_columns<16 / kWide>(x, v + c, width, out + c); }
  for (; c < width; c += 8) { product_columns<8 / kWide>(x, v + c, width, out + c); }
}

/// The rest of n / (4 vectors) by plain code; four sums, because one would wait for itself.
HWY_INLINE double mixed_dot(const double* a, std::size_t n, const float* b) {
  constexpr auto kTag = Kind<double>::kTag;
  constexpr std::size_t kWide = Kind<double>::kWide;
  constexpr hn::Rebind<float, hn::CappedTag<double, 8> > kHalf{};
  Kind<double>::Wide sums[4];
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

HWY_EXPORT(gram_add_doubles);
HWY_EXPORT(gram_add_floats);
HWY_EXPORT(mixed_dots);
HWY_EXPORT(transposed_product);

double gram_add(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  return HWY_DYNAMIC_DISPATCH(gram_add_doubles)(x, v, width, out);
}

double gram_add(const FloatColumns& x, const float* v, std::size_t width, float* out) {
  return HWY_DYNAMIC_DISPATCH(gram_add_floats)(x, v, width, out);
}

void transposed_product(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  HWY_DYNAMIC_DISPATCH(transposed_product)(x, v, width, out);
}

void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums) {
  HWY_DYNAMIC_DISPATCH(mixed_dots)(a, n, tables, count, sums);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
