// Units of a layer and steps of Adam, a vector at a time.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layers.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/exponential-inl.hpp"
#include "kernels/layers.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::activate;
using reference::adam_update;
using reference::multiply_slopes;

#else

/// e^x - 1 for x <= 0, as 2^n (e^r - 1) + (2^n - 1), x = n ln 2 + r: near 0, where n = 0, no digit
/// is lost. Below -64 it is -1 to rounding.
HWY_INLINE Vector exponential_minus_one(Vector x) {
  const Vector magic = hn::Set(kTag, 0x1.8p52 + 1023.0);
  const Vector bounded = hn::Max(hn::Set(kTag, -64.0), x);  // the second operand wins if NaN
  const Vector shifted = hn::MulAdd(bounded, hn::Set(kTag, 0x1.71547652b82fep+0), magic);
  const Vector n = hn::Sub(shifted, magic);
  Vector r = hn::NegMulAdd(n, hn::Set(kTag, 0.69314718055966295651160180568695068359375), bounded);
  r = hn::NegMulAdd(n, hn::Set(kTag, 0.28235290563031577122588448175013436e-12), r);
  const Vector rest = hn::MulAdd(hn::Mul(r, r), exponential_tail(r), r);
  const hn::RebindToUnsigned<Tag> bits;
  const Vector scale = hn::BitCast(kTag, hn::ShiftLeft<52>(hn::BitCast(bits, shifted)));
  return hn::MulAdd(scale, rest, hn::Sub(scale, hn::Set(kTag, 1.0)));
}

/// With m = e^(-2|a|) - 1: tanh |a| = -m / (m + 2).
struct Tanh {
  static HWY_INLINE Vector output(Vector a) {
    const Vector m = exponential_minus_one(hn::Mul(hn::Set(kTag, -2.0), hn::Abs(a)));
    const Vector t = hn::Div(hn::Neg(m), hn::Add(m, hn::Set(kTag, 2.0)));
    return hn::CopySign(t, a);
  }
  static HWY_INLINE Vector slope(Vector h) { return hn::NegMulAdd(h, h, hn::Set(kTag, 1.0)); }
};

/// With e = e^-|a|: 1 / (1 + e) for a >= 0, else e / (1 + e).
struct Sigmoid {
  static HWY_INLINE Vector output(Vector a) {
    const Vector one = hn::Set(kTag, 1.0);
    const Vector e = exponential(hn::Neg(hn::Abs(a)));
    const Vector above = hn::IfThenElse(hn::Ge(a, hn::Zero(kTag)), one, e);
    return hn::Div(above, hn::Add(one, e));
  }
  static HWY_INLINE Vector slope(Vector h) { return hn::NegMulAdd(h, h, h); }
};

struct Relu {
  static HWY_INLINE Vector output(Vector a) {
    return hn::IfThenZeroElse(hn::Lt(a, hn::Zero(kTag)), a);
  }
  static HWY_INLINE Vector slope(Vector h) {
    return hn::IfThenElseZero(hn::Gt(h, hn::Zero(kTag)), hn::Set(kTag, 1.0));
  }
};

HWY_INLINE void store_first(Vector values, std::size_t count, double* p) {
  HWY_ALIGN double elements[kLanes];
  hn::Store(values, kTag, elements);
  std::copy_n(elements, count, p);
}

template <class Unit>
HWY_INLINE void activate_all(double* values, std::size_t n) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    hn::StoreU(Unit::output(hn::LoadU(kTag, values + i)), kTag, values + i);
  }
  if (i < n) { store_first(Unit::output(load_first(values + i, n - i)), n - i, values + i); }
}

template <class Unit>
HWY_INLINE void multiply_all(const double* outputs, std::size_t n, double* deltas) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vector slope = Unit::slope(hn::LoadU(kTag, outputs + i));
    hn::StoreU(hn::Mul(hn::LoadU(kTag, deltas + i), slope), kTag, deltas + i);
  }
  if (i < n) {
    const Vector slope = Unit::slope(load_first(outputs + i, n - i));
    store_first(hn::Mul(load_first(deltas + i, n - i), slope), n - i, deltas + i);
  }
}

void activate(Activation kind, double* values, std::size_t n) {
  switch (kind) {
    case Activation::tanh:
      return activate_all<Tanh>(values, n);
    case Activation::sigmoid:
      return activate_all<Sigmoid>(values, n);
    case Activation::relu:
      return activate_all<Relu>(values, n);
    case Activation::linear:
      return;
  }
}

void multiply_slopes(Activation kind, const double* outputs, std::size_t n, double* deltas) {
  switch (kind) {
    case Activation::tanh:
      return multiply_all<Tanh>(outputs, n, deltas);
    case Activation::sigmoid:
      return multiply_all<Sigmoid>(outputs, n, deltas);
    case Activation::relu:
      return multiply_all<Relu>(outputs, n, deltas);
    case Activation::linear:
      return;
  }
}

void adam_update(const AdamRates& rates, const double* gradient, std::size_t n, double* theta,
                 double* m, double* v) {
  const Vector b1 = hn::Set(kTag, rates.b1);
  const Vector b2 = hn::Set(kTag, rates.b2);
  const Vector rest1 = hn::Set(kTag, 1.0 - rates.b1);
  const Vector rest2 = hn::Set(kTag, 1.0 - rates.b2);
  const Vector step = hn::Set(kTag, rates.step);
  const Vector inverse = hn::Set(kTag, 1.0 / rates.c2);
  const Vector tiny = hn::Set(kTag, rates.tiny);
  const std::size_t whole = n / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Vector g = hn::LoadU(kTag, gradient + i);
    const Vector first = hn::MulAdd(b1, hn::LoadU(kTag, m + i), hn::Mul(rest1, g));
    const Vector second = hn::MulAdd(b2, hn::LoadU(kTag, v + i), hn::Mul(rest2, hn::Mul(g, g)));
    const Vector root = hn::Add(hn::Sqrt(hn::Mul(second, inverse)), tiny);
    const Vector change = hn::Div(hn::Mul(step, first), root);
    hn::StoreU(first, kTag, m + i);
    hn::StoreU(second, kTag, v + i);
    hn::StoreU(hn::Sub(hn::LoadU(kTag, theta + i), change), kTag, theta + i);
  }
  reference::adam_update(rates, gradient + whole, n - whole, theta + whole, m + whole, v + whole);
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(activate);
HWY_EXPORT(multiply_slopes);
HWY_EXPORT(adam_update);

void activate(Activation kind, double* values, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(activate)(kind, values, n);
}

void multiply_slopes(Activation kind, const double* outputs, std::size_t n, double* deltas) {
  HWY_DYNAMIC_DISPATCH(multiply_slopes)(kind, outputs, n, deltas);
}

void adam_update(const AdamRates& rates, const double* gradient, std::size_t n, double* theta,
                 double* m, double* v) {
  HWY_DYNAMIC_DISPATCH(adam_update)(rates, gradient, n, theta, m, v);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
