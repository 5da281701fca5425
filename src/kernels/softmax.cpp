// Posteriors and decisions from scores. Short rows are transposed, so that a lane is a row and no
// sum runs across lanes. Long rows stay as they are, a few kilobytes of them at a time, and the
// exponentials run over them as one array.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "kernels/exponential-inl.hpp"
#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/scratch.hpp"
#include "kernels/softmax-inl.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::argmax_rows;
using reference::softmax_rows;

#else

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

HWY_INLINE void softmax_long(double* scores, std::size_t n, std::size_t k, double* log_sums) {
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

HWY_INLINE void softmax_short(double* scores, std::size_t n, std::size_t k, double* log_sums) {
  const Scratch tile(k * kTileRows);
  HWY_ALIGN double tops[kTileRows] = {};
  HWY_ALIGN double sums[kTileRows] = {};
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(scores + r * k, count, k, k, nullptr, tile.data());
    for (std::size_t v = 0; v < count; v += kLanes) {
      const TopAndSum found = softmax_columns(tile.data() + v, k);
      hn::Store(found.top, kTag, tops + v);
      hn::Store(found.sum, kTag, sums + v);
    }
    store_tile(kTag, tile.data(), count, 0, k, scores + r * k);
    if (log_sums != nullptr) { add_logs(tops, sums, count, log_sums + r); }
  }
}

void softmax_rows(double* scores, std::size_t n, std::size_t k, double* log_sums) {
  constexpr std::size_t kShort = 64;
  if (k <= kShort) {
    softmax_short(scores, n, k, log_sums);
  } else {
    softmax_long(scores, n, k, log_sums);
  }
}

void argmax_rows(const double* scores, std::size_t n, std::size_t k, std::int32_t* out) {
  const Scratch tile(k * kTileRows);
  HWY_ALIGN double places[kTileRows];
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(scores + r * k, count, k, k, nullptr, tile.data());
    for (std::size_t v = 0; v < count; v += kLanes) {
      Vector top = hn::Load(kTag, tile.data() + v);
      Vector place = hn::Zero(kTag);
      for (std::size_t c = 1; c < k; ++c) {
        const Vector score = hn::Load(kTag, tile.data() + c * kTileRows + v);
        place = hn::IfThenElse(hn::Gt(score, top), hn::Set(kTag, static_cast<double>(c)), place);
        top = hn::Max(score, top);
      }
      hn::Store(place, kTag, places + v);
    }
    for (std::size_t s = 0; s < count; ++s) { out[r + s] = static_cast<std::int32_t>(places[s]); }
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(softmax_rows);
HWY_EXPORT(argmax_rows);

void softmax_rows(double* scores, std::size_t n, std::size_t k, double* log_sums) {
  HWY_DYNAMIC_DISPATCH(softmax_rows)(scores, n, k, log_sums);
}

void argmax_rows(const double* scores, std::size_t n, std::size_t k, std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(argmax_rows)(scores, n, k, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
