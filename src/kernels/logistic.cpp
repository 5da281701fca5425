// Two classes: scores, posteriors and the gradient in one pass over the rows. A tile of rows is
// read from memory once and stays in the first-level cache between the two products.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logistic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include <algorithm>

#include "kernels/ahead.hpp"
#include "kernels/exponential-inl.hpp"
#include "kernels/logistic.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::logistic_add;

#else

/// Rows whose scores are held at a time.
constexpr std::size_t kLogisticRows = 64;

/// The next tile's cache lines, to be asked for a few at a time: the memory is to work all the
/// while that a tile is computed, not only while its scores are.
class NextTile {
 public:
  NextTile(const double* first, std::size_t doubles)
      : next_(first), lines_((doubles / kLineDoubles + kSteps - 1) / kSteps) {}
  HWY_INLINE void ask() {
    for (std::size_t i = 0; i < lines_; ++i, next_ += kLineDoubles) {
      __builtin_prefetch(next_, 0, 2);
    }
  }

 private:
  static constexpr std::size_t kSteps = 48;
  const double* next_;
  std::size_t lines_;
};

/// The scores of Rows rows at once, so that coefficients and center are loaded once for all.
template <std::size_t Rows>
HWY_INLINE void logistic_scores(const double* rows, std::size_t stride, const LogisticMap& map,
                                double* scores) {
  Vector sums[Rows];
  for (Vector& sum : sums) { sum = hn::Zero(kTag); }
  std::size_t i = 0;
  for (; i + kLanes <= map.d; i += kLanes) {
    const Vector theta = hn::LoadU(kTag, map.coefficients + i);
    const Vector center = hn::LoadU(kTag, map.center + i);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Vector x = hn::Sub(hn::LoadU(kTag, rows + r * stride + i), center);
      sums[r] = hn::MulAdd(x, theta, sums[r]);
    }
  }
  if (i < map.d) {
    const Vector theta = load_first(map.coefficients + i, map.d - i);
    const Vector center = load_first(map.center + i, map.d - i);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Vector x = hn::Sub(load_first(rows + r * stride + i, map.d - i), center);
      sums[r] = hn::MulAdd(x, theta, sums[r]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    scores[r] = map.bias + hn::GetLane(hn::SumOfLanes(kTag, sums[r]));
  }
}

/// gradient += sum_r residuals_r (x_r - center) for Vectors vectors of columns.
template <std::size_t Vectors>
HWY_INLINE void logistic_gradient(const double* rows, std::size_t n, std::size_t stride,
                                  const double* center, const double* residuals, NextTile& next,
                                  double* gradient) {
  Vector sums[Vectors];
  Vector middle[Vectors];
  for (std::size_t v = 0; v < Vectors; ++v) {
    sums[v] = hn::Zero(kTag);
    middle[v] = hn::LoadU(kTag, center + v * kLanes);
  }
  for (std::size_t r = 0; r < n; ++r) {
    if (r % 4 == 0) { next.ask(); }
    const Vector residual = hn::Set(kTag, residuals[r]);
    for (std::size_t v = 0; v < Vectors; ++v) {
      const Vector x = hn::Sub(hn::LoadU(kTag, rows + r * stride + v * kLanes), middle[v]);
      sums[v] = hn::MulAdd(x, residual, sums[v]);
    }
  }
  for (std::size_t v = 0; v < Vectors; ++v) {
    double* to = gradient + v * kLanes;
    hn::StoreU(hn::Add(hn::LoadU(kTag, to), sums[v]), kTag, to);
  }
}

HWY_INLINE void logistic_gradient_rest(const double* rows, std::size_t n, std::size_t stride,
                                       const double* center, const double* residuals,
                                       std::size_t columns, double* gradient) {
  Vector sum = hn::Zero(kTag);
  const Vector middle = load_first(center, columns);
  for (std::size_t r = 0; r < n; ++r) {
    const Vector x = hn::Sub(load_first(rows + r * stride, columns), middle);
    sum = hn::MulAdd(x, hn::Set(kTag, residuals[r]), sum);
  }
  HWY_ALIGN double values[kLanes];
  hn::Store(sum, kTag, values);
  for (std::size_t i = 0; i < columns; ++i) { gradient[i] += values[i]; }
}

/// In place: scores of n rows become residuals w (sigma(a) - y). Returns the loss and adds the sum
/// of the residuals to `total`. The arrays are whole vectors long, `targets` and `weights` 0 behind
/// the n rows.
HWY_INLINE double logistic_residuals(double* scores, const double* targets, const double* weights,
                                     std::size_t n, NextTile& next, double& total) {
  const Vector one = hn::Set(kTag, 1.0);
  Vector losses = hn::Zero(kTag);
  Vector sums = hn::Zero(kTag);
  for (std::size_t r = 0; r < n; r += kLanes) {
    next.ask();
    const Vector a = hn::Load(kTag, scores + r);
    const Vector y = hn::Load(kTag, targets + r);
    const Vector w = hn::Load(kTag, weights + r);
    const Vector power = exponential(hn::Neg(hn::Abs(a)));
    const Vector inverse = hn::Div(one, hn::Add(one, power));
    const Vector p = hn::IfThenElse(hn::Lt(a, hn::Zero(kTag)), hn::Mul(power, inverse), inverse);
    // ln(1 + e^a) - y a
    const Vector tail = hn::Add(hn::Log1p(kTag, power), hn::Max(a, hn::Zero(kTag)));
    losses = hn::MulAdd(w, hn::NegMulAdd(y, a, tail), losses);
    const Vector residual = hn::Mul(w, hn::Sub(p, y));
    sums = hn::Add(sums, residual);
    hn::Store(residual, kTag, scores + r);
  }
  total += hn::GetLane(hn::SumOfLanes(kTag, sums));
  return hn::GetLane(hn::SumOfLanes(kTag, losses));
}

double logistic_add(const double* rows, std::size_t n, std::size_t stride, const LogisticMap& map,
                    const std::int32_t* labels, const double* weights, double* gradient) {
  constexpr std::size_t kTogether = 4;
  constexpr std::size_t kGroup = 4;
  double loss = 0.0;
  for (std::size_t begin = 0; begin < n; begin += kLogisticRows) {
    const std::size_t count = std::min(kLogisticRows, n - begin);
    const double* const tile = rows + begin * stride;
    const bool more = stride == map.d && begin + 2 * kLogisticRows <= n;
    NextTile next(tile + kLogisticRows * stride, more ? kLogisticRows * stride : 0);
    NextTile nothing(tile, 0);
    HWY_ALIGN double scores[kLogisticRows];
    HWY_ALIGN double targets[kLogisticRows];
    HWY_ALIGN double factors[kLogisticRows];
    for (std::size_t r = 0; r < count; ++r) {
      targets[r] = static_cast<double>(labels[begin + r]);
      factors[r] = weights != nullptr ? weights[begin + r] : 1.0;
    }
    for (std::size_t r = count; r < kLogisticRows; ++r) {
      scores[r] = targets[r] = factors[r] = 0.0;
    }
    std::size_t r = 0;
    for (; r + kTogether <= count; r += kTogether) {
      const double* const first = tile + r * stride;
      next.ask();
      logistic_scores<kTogether>(first, stride, map, scores + r);
    }
    for (; r < count; ++r) {
      const double* const first = tile + r * stride;
      logistic_scores<1>(first, stride, map, scores + r);
    }
    loss += logistic_residuals(scores, targets, factors, count, next, gradient[map.d]);
    std::size_t i = 0;
    for (; i + kGroup * kLanes <= map.d; i += kGroup * kLanes) {
      logistic_gradient<kGroup>(tile + i, count, stride, map.center + i, scores,
                                i == 0 ? next : nothing, gradient + i);
    }
    for (; i + kLanes <= map.d; i += kLanes) {
      logistic_gradient<1>(tile + i, count, stride, map.center + i, scores, nothing, gradient + i);
    }
    if (i < map.d) {
      logistic_gradient_rest(tile + i, count, stride, map.center + i, scores, map.d - i,
                             gradient + i);
    }
  }
  return loss;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(logistic_add);

double logistic_add(const double* rows, std::size_t n, std::size_t stride, const LogisticMap& map,
                    const std::int32_t* labels, const double* weights, double* gradient) {
  return HWY_DYNAMIC_DISPATCH(logistic_add)(rows, n, stride, map, labels, weights, gradient);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
