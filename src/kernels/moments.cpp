// Sums over rows that are bound by memory: sums and squares of a class, the check for finite
// values.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/moments.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/ahead.hpp"
#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::all_finite;
using reference::member_sums;
using reference::observed_sums;

#else

/// The arguments of member_sums.
struct MemberSums {
  const double* rows;
  const std::uint32_t* members;
  std::size_t n;
  std::size_t d;
  std::size_t stride;
  const double* weights;
  const double* shift;
  double* sums;
  double* squares;
};

/// Columns i to i + Vectors * kLanes. Whole: all of them are there; else fewer than one vector is.
template <std::size_t Vectors, bool Whole, bool Weighted>
HWY_INLINE void sum_columns(const MemberSums& task, std::size_t i) {
  const std::size_t left = task.d - i;
  const auto load = [left](const double* p, std::size_t v) {
    return Whole ? hn::LoadU(kTag, p + v * kLanes) : load_first(p, left);
  };
  Vector shift[Vectors];
  Vector sums[Vectors];
  Vector squares[Vectors];
  for (std::size_t v = 0; v < Vectors; ++v) {
    shift[v] = load(task.shift + i, v);
    sums[v] = hn::Zero(kTag);
    squares[v] = hn::Zero(kTag);
  }
  const Lines ahead = announced.take(task.n * Vectors, task.shift);
  for (std::size_t m = 0; m < task.n; ++m) {
    for (std::size_t v = 0; v < Vectors; ++v) { ahead.ask(m * Vectors + v); }
    const std::size_t row = task.members[m];
    const Vector weight = hn::Set(kTag, Weighted ? task.weights[row] : 1.0);
    for (std::size_t v = 0; v < Vectors; ++v) {
      const Vector deviation = hn::Sub(load(task.rows + row * task.stride + i, v), shift[v]);
      const Vector weighted = Weighted ? hn::Mul(weight, deviation) : deviation;
      sums[v] = hn::Add(sums[v], weighted);
      squares[v] = hn::MulAdd(weighted, deviation, squares[v]);
    }
  }
  HWY_ALIGN double found[2 * Vectors * kLanes];
  for (std::size_t v = 0; v < Vectors; ++v) {
    hn::Store(sums[v], kTag, found + v * kLanes);
    hn::Store(squares[v], kTag, found + (Vectors + v) * kLanes);
  }
  for (std::size_t j = 0; j < std::min(left, Vectors * kLanes); ++j) {
    task.sums[i + j] += found[j];
    if (task.squares != nullptr) { task.squares[i + j] += found[Vectors * kLanes + j]; }
  }
}

template <bool Weighted>
HWY_INLINE void sum_all(const MemberSums& task) {
  constexpr std::size_t kGroup = 4;
  std::size_t i = 0;
  for (; i + kGroup * kLanes <= task.d; i += kGroup * kLanes) {
    sum_columns<kGroup, true, Weighted>(task, i);
  }
  for (; i + kLanes <= task.d; i += kLanes) { sum_columns<1, true, Weighted>(task, i); }
  if (i < task.d) { sum_columns<1, false, Weighted>(task, i); }
}

void member_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                 std::size_t stride, const double* weights, const double* shift, double* sums,
                 double* squares) {
  const MemberSums task{rows, members, n, d, stride, weights, shift, sums, squares};
  if (weights != nullptr) {
    sum_all<true>(task);
  } else {
    sum_all<false>(task);
  }
}

/// The arguments of observed_sums.
struct ObservedSums {
  const double* rows;
  const std::uint32_t* members;
  std::size_t n;
  std::size_t d;
  std::size_t stride;
  const double* weights;
  const double* shift;
  double* weight_sums;
  double* sums;
  double* squares;
};

/// As sum_columns; a lane whose value is missing adds zeros.
template <std::size_t Vectors, bool Whole, bool Weighted>
HWY_INLINE void observe_columns(const ObservedSums& task, std::size_t i) {
  const std::size_t left = task.d - i;
  const auto load = [left](const double* p, std::size_t v) {
    return Whole ? hn::LoadU(kTag, p + v * kLanes) : load_first(p, left);
  };
  Vector shift[Vectors];
  Vector found[3][Vectors];  // weights, sums, squares
  for (std::size_t v = 0; v < Vectors; ++v) {
    shift[v] = load(task.shift + i, v);
    for (auto& sums : found) { sums[v] = hn::Zero(kTag); }
  }
  const Lines ahead = announced.take(task.n * Vectors, task.shift);
  for (std::size_t m = 0; m < task.n; ++m) {
    for (std::size_t v = 0; v < Vectors; ++v) { ahead.ask(m * Vectors + v); }
    const std::size_t row = task.members[m];
    const Vector weight = hn::Set(kTag, Weighted ? task.weights[row] : 1.0);
    for (std::size_t v = 0; v < Vectors; ++v) {
      const Vector x = load(task.rows + row * task.stride + i, v);
      const auto there = hn::Eq(x, x);  // not NaN
      const Vector deviation = hn::IfThenElseZero(there, hn::Sub(x, shift[v]));
      const Vector weighted = Weighted ? hn::Mul(weight, deviation) : deviation;
      found[0][v] = hn::Add(found[0][v], hn::IfThenElseZero(there, weight));
      found[1][v] = hn::Add(found[1][v], weighted);
      found[2][v] = hn::MulAdd(weighted, deviation, found[2][v]);
    }
  }
  double* const out[3] = {task.weight_sums + i, task.sums + i, task.squares + i};
  for (std::size_t which = 0; which < 3; ++which) {
    HWY_ALIGN double values[Vectors * kLanes];
    for (std::size_t v = 0; v < Vectors; ++v) {
      hn::Store(found[which][v], kTag, values + v * kLanes);
    }
    for (std::size_t j = 0; j < std::min(left, Vectors * kLanes); ++j) {
      out[which][j] += values[j];
    }
  }
}

template <bool Weighted>
HWY_INLINE void observe_all(const ObservedSums& task) {
  constexpr std::size_t kGroup = kManyRegisters ? 4 : 2;
  std::size_t i = 0;
  for (; i + kGroup * kLanes <= task.d; i += kGroup * kLanes) {
    observe_columns<kGroup, true, Weighted>(task, i);
  }
  for (; i + kLanes <= task.d; i += kLanes) { observe_columns<1, true, Weighted>(task, i); }
  if (i < task.d) { observe_columns<1, false, Weighted>(task, i); }
}

void observed_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                   std::size_t stride, const double* weights, const double* shift,
                   double* weight_sums, double* sums, double* squares) {
  const ObservedSums task{rows, members, n, d, stride, weights, shift, weight_sums, sums, squares};
  if (weights != nullptr) {
    observe_all<true>(task);
  } else {
    observe_all<false>(task);
  }
}

/// 0 x is 0 for every finite x and NaN for the others, and NaN stays in a sum. This is where rows
/// come from memory: asking for lines 16 KiB ahead reads a fifth faster than the processor's own
/// prefetching, which stops at page boundaries.
HWY_INLINE bool finite_run(const double* x, std::size_t count) {
  constexpr std::size_t kChains = 4;
  constexpr std::size_t kLineVectors = std::max<std::size_t>(1, 8 / kLanes);
  constexpr std::size_t kAhead = 2048;
  const Vector zero = hn::Zero(kTag);
  Vector sums[kChains] = {zero, zero, zero, zero};
  std::size_t i = 0;
  for (; i + kChains * kLanes <= count; i += kChains * kLanes) {
    for (std::size_t c = 0; c < kChains; c += kLineVectors) {
      __builtin_prefetch(x + i + c * kLanes + kAhead, 0, 2);
    }
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

HWY_EXPORT(member_sums);
HWY_EXPORT(observed_sums);
HWY_EXPORT(all_finite);

void member_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                 std::size_t stride, const double* weights, const double* shift, double* sums,
                 double* squares) {
  HWY_DYNAMIC_DISPATCH(member_sums)
  (rows, members, n, d, stride, weights, shift, sums, squares);
}

void observed_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                   std::size_t stride, const double* weights, const double* shift,
                   double* weight_sums, double* sums, double* squares) {
  HWY_DYNAMIC_DISPATCH(observed_sums)
  (rows, members, n, d, stride, weights, shift, weight_sums, sums, squares);
}

bool all_finite(const double* rows, std::size_t n, std::size_t d, std::size_t stride) {
  return HWY_DYNAMIC_DISPATCH(all_finite)(rows, n, d, stride);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
