#include "kernels/wide_products.hpp"

#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wide_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
// Without a fused multiply-add the rest of a product takes more operations than the plain loop.
#if LOGODDS_PLAIN_TARGET || !HWY_NATIVE_FMA

using reference::wide_products_add;

#else

/// high + low += factor x, factor being a number of 106 bits, `Whole` or only its high part.
template <bool Whole>
HWY_INLINE void add_product(const Vector factor, const Vector factor_low, const Vector x,
                            double* high, double* low) {
  const Vector product = hn::Mul(factor, x);
  Vector rest = hn::MulSub(factor, x, product);
  if constexpr (Whole) { rest = hn::MulAdd(factor_low, x, rest); }
  const Vector before = hn::Load(kTag, high);
  const Vector sum = hn::Add(before, product);
  const Vector part = hn::Sub(sum, before);
  const Vector error = hn::Add(hn::Sub(before, hn::Sub(sum, part)), hn::Sub(product, part));
  hn::Store(sum, kTag, high);
  hn::Store(hn::Add(hn::Load(kTag, low), hn::Add(error, rest)), kTag, low);
}

/// The row's part in every line of the triangle, whose lines are `width` apart; a vector may go on
/// past the diagonal, where nobody looks.
template <bool Weighted>
HWY_INLINE void add_row(const double* row, std::size_t m, std::size_t width, double weight,
                        double* high, double* low) {
  const auto w = hn::Set(kTag, weight);
  for (std::size_t i = 0; i < m; ++i) {
    const auto x = hn::Set(kTag, row[i]);
    const Vector factor = Weighted ? hn::Mul(w, x) : x;
    const Vector factor_low = Weighted ? hn::MulSub(w, x, factor) : x;
    for (std::size_t j = 0; j <= i; j += kLanes) {
      add_product<Weighted>(factor, factor_low, hn::Load(kTag, row + j), high + i * width + j,
                            low + i * width + j);
    }
  }
}

void wide_products_add(const double* rows, std::size_t n, std::size_t m, std::size_t stride,
                       const double* weights, double* high, double* low) {
  const std::size_t width = (m + kLanes - 1) / kLanes * kLanes;
  const Scratch memory((2 * m + 1) * width);
  double* const sums = memory.data();
  double* const rests = sums + m * width;
  double* const padded = rests + m * width;
  std::fill_n(padded, width, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    std::fill_n(sums + i * width, width, 0.0);
    std::fill_n(rests + i * width, width, 0.0);
    std::copy_n(high + i * m, i + 1, sums + i * width);
    std::copy_n(low + i * m, i + 1, rests + i * width);
  }
  for (std::size_t r = 0; r < n; ++r) {
    std::copy_n(rows + r * stride, m, padded);
    if (weights != nullptr) {
      add_row<true>(padded, m, width, weights[r], sums, rests);
    } else {
      add_row<false>(padded, m, width, 1.0, sums, rests);
    }
  }
  for (std::size_t i = 0; i < m; ++i) {
    std::copy_n(sums + i * width, i + 1, high + i * m);
    std::copy_n(rests + i * width, i + 1, low + i * m);
  }
}

#endif
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(wide_products_add);

void wide_products_add(const double* rows, std::size_t n, std::size_t m, std::size_t stride,
                       const double* weights, double* high, double* low) {
  HWY_DYNAMIC_DISPATCH(wide_products_add)(rows, n, m, stride, weights, high, low);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
