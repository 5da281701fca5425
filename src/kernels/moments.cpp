// Sums over rows that are bound by memory: class sums and squares, the check for finite values.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/moments.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::all_finite;
using reference::class_sums;

#else

/// sums += w (x - shift), squares += w (x - shift)^2 over the d elements of one row.
HWY_INLINE void add_row(const double* x, const double* shift, double weight, std::size_t d,
                        double* sums, double* squares) {
  const Vector weights = hn::Set(kTag, weight);
  std::size_t i = 0;
  for (; i + kLanes <= d; i += kLanes) {
    const Vector deviation = hn::Sub(hn::LoadU(kTag, x + i), hn::LoadU(kTag, shift + i));
    const Vector weighted = hn::Mul(weights, deviation);
    hn::StoreU(hn::Add(hn::LoadU(kTag, sums + i), weighted), kTag, sums + i);
    hn::StoreU(hn::MulAdd(weighted, deviation, hn::LoadU(kTag, squares + i)), kTag, squares + i);
  }
  for (; i < d; ++i) {
    const double deviation = x[i] - shift[i];
    sums[i] += weight * deviation;
    squares[i] += weight * deviation * deviation;
  }
}

void class_sums(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                const std::int32_t* classes, const double* weights, const double* shifts,
                double* sums, double* squares) {
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t first = static_cast<std::size_t>(classes[r]) * d;
    add_row(rows + r * stride, shifts + first, weights != nullptr ? weights[r] : 1.0, d,
            sums + first, squares + first);
  }
}

/// 0 x is 0 for every finite x and NaN for the others, and NaN stays in a sum.
HWY_INLINE bool finite_run(const double* x, std::size_t count) {
  constexpr std::size_t kChains = 4;
  const Vector zero = hn::Zero(kTag);
  Vector sums[kChains] = {zero, zero, zero, zero};
  std::size_t i = 0;
  for (; i + kChains * kLanes <= count; i += kChains * kLanes) {
    for (std::size_t c = 0; c < kChains; ++c) {
      sums[c] = hn::MulAdd(hn::LoadU(kTag, x + i + c * kLanes), zero, sums[c]);
    }
  }
  double rest = 0.0;
  for (; i < count; ++i) { rest += 0.0 * x[i]; }
  const Vector sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  return hn::GetLane(hn::SumOfLanes(kTag, sum)) + rest == 0.0;
}

bool all_finite(const double* rows, std::size_t n, std::size_t d, std::size_t stride) {
  if (stride == d) { return finite_run(rows, n * d); }
  for (std::size_t r = 0; r < n; ++r) {
    if (!finite_run(rows + r * stride, d)) { return false; }
  }
  return true;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(class_sums);
HWY_EXPORT(all_finite);

void class_sums(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                const std::int32_t* classes, const double* weights, const double* shifts,
                double* sums, double* squares) {
  HWY_DYNAMIC_DISPATCH(class_sums)
  (rows, n, d, stride, classes, weights, shifts, sums, squares);
}

bool all_finite(const double* rows, std::size_t n, std::size_t d, std::size_t stride) {
  return HWY_DYNAMIC_DISPATCH(all_finite)(rows, n, d, stride);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
