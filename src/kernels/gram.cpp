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

using reference::gram_add;
using reference::transposed_product;

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, 8> kDoubles;
constexpr std::size_t kWide = hn::MaxLanes(kDoubles);
constexpr std::size_t kAhead = 6;  // rows that are fetched before they are needed
using Wide = hn::Vec<decltype(kDoubles)>;

/// x_j^T v for Count vectors of columns of v.
template <std::size_t Count>
HWY_INLINE void column_sums(const SparseColumns& x, std::size_t j, const double* v,
                            std::size_t width, Wide* sums) {
  const std::size_t end = x.starts[j + 1];
  for (std::size_t c = 0; c < Count; ++c) { sums[c] = hn::Zero(kDoubles); }
  for (std::size_t i = x.starts[j]; i < end; ++i) {
    const double* const row = v + x.rows[i] * width;
    const double* const next = v + x.rows[std::min(i + kAhead, end - 1)] * width;
    const Wide value = hn::Set(kDoubles, x.values[i]);
    for (std::size_t c = 0; c < Count; ++c) {
      if (c % (8 / kWide) == 0) { __builtin_prefetch(next + c * kWide); }
      sums[c] = hn::MulAdd(value, hn::LoadU(kDoubles, row + c * kWide), sums[c]);
    }
  }
}

template <std::size_t Count>
HWY_INLINE void gram_columns(const SparseColumns& x, const double* v, std::size_t width,
                             double* out) {
  for (std::size_t j = 0; j < x.columns; ++j) {
    Wide sums[Count];
    column_sums<Count>(x, j, v, width, sums);
    for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
      double* const row = out + x.rows[i] * width;
      const Wide value = hn::Set(kDoubles, x.values[i]);
      for (std::size_t c = 0; c < Count; ++c) {
        double* const to = row + c * kWide;
        hn::StoreU(hn::MulAdd(value, sums[c], hn::LoadU(kDoubles, to)), kDoubles, to);
      }
    }
  }
}

template <std::size_t Count>
HWY_INLINE void product_columns(const SparseColumns& x, const double* v, std::size_t width,
                                double* out) {
  for (std::size_t j = 0; j < x.columns; ++j) {
    Wide sums[Count];
    column_sums<Count>(x, j, v, width, sums);
    for (std::size_t c = 0; c < Count; ++c) {
      hn::StoreU(sums[c], kDoubles, out + j * width + c * kWide);
    }
  }
}

void gram_add(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  if (width % 8 != 0) { return reference::gram_add(x, v, width, out); }
  std::size_t c = 0;
  for (; c + 24 <= width; c += 24) { gram_columns<24 / kWide>(x, v + c, width, out + c); }
  for (; c + 16 <= width; c += 16) { gram_columns<16 / kWide>(x, v + c, width, out + c); }
  for (; c < width; c += 8) { gram_columns<8 / kWide>(x, v + c, width, out + c); }
}

void transposed_product(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  if (width % 8 != 0) { return reference::transposed_product(x, v, width, out); }
  std::size_t c = 0;
  for (; c + 24 <= width; c += 24) { product_columns<24 / kWide>(x, v + c, width, out + c); }
  for (; c + 16 <= width; c += 16) { product_columns<16 / kWide>(x, v + c, width, out + c); }
  for (; c < width; c += 8) { product_columns<8 / kWide>(x, v + c, width, out + c); }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(gram_add);
HWY_EXPORT(transposed_product);

void gram_add(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  HWY_DYNAMIC_DISPATCH(gram_add)(x, v, width, out);
}

void transposed_product(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  HWY_DYNAMIC_DISPATCH(transposed_product)(x, v, width, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
