// Posteriors from scores: log-sum-exp with the row maximum, a few kilobytes of rows at a time.
// The exponentials run over the packed rows as one array, so no lane is wasted on short rows.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>
#include <limits>

#include "kernels/exponential-inl.hpp"
#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::softmax_rows;

#else

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// The k % kLanes last scores of a row, the other lanes -infinity (or 0).
HWY_INLINE Vector row_end(const double* row, std::size_t count, double other) {
  return hn::IfThenElse(hn::FirstN(kTag, count), load_first(row, count), hn::Set(kTag, other));
}

HWY_INLINE double row_maximum(const double* row, std::size_t k) {
  Vector top = row_end(row + k / kLanes * kLanes, k % kLanes, kNothing);
  for (std::size_t c = 0; c + kLanes <= k; c += kLanes) {
    top = hn::Max(top, hn::LoadU(kTag, row + c));
  }
  return hn::GetLane(hn::MaxOfLanes(kTag, top));
}

HWY_INLINE double row_sum(const double* row, std::size_t k) {
  Vector sum = load_first(row + k / kLanes * kLanes, k % kLanes);
  for (std::size_t c = 0; c + kLanes <= k; c += kLanes) {
    sum = hn::Add(sum, hn::LoadU(kTag, row + c));
  }
  return hn::GetLane(hn::SumOfLanes(kTag, sum));
}

/// shifted = row - top, in whole vectors: up to kLanes - 1 values beyond k are written too (the
/// next row, packed behind, comes later). A row of -infinity only becomes zeros: all classes alike.
HWY_INLINE void shift_row(const double* row, std::size_t k, double top, double* shifted) {
  if (top == kNothing) {
    std::fill_n(shifted, k, 0.0);
    return;
  }
  const Vector shift = hn::Set(kTag, top);
  std::size_t c = 0;
  for (; c + kLanes <= k; c += kLanes) {
    hn::StoreU(hn::Sub(hn::LoadU(kTag, row + c), shift), kTag, shifted + c);
  }
  if (c < k) { hn::StoreU(hn::Sub(load_first(row + c, k - c), shift), kTag, shifted + c); }
}

HWY_INLINE void exponentiate(double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    hn::Store(exponential(hn::Load(kTag, values + i)), kTag, values + i);
  }
}

HWY_INLINE void scale_row(const double* row, std::size_t k, double factor, double* scaled) {
  const Vector factors = hn::Set(kTag, factor);
  std::size_t c = 0;
  for (; c + kLanes <= k; c += kLanes) {
    hn::StoreU(hn::Mul(hn::LoadU(kTag, row + c), factors), kTag, scaled + c);
  }
  for (; c < k; ++c) { scaled[c] = row[c] * factor; }
}

/// tops + ln(sums) over `count` <= capacity of both arrays, which is a multiple of kLanes.
HWY_INLINE void add_logs(const double* tops, const double* sums, std::size_t count, double* logs) {
  for (std::size_t r = 0; r < count; r += kLanes) {
    const Vector sum = hn::Load(kTag, sums + r);
    const Vector log = hn::Add(hn::Log(kTag, sum), hn::Sub(sum, sum));  // Log forgets NaN
    HWY_ALIGN double values[kLanes];
    hn::Store(hn::Add(hn::Load(kTag, tops + r), log), kTag, values);
    std::copy_n(values, std::min(kLanes, count - r), logs + r);
  }
}

void softmax_rows(double* scores, std::size_t n, std::size_t k, double* log_sums) {
  constexpr std::size_t kRows = 64;
  const Scratch packed(kRows * k + kLanes);
  HWY_ALIGN double tops[kRows] = {};
  HWY_ALIGN double sums[kRows] = {};
  for (std::size_t r = 0; r < n; r += kRows) {
    const std::size_t count = std::min(kRows, n - r);
    double* first = scores + r * k;
    for (std::size_t s = 0; s < count; ++s) {
      tops[s] = row_maximum(first + s * k, k);
      shift_row(first + s * k, k, tops[s], packed.data() + s * k);
    }
    exponentiate(packed.data(), count * k);
    for (std::size_t s = 0; s < count; ++s) {
      sums[s] = row_sum(packed.data() + s * k, k);
      scale_row(packed.data() + s * k, k, 1.0 / sums[s], first + s * k);
    }
    if (log_sums != nullptr) { add_logs(tops, sums, count, log_sums + r); }
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(softmax_rows);

void softmax_rows(double* scores, std::size_t n, std::size_t k, double* log_sums) {
  HWY_DYNAMIC_DISPATCH(softmax_rows)(scores, n, k, log_sums);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
