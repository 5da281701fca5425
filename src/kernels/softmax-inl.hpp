// Posteriors of a tile of transposed rows of scores (lanes are rows). Included once for every
// target.
#if defined(LOGODDS_KERNELS_SOFTMAX_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_SOFTMAX_INL_
#undef LOGODDS_KERNELS_SOFTMAX_INL_
#else
#define LOGODDS_KERNELS_SOFTMAX_INL_
#endif

#include <limits>

#include "kernels/exponential-inl.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// Of kLanes rows: the largest score, and the sum of e^(score - largest).
struct TopAndSum {
  Vector top;
  Vector sum;
};

/// Column c of the tile at column + c * kTileRows: scores to posteriors. A row of -infinity only:
/// all classes alike.
HWY_INLINE TopAndSum softmax_columns(double* column, std::size_t k) {
  Vector tops = hn::Load(kTag, column);
  for (std::size_t c = 1; c < k; ++c) {
    tops = hn::Max(tops, hn::Load(kTag, column + c * kTileRows));
  }
  const auto nothing = hn::Eq(tops, hn::Set(kTag, kNothing));
  Vector sums = hn::Zero(kTag);
  for (std::size_t c = 0; c < k; ++c) {
    const Vector shifted = hn::Sub(hn::Load(kTag, column + c * kTileRows), tops);
    const Vector power = exponential(hn::IfThenZeroElse(nothing, shifted));
    hn::Store(power, kTag, column + c * kTileRows);
    sums = hn::Add(sums, power);
  }
  const Vector factors = hn::Div(hn::Set(kTag, 1.0), sums);
  for (std::size_t c = 0; c < k; ++c) {
    const Vector power = hn::Load(kTag, column + c * kTileRows);
    hn::Store(hn::Mul(power, factors), kTag, column + c * kTileRows);
  }
  return {tops, sums};
}

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
