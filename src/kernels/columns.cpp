// One column's share of the scores of all classes. Lanes are rows; a vector of values is loaded
// once for all classes, and the scores are by class, so that nothing is transposed on the way.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/exponential-inl.hpp"
#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::all_within;
using reference::gaussian_column_add;
using reference::kernel_sum;
using reference::level_column_add;
using reference::linear_column_add;
using reference::store_scores;
using reference::transpose_columns;

#else

/// bias - 1/2 precision (x - mean)^2
struct GaussianTerm {
  Vector mean, half_precision, bias;
  HWY_INLINE Vector operator()(Vector x) const {
    const Vector deviation = hn::Sub(x, mean);
    return hn::NegMulAdd(hn::Mul(half_precision, deviation), deviation, bias);
  }
};

struct GaussianTerms {
  const double* means;
  const double* precisions;
  const double* bias;
  HWY_INLINE GaussianTerm of(std::size_t c) const {
    return {hn::Set(kTag, means[c]), hn::Set(kTag, 0.5 * precisions[c]), hn::Set(kTag, bias[c])};
  }
};

/// intercept + slope x
struct LinearTerm {
  Vector slope, intercept;
  HWY_INLINE Vector operator()(Vector x) const { return hn::MulAdd(slope, x, intercept); }
};

struct LinearTerms {
  const double* slopes;
  const double* intercepts;
  HWY_INLINE LinearTerm of(std::size_t c) const {
    return {hn::Set(kTag, slopes[c]), hn::Set(kTag, intercepts[c])};
  }
};

/// The term of every class for Vectors * kLanes rows.
template <std::size_t Vectors, class Terms>
HWY_INLINE void add_terms(const double* x, const Terms& terms, std::size_t k, std::size_t stride,
                          double* scores) {
  Vector values[Vectors];
  for (std::size_t v = 0; v < Vectors; ++v) { values[v] = hn::LoadU(kTag, x + v * kLanes); }
  for (std::size_t c = 0; c < k; ++c) {
    const auto term = terms.of(c);
    for (std::size_t v = 0; v < Vectors; ++v) {
      double* place = scores + c * stride + v * kLanes;
      const auto there = hn::Eq(values[v], values[v]);  // not NaN
      const Vector added = hn::IfThenElseZero(there, term(values[v]));
      hn::StoreU(hn::Add(hn::LoadU(kTag, place), added), kTag, place);
    }
  }
}

/// The same for the last `count` < kLanes rows, with the same roundings: what a row gets does not
/// depend on its place.
template <class Terms>
HWY_INLINE void add_last_terms(const double* x, std::size_t count, const Terms& terms,
                               std::size_t k, std::size_t stride, double* scores) {
  const Vector values = load_first(x, count);
  const auto there = hn::Eq(values, values);
  for (std::size_t c = 0; c < k; ++c) {
    HWY_ALIGN double added[kLanes];
    hn::Store(hn::IfThenElseZero(there, terms.of(c)(values)), kTag, added);
    for (std::size_t r = 0; r < count; ++r) { scores[c * stride + r] += added[r]; }
  }
}

template <class Terms>
HWY_INLINE void column_add(const double* x, std::size_t n, const Terms& terms, std::size_t k,
                           std::size_t stride, double* scores) {
  constexpr std::size_t kGroup = 4;
  std::size_t r = 0;
  for (; r + kGroup * kLanes <= n; r += kGroup * kLanes) {
    add_terms<kGroup>(x + r, terms, k, stride, scores + r);
  }
  for (; r + kLanes <= n; r += kLanes) { add_terms<1>(x + r, terms, k, stride, scores + r); }
  if (r < n) { add_last_terms(x + r, n - r, terms, k, stride, scores + r); }
}

void gaussian_column_add(const double* x, std::size_t n, const double* means,
                         const double* precisions, const double* bias, std::size_t k,
                         std::size_t stride, double* scores) {
  column_add(x, n, GaussianTerms{means, precisions, bias}, k, stride, scores);
}

void linear_column_add(const double* x, std::size_t n, const double* slopes,
                       const double* intercepts, std::size_t k, std::size_t stride,
                       double* scores) {
  column_add(x, n, LinearTerms{slopes, intercepts}, k, stride, scores);
}

void level_column_add(const std::int32_t* codes, std::size_t n, const double* table,
                      std::size_t width, std::size_t k, std::size_t stride, double* scores) {
  const hn::RebindToSigned<Tag> indices;
  const hn::Rebind<std::int32_t, Tag> narrow;
  const auto first = hn::Set(indices, 2);
  std::size_t r = 0;
  for (; r + kLanes <= n; r += kLanes) {
    const auto places = hn::Add(hn::PromoteTo(indices, hn::LoadU(narrow, codes + r)), first);
    for (std::size_t c = 0; c < k; ++c) {
      double* place = scores + c * stride + r;
      const Vector added = hn::GatherIndex(kTag, table + c * width, places);
      hn::StoreU(hn::Add(hn::LoadU(kTag, place), added), kTag, place);
    }
  }
  reference::level_column_add(codes + r, n - r, table, width, k, stride, scores + r);
}

/// to[i * stride_out + r] = from[r * stride + i] for rows r from `first` on: vectors of N rows
/// while they fit, then of N/2, ..., then a last single one.
template <class D>
HWY_INLINE void transpose(D tag, const double* from, std::size_t n, std::size_t d,
                          std::size_t stride, double* to, std::size_t stride_out,
                          std::size_t first) {
  constexpr std::size_t kWidth = hn::MaxLanes(D{});
  std::size_t r = first;
  for (; r + kWidth <= n; r += kWidth) {
    const double* rows = from + r * stride;
    std::size_t i = 0;
    for (; i + 2 <= d; i += 2) {
      hn::Vec<D> column;
      hn::Vec<D> next;
      load_columns(tag, rows + i, stride, column, next);
      hn::StoreU(column, tag, to + i * stride_out + r);
      hn::StoreU(next, tag, to + (i + 1) * stride_out + r);
    }
    for (std::size_t s = 0; i < d && s < kWidth; ++s) {
      to[i * stride_out + r + s] = rows[s * stride + i];
    }
  }
  if constexpr (kWidth > 2) {
    transpose(hn::Half<D>{}, from, n, d, stride, to, stride_out, r);
  } else if (r < n) {
    for (std::size_t i = 0; i < d; ++i) { to[i * stride_out + r] = from[r * stride + i]; }
  }
}

void transpose_columns(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                       double* columns, std::size_t stride_out) {
  transpose(kTag, rows, n, d, stride, columns, stride_out, 0);
}

void store_scores(const double* scores, std::size_t n, std::size_t k, std::size_t stride,
                  double* out) {
  transpose(kTag, scores, k, n, stride, out, k, 0);
}

/// Lanes that are outside of the limits; NaN is not.
struct Limits {
  Vector low, high;
  HWY_INLINE auto outside(Vector x, bool whole) const {
    const auto beyond = hn::Or(hn::Lt(x, low), hn::Gt(x, high));
    return whole ? hn::Or(beyond, hn::Lt(hn::Floor(x), x)) : beyond;
  }
};

bool all_within(const double* x, std::size_t n, double low, double high, bool whole) {
  const Limits limits{hn::Set(kTag, low), hn::Set(kTag, high)};
  auto outside = hn::FirstN(kTag, 0);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    outside = hn::Or(outside, limits.outside(hn::LoadU(kTag, x + i), whole));
  }
  const auto last =
      hn::And(hn::FirstN(kTag, n - i), limits.outside(load_first(x + i, n - i), whole));
  return hn::AllFalse(kTag, hn::Or(outside, last));
}

/// A kernel centered at x.
struct Bump {
  Vector x, inverse_h, shift;
  HWY_INLINE Vector operator()(Vector values) const {
    const Vector z = hn::Mul(hn::Sub(values, x), inverse_h);
    return exponential(hn::MulAdd(hn::Mul(hn::Set(kTag, -0.5), z), z, shift));
  }
};

double kernel_sum(const double* values, const double* weights, std::size_t n, double x,
                  double inverse_h, double shift) {
  constexpr std::size_t kChains = 4;
  const Bump bump{hn::Set(kTag, x), hn::Set(kTag, inverse_h), hn::Set(kTag, shift)};
  const Vector zero = hn::Zero(kTag);
  Vector sums[kChains] = {zero, zero, zero, zero};
  std::size_t i = 0;
  for (; i + kChains * kLanes <= n; i += kChains * kLanes) {
    for (std::size_t c = 0; c < kChains; ++c) {
      const std::size_t at = i + c * kLanes;
      sums[c] =
          hn::MulAdd(hn::LoadU(kTag, weights + at), bump(hn::LoadU(kTag, values + at)), sums[c]);
    }
  }
  for (; i + kLanes <= n; i += kLanes) {
    sums[0] = hn::MulAdd(hn::LoadU(kTag, weights + i), bump(hn::LoadU(kTag, values + i)), sums[0]);
  }
  if (i < n) {  // absent lanes: the value x has a finite term, and the weight 0 takes it away
    const auto mask = hn::FirstN(kTag, n - i);
    const Vector last = hn::IfThenElse(mask, load_first(values + i, n - i), bump.x);
    sums[0] = hn::MulAdd(load_first(weights + i, n - i), bump(last), sums[0]);
  }
  const Vector sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  return hn::GetLane(hn::SumOfLanes(kTag, sum));
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(gaussian_column_add);
HWY_EXPORT(linear_column_add);
HWY_EXPORT(level_column_add);
HWY_EXPORT(transpose_columns);
HWY_EXPORT(store_scores);
HWY_EXPORT(kernel_sum);
HWY_EXPORT(all_within);

void gaussian_column_add(const double* x, std::size_t n, const double* means,
                         const double* precisions, const double* bias, std::size_t k,
                         std::size_t stride, double* scores) {
  HWY_DYNAMIC_DISPATCH(gaussian_column_add)
  (x, n, means, precisions, bias, k, stride, scores);
}

void linear_column_add(const double* x, std::size_t n, const double* slopes,
                       const double* intercepts, std::size_t k, std::size_t stride,
                       double* scores) {
  HWY_DYNAMIC_DISPATCH(linear_column_add)(x, n, slopes, intercepts, k, stride, scores);
}

void level_column_add(const std::int32_t* codes, std::size_t n, const double* table,
                      std::size_t width, std::size_t k, std::size_t stride, double* scores) {
  HWY_DYNAMIC_DISPATCH(level_column_add)(codes, n, table, width, k, stride, scores);
}

void transpose_columns(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                       double* columns, std::size_t stride_out) {
  HWY_DYNAMIC_DISPATCH(transpose_columns)(rows, n, d, stride, columns, stride_out);
}

void store_scores(const double* scores, std::size_t n, std::size_t k, std::size_t stride,
                  double* out) {
  HWY_DYNAMIC_DISPATCH(store_scores)(scores, n, k, stride, out);
}

double kernel_sum(const double* values, const double* weights, std::size_t n, double x,
                  double inverse_h, double shift) {
  return HWY_DYNAMIC_DISPATCH(kernel_sum)(values, weights, n, x, inverse_h, shift);
}

bool all_within(const double* x, std::size_t n, double low, double high, bool whole) {
  return HWY_DYNAMIC_DISPATCH(all_within)(x, n, low, high, whole);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
