// What the rows of a tile lose whose scores are transposed (lanes are rows). Included once for
// every target.
#if defined(LOGODDS_KERNELS_LOSSES_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_LOSSES_INL_
#undef LOGODDS_KERNELS_LOSSES_INL_
#else
#define LOGODDS_KERNELS_LOSSES_INL_
#endif

#include <hwy/contrib/math/math-inl.h>

#include "kernels/row_losses.hpp"
#include "kernels/softmax-inl.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

/// Losses of kLanes rows by their posteriors; `truths` are whole numbers.
HWY_INLINE void losses_of_columns(const double* column, std::size_t k, Vector truths,
                                  double* values, std::size_t apart) {
  const Vector one = hn::Set(kTag, 1.0);
  Vector own = hn::Zero(kTag);
  Vector brier = hn::Zero(kTag);
  for (std::size_t c = 0; c < k; ++c) {
    const Vector p = hn::Load(kTag, column + c * kTileRows);
    const auto here = hn::Eq(truths, hn::Set(kTag, static_cast<double>(c)));
    own = hn::IfThenElse(here, p, own);
    const Vector off = hn::Sub(p, hn::IfThenElseZero(here, one));
    brier = hn::Add(brier, hn::Mul(off, off));
  }
  Vector wrong = hn::Zero(kTag);
  for (std::size_t c = 0; c < k; ++c) {
    const Vector p = hn::Load(kTag, column + c * kTileRows);
    const auto before = hn::Lt(hn::Set(kTag, static_cast<double>(c)), truths);
    const auto beaten = hn::Or(hn::Gt(p, own), hn::And(before, hn::Eq(p, own)));
    wrong = hn::IfThenElse(beaten, one, wrong);
  }
  const Vector least = hn::Set(kTag, std::numeric_limits<double>::min());
  hn::Store(own, kTag, values);
  hn::Store(hn::Neg(hn::Log(kTag, hn::Max(own, least))), kTag, values + apart);
  hn::Store(brier, kTag, values + 2 * apart);
  hn::Store(wrong, kTag, values + 3 * apart);
}

/// Scores become posteriors. False as row_losses() has it.
HWY_INLINE bool tile_losses(double* tile, std::size_t count, std::size_t k,
                            const std::int32_t* truths, const RowLosses& out) {
  HWY_ALIGN double classes[kTileRows] = {};
  HWY_ALIGN double values[4 * kTileRows];
  for (std::size_t r = 0; r < count; ++r) { classes[r] = static_cast<double>(truths[r]); }
  Vector unsound = hn::Zero(kTag);  // NaN where a sum or the largest score is not finite
  for (std::size_t v = 0; v < count; v += kLanes) {
    const TopAndSum found = softmax_columns(tile + v, k);
    const Vector bad = hn::Mul(hn::Add(found.top, found.sum), hn::Zero(kTag));
    const auto there = hn::FirstN(kTag, count - v);
    unsound = hn::Add(unsound, hn::IfThenElseZero(there, bad));
    losses_of_columns(tile + v, k, hn::Load(kTag, classes + v), values + v, kTileRows);
  }
  std::copy_n(values, count, out.own);
  std::copy_n(values + kTileRows, count, out.log_loss);
  std::copy_n(values + 2 * kTileRows, count, out.brier);
  std::copy_n(values + 3 * kTileRows, count, out.wrong);
  return hn::AllTrue(kTag, hn::Eq(unsound, unsound));
}

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
