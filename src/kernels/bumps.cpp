#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bumps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/bumps.hpp"
#include "kernels/exponential-inl.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::bump_moments;
using reference::bump_sums_add;
using reference::bump_tail_sum;

#else

/// Moments of a vector of values are added in its lanes; absent values have the weight 0.
struct LaneMoments {
  Vector center, inverse_h;
  Vector sums[kBumpMoments];

  HWY_INLINE void add(Vector values, Vector weights) {
    const Vector s = hn::Mul(hn::Sub(values, center), inverse_h);
    Vector term = hn::Mul(weights, exponential(hn::Mul(hn::Mul(hn::Set(kTag, -0.5), s), s)));
    for (auto& sum : sums) {
      sum = hn::Add(sum, term);
      term = hn::Mul(term, s);
    }
  }
};

BumpMoments bump_moments(const double* values, const double* weights, std::size_t n, double center,
                         double inverse_h) {
  LaneMoments lanes{hn::Set(kTag, center), hn::Set(kTag, inverse_h), {}};
  for (auto& sum : lanes.sums) { sum = hn::Zero(kTag); }
  std::size_t v = 0;
  for (; v + kLanes <= n; v += kLanes) {
    lanes.add(hn::LoadU(kTag, values + v), hn::LoadU(kTag, weights + v));
  }
  if (v < n) {
    const Vector last =
        hn::IfThenElse(hn::FirstN(kTag, n - v), load_first(values + v, n - v), lanes.center);
    lanes.add(last, load_first(weights + v, n - v));
  }
  BumpMoments moments;
  double factorial = 1.0;
  for (std::size_t p = 0; p < kBumpMoments; ++p) {
    if (p > 1) { factorial *= static_cast<double>(p); }
    moments[p] = hn::GetLane(hn::SumOfLanes(kTag, lanes.sums[p])) / factorial;
  }
  return moments;
}

void bump_sums_add(const BumpMoments& moments, const BumpPlaces& places, double shift,
                   const BumpPlaces& bumps, BumpPlaces& sums) {
  constexpr std::size_t kVectors = kBumpPlaces / kLanes;
  Vector t[kVectors];
  Vector series[kVectors];
  for (std::size_t i = 0; i < kVectors; ++i) {
    t[i] = hn::Sub(hn::LoadU(kTag, places.data() + i * kLanes), hn::Set(kTag, shift));
    series[i] = hn::Set(kTag, moments[kBumpMoments - 1]);
  }
  for (std::size_t p = kBumpMoments - 1; p-- > 0;) {
    const Vector moment = hn::Set(kTag, moments[p]);
    for (std::size_t i = 0; i < kVectors; ++i) { series[i] = hn::MulAdd(series[i], t[i], moment); }
  }
  for (std::size_t i = 0; i < kVectors; ++i) {
    double* to = sums.data() + i * kLanes;
    const Vector bump = hn::LoadU(kTag, bumps.data() + i * kLanes);
    hn::StoreU(hn::MulAdd(bump, series[i], hn::LoadU(kTag, to)), kTag, to);
  }
}

constexpr std::size_t kTailPiece = 256;

/// exp(-d (z + d / 2))
struct TailBump {
  Vector edge, inverse_h, z;
  HWY_INLINE Vector operator()(Vector values) const {
    const Vector d = hn::Mul(hn::Sub(values, edge), inverse_h);
    return exponential(hn::Neg(hn::Mul(d, hn::MulAdd(hn::Set(kTag, 0.5), d, z))));
  }
};

double bump_tail_sum(const double* values, const double* weights, std::size_t n, double edge,
                     double inverse_h, double z) {
  const TailBump bump{hn::Set(kTag, edge), hn::Set(kTag, inverse_h), hn::Set(kTag, z)};
  Vector sum = hn::Zero(kTag);
  std::size_t v = 0;
  while (v + kLanes <= n) {  // pieces by themselves, so that roundings do not add up
    const std::size_t end = std::min(n, v + kTailPiece);
    Vector piece = hn::Zero(kTag);
    for (; v + kLanes <= end; v += kLanes) {
      const Vector weight = hn::LoadU(kTag, weights + v);
      piece = hn::MulAdd(weight, bump(hn::LoadU(kTag, values + v)), piece);
    }
    sum = hn::Add(sum, piece);
  }
  if (v < n) {  // absent lanes: the edge itself has a finite term, and the weight 0 takes it away
    const Vector last =
        hn::IfThenElse(hn::FirstN(kTag, n - v), load_first(values + v, n - v), bump.edge);
    sum = hn::MulAdd(load_first(weights + v, n - v), bump(last), sum);
  }
  return hn::GetLane(hn::SumOfLanes(kTag, sum));
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(bump_moments);
HWY_EXPORT(bump_sums_add);
HWY_EXPORT(bump_tail_sum);

BumpMoments bump_moments(const double* values, const double* weights, std::size_t n, double center,
                         double inverse_h) {
  return HWY_DYNAMIC_DISPATCH(bump_moments)(values, weights, n, center, inverse_h);
}

void bump_sums_add(const BumpMoments& moments, const BumpPlaces& places, double shift,
                   const BumpPlaces& bumps, BumpPlaces& sums) {
  HWY_DYNAMIC_DISPATCH(bump_sums_add)(moments, places, shift, bumps, sums);
}

double bump_tail_sum(const double* values, const double* weights, std::size_t n, double edge,
                     double inverse_h, double z) {
  return HWY_DYNAMIC_DISPATCH(bump_tail_sum)(values, weights, n, edge, inverse_h, z);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
