#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/labelled_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/labelled_sums.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::labelled_sums;
using reference::moved_sums;

#else

HWY_INLINE void add_to_sum(Vector value, double* sum) {
  hn::StoreU(hn::Add(hn::LoadU(kTag, sum), value), kTag, sum);
}

/// to += factor (x - shift)
HWY_INLINE void add_row(const double* x, const double* shift, std::size_t d, double factor,
                        double* to) {
  const Vector factors = hn::Set(kTag, factor);
  std::size_t i = 0;
  for (; i + kLanes <= d; i += kLanes) {
    const Vector value = hn::Sub(hn::LoadU(kTag, x + i), hn::LoadU(kTag, shift + i));
    add_to_sum(hn::Mul(factors, value), to + i);
  }
  for (; i < d; ++i) { to[i] += factor * (x[i] - shift[i]); }
}

void labelled_sums(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* weights, const double* shift, const std::int32_t* labels,
                   double* sums) {
  for (std::size_t r = 0; r < n; ++r) {
    add_row(rows + r * stride, shift, d, weights == nullptr ? 1.0 : weights[r],
            sums + static_cast<std::size_t>(labels[r]) * d);
  }
}

void moved_sums(const double* rows, std::size_t d, std::size_t stride, const double* shift,
                const RowMove* moves, std::size_t n, double* sums) {
  constexpr std::size_t kAhead = 6;  // moves whose rows are on their way from memory
  constexpr std::size_t kLine = 8;
  for (std::size_t m = 0; m < n; ++m) {
    const double* const next = rows + moves[std::min(m + kAhead, n - 1)].row * stride;
    for (std::size_t i = 0; i < d; i += kLine) { __builtin_prefetch(next + i); }
    const double* const x = rows + moves[m].row * stride;
    double* const to = sums + static_cast<std::size_t>(moves[m].to) * d;
    double* const from = sums + static_cast<std::size_t>(moves[m].from) * d;
    std::size_t i = 0;
    for (; i + kLanes <= d; i += kLanes) {
      const Vector value = hn::Sub(hn::LoadU(kTag, x + i), hn::LoadU(kTag, shift + i));
      add_to_sum(value, to + i);
      add_to_sum(hn::Neg(value), from + i);
    }
    for (; i < d; ++i) {
      const double value = x[i] - shift[i];
      to[i] += value;
      from[i] -= value;
    }
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(labelled_sums);
HWY_EXPORT(moved_sums);

void labelled_sums(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* weights, const double* shift, const std::int32_t* labels,
                   double* sums) {
  HWY_DYNAMIC_DISPATCH(labelled_sums)(rows, n, d, stride, weights, shift, labels, sums);
}

void moved_sums(const double* rows, std::size_t d, std::size_t stride, const double* shift,
                const RowMove* moves, std::size_t n, double* sums) {
  HWY_DYNAMIC_DISPATCH(moved_sums)(rows, d, stride, shift, moves, n, sums);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
