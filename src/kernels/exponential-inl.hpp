// e^x for x <= 0, a vector at a time. Included once for every target.
#if defined(LOGODDS_KERNELS_EXPONENTIAL_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_EXPONENTIAL_INL_
#undef LOGODDS_KERNELS_EXPONENTIAL_INL_
#else
#define LOGODDS_KERNELS_EXPONENTIAL_INL_
#endif

#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2; coefficients of SLEEF (Boost license), as in Highway.
HWY_INLINE Vector exponential_tail(Vector r) {
  constexpr double kCoefficients[] = {2.51112930892876518610661e-8,  2.75573911234900471893338e-7,
                                      2.75572362911928827629423e-6,  2.4801587159235472998791e-5,
                                      0.000198412698960509205564975, 0.00138888888889774492207962,
                                      0.00833333333331652721664984,  0.0416666666666665047591422,
                                      0.166666666666666851703837,    0.5};
  Vector sum = hn::Set(kTag, 2.08860621107283687536341e-9);
  for (const double coefficient : kCoefficients) {
    sum = hn::MulAdd(sum, r, hn::Set(kTag, coefficient));
  }
  return sum;
}

/// e^x within 1 unit in the last place for x in [-infinity, 0], gradual underflow included; NaN
/// stays NaN. x = n ln 2 + r, so e^x = 2^n e^r. Highway's Exp turns NaN into 0.
HWY_INLINE Vector exponential(Vector x) {
  // Adding this rounds to an integer and leaves n + 64 + 1023 in the low bits: the exponent field
  // of 2^(n + 64), a normal number for every n down to -1082.
  const Vector magic = hn::Set(kTag, 0x1.8p52 + 64.0 + 1023.0);
  const Vector bounded = hn::Max(hn::Set(kTag, -750.0), x);  // the second operand wins if NaN
  const Vector shifted = hn::MulAdd(bounded, hn::Set(kTag, 0x1.71547652b82fep+0), magic);
  const Vector n = hn::Sub(shifted, magic);
  // ln 2 in two parts; n times the first is exact.
  Vector r = hn::NegMulAdd(n, hn::Set(kTag, 0.69314718055966295651160180568695068359375), bounded);
  r = hn::NegMulAdd(n, hn::Set(kTag, 0.28235290563031577122588448175013436e-12), r);
  const Vector power =
      hn::Add(hn::Set(kTag, 1.0), hn::MulAdd(hn::Mul(r, r), exponential_tail(r), r));
  const hn::RebindToUnsigned<Tag> bits;
  const Vector scale = hn::BitCast(kTag, hn::ShiftLeft<52>(hn::BitCast(bits, shifted)));
  return hn::Mul(hn::Mul(power, scale), hn::Set(kTag, 0x1p-64));
}

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
