// Rows are transposed a few hundred at a time, so that a lane is a row throughout; scores,
// posteriors and weighted deviations of these rows stay in the first two levels of the cache.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mixture.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "kernels/exponential-inl.hpp"
#include "kernels/mixture.hpp"
#include "kernels/scratch.hpp"
#include "kernels/substitution-inl.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::mixture_add;

#else

/// Rows at a time. Between the columns of transposed rows is an odd multiple of a cache line, so
/// that they do not compete for the same lines of the cache.
constexpr std::size_t kMixtureRows = 256;
constexpr std::size_t kColumn = kMixtureRows + 8;
static_assert(kMixtureRows % kTileRows == 0);

/// A tile of products is kTall rows by up to kWide columns.
constexpr std::size_t kTall = kManyRegisters ? 8 : 4;
constexpr std::size_t kWide = 3;

/// Working memory for kMixtureRows rows: arrays of columns, kColumn doubles each.
struct MixtureBlock {
  std::size_t rows;  ///< in use; a multiple of kLanes, absent rows have weight 0
  double* x;         ///< d
  double* u;         ///< d, and room for a tile: sqrt(s) (x - mean)
  double* shares;    ///< k: scores, posteriors, then shares s
  double* weights;   ///< 1
  double* roots;     ///< 1: sqrt(s)
  double* solved;    ///< d x kTileRows
};

/// bias - 1/2 ||z||^2 of class c for the rows from r on.
HWY_INLINE void score_tile(const MixtureDensities& all, const MixtureBlock& block, std::size_t c,
                           std::size_t r) {
  const std::size_t d = all.d;
  double* const scores = block.shares + c * kColumn + r;
  if (all.factors != nullptr) {
    substitute_all({block.x + r, kColumn, d, all.means + c * d, all.factors + c * d * d,
                    all.inverse_diagonals + c * d, block.solved, scores});
  } else {
    std::fill_n(scores, kTileRows, 0.0);
    for (std::size_t i = 0; i < d; ++i) {
      const Vector mean = hn::Set(kTag, all.means[c * d + i]);
      const Vector inverse = hn::Set(kTag, all.inverse_diagonals[c * d + i]);
      for (std::size_t v = 0; v < kTileRows; v += kLanes) {
        const Vector z =
            hn::Mul(hn::Sub(hn::Load(kTag, block.x + i * kColumn + r + v), mean), inverse);
        hn::Store(hn::MulAdd(z, z, hn::Load(kTag, scores + v)), kTag, scores + v);
      }
    }
  }
  const Vector half = hn::Set(kTag, 0.5);
  const Vector bias = hn::Set(kTag, all.bias[c]);
  for (std::size_t v = 0; v < kTileRows; v += kLanes) {
    hn::Store(hn::NegMulAdd(half, hn::Load(kTag, scores + v), bias), kTag, scores + v);
  }
}

/// Scores to shares w exp(a - max) / sum, a vector of rows at a time; returns w (max + ln sum).
HWY_INLINE Vector share_out(const MixtureBlock& block, std::size_t k, std::size_t r) {
  Vector top = hn::Load(kTag, block.shares + r);
  for (std::size_t c = 1; c < k; ++c) {
    top = hn::Max(top, hn::Load(kTag, block.shares + c * kColumn + r));
  }
  Vector sum = hn::Zero(kTag);
  for (std::size_t c = 0; c < k; ++c) {
    double* const place = block.shares + c * kColumn + r;
    const Vector power = exponential(hn::Sub(hn::Load(kTag, place), top));
    sum = hn::Add(sum, power);
    hn::Store(power, kTag, place);
  }
  const Vector weight = hn::Load(kTag, block.weights + r);
  const Vector factor = hn::Div(weight, sum);
  for (std::size_t c = 0; c < k; ++c) {
    double* const place = block.shares + c * kColumn + r;
    hn::Store(hn::Mul(hn::Load(kTag, place), factor), kTag, place);
  }
  return hn::Mul(weight, hn::Add(top, hn::Log(kTag, sum)));
}

HWY_INLINE double lanes_sum(Vector values) { return hn::GetLane(hn::SumOfLanes(kTag, values)); }

/// Shares of class c to their roots; returns their sum.
HWY_INLINE double take_roots(const MixtureBlock& block, std::size_t c) {
  const double* const shares = block.shares + c * kColumn;
  Vector sum = hn::Zero(kTag);
  for (std::size_t r = 0; r < block.rows; r += kLanes) {
    const Vector share = hn::Load(kTag, shares + r);
    sum = hn::Add(sum, share);
    hn::Store(hn::Sqrt(share), kTag, block.roots + r);
  }
  return lanes_sum(sum);
}

/// u_i = sqrt(s) (x_i - mean_i) for Columns consecutive i; sums += sum s (x_i - mean_i) and, unless
/// Full, squares += sum s (x_i - mean_i)^2, and u is not stored.
template <std::size_t Columns, bool Full>
HWY_INLINE void weigh_columns(const MixtureBlock& block, std::size_t i, const double* means,
                              double* sums, double* squares) {
  const double* const x = block.x + i * kColumn;
  double* const u = block.u + i * kColumn;
  Vector sum[Columns];
  Vector square[Columns];
  for (std::size_t c = 0; c < Columns; ++c) { sum[c] = square[c] = hn::Zero(kTag); }
  for (std::size_t r = 0; r < block.rows; r += kLanes) {
    const Vector root = hn::Load(kTag, block.roots + r);
    for (std::size_t c = 0; c < Columns; ++c) {
      const Vector y = hn::Sub(hn::Load(kTag, x + c * kColumn + r), hn::Set(kTag, means[i + c]));
      const Vector weighted = hn::Mul(y, root);
      sum[c] = hn::MulAdd(weighted, root, sum[c]);
      if constexpr (Full) {
        hn::Store(weighted, kTag, u + c * kColumn + r);
      } else {
        square[c] = hn::MulAdd(weighted, weighted, square[c]);
      }
    }
  }
  for (std::size_t c = 0; c < Columns; ++c) {
    sums[i + c] += lanes_sum(sum[c]);
    if constexpr (!Full) { squares[i + c] += lanes_sum(square[c]); }
  }
}

template <bool Full>
HWY_INLINE void weigh_all(const MixtureBlock& block, std::size_t d, const double* means,
                          double* sums, double* squares) {
  constexpr std::size_t kAtOnce = 4;
  std::size_t i = 0;
  for (; i + kAtOnce <= d; i += kAtOnce) {
    weigh_columns<kAtOnce, Full>(block, i, means, sums, squares);
  }
  for (; i < d; ++i) { weigh_columns<1, Full>(block, i, means, sums, squares); }
}

/// Entries (i + t, j + w) of sum_r u u^T.
template <std::size_t Wide>
HWY_NOINLINE void product_tile(const MixtureBlock& block, std::size_t d, std::size_t i,
                               std::size_t j, double* products) {
  Vector sums[kTall][Wide];
  for (auto& row : sums) {
    for (Vector& sum : row) { sum = hn::Zero(kTag); }
  }
  const double* const left = block.u + i * kColumn;
  const double* const right = block.u + j * kColumn;
  for (std::size_t r = 0; r < block.rows; r += kLanes) {
    Vector b[Wide];
    for (std::size_t w = 0; w < Wide; ++w) { b[w] = hn::Load(kTag, right + w * kColumn + r); }
    for (std::size_t t = 0; t < kTall; ++t) {
      const Vector a = hn::Load(kTag, left + t * kColumn + r);
      for (std::size_t w = 0; w < Wide; ++w) { sums[t][w] = hn::MulAdd(a, b[w], sums[t][w]); }
    }
  }
  for (std::size_t t = 0; t < kTall && i + t < d; ++t) {
    for (std::size_t w = 0; w < Wide && j + w <= i + t; ++w) {
      products[(i + t) * d + j + w] += lanes_sum(sums[t][w]);
    }
  }
}

/// The lower triangle: kTall rows at a time, their columns in nearly equal groups.
HWY_INLINE void add_products(const MixtureBlock& block, std::size_t d, double* products) {
  constexpr void (*kTiles[])(const MixtureBlock&, std::size_t, std::size_t, std::size_t,
                             double*) = {product_tile<1>, product_tile<2>, product_tile<3>};
  for (std::size_t i = 0; i < d; i += kTall) {
    std::size_t columns = std::min(d, i + kTall);
    std::size_t groups = (columns + kWide - 1) / kWide;
    for (std::size_t j = 0; groups > 0; --groups) {
      const std::size_t wide = (columns + groups - 1) / groups;
      kTiles[wide - 1](block, d, i, j, products);
      j += wide;
      columns -= wide;
    }
  }
}

/// Rows to columns; absent ones are 0, with weight 0.
HWY_INLINE void load_rows(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                          const double* weights, const MixtureBlock& block) {
  for (std::size_t r = 0; r < block.rows; r += kLanes) {
    const std::size_t count = std::min(kLanes, n - std::min(n, r));
    const double* const p = rows + r * stride;
    std::size_t i = 0;
    for (; count == kLanes && i + 2 <= d; i += 2) {
      Vector first;
      Vector second;
      load_columns(kTag, p + i, stride, first, second);
      hn::Store(first, kTag, block.x + i * kColumn + r);
      hn::Store(second, kTag, block.x + (i + 1) * kColumn + r);
    }
    for (; i < d; ++i) {
      for (std::size_t s = 0; s < kLanes; ++s) {
        block.x[i * kColumn + r + s] = s < count ? p[s * stride + i] : 0.0;
      }
    }
    for (std::size_t s = 0; s < kLanes; ++s) {
      block.weights[r + s] = s >= count ? 0.0 : weights == nullptr ? 1.0 : weights[r + s];
    }
  }
}

HWY_INLINE void add_block(const MixtureDensities& all, const MixtureBlock& block,
                          MixtureSums& sums) {
  const std::size_t d = all.d;
  for (std::size_t r = 0; r < block.rows; r += kTileRows) {
    for (std::size_t c = 0; c < all.k; ++c) { score_tile(all, block, c, r); }
  }
  Vector log_likelihood = hn::Zero(kTag);
  for (std::size_t r = 0; r < block.rows; r += kLanes) {
    log_likelihood = hn::Add(log_likelihood, share_out(block, all.k, r));
  }
  sums.log_likelihood += lanes_sum(log_likelihood);
  for (std::size_t c = 0; c < all.k; ++c) {
    sums.weights[c] += take_roots(block, c);
    const double* const means = all.means + c * d;
    if (sums.full) {
      weigh_all<true>(block, d, means, sums.sums + c * d, nullptr);
      add_products(block, d, sums.products + c * d * d);
    } else {
      weigh_all<false>(block, d, means, sums.sums + c * d, sums.products + c * d);
    }
  }
}

void mixture_add(const double* rows, std::size_t n, std::size_t stride, const double* weights,
                 const MixtureDensities& all, MixtureSums& sums) {
  const std::size_t d = all.d;
  const Scratch memory((2 * d + kTall + all.k + 2) * kColumn + d * kTileRows);
  MixtureBlock block{};
  block.x = memory.data();
  block.u = block.x + d * kColumn;
  block.shares = block.u + (d + kTall) * kColumn;
  block.weights = block.shares + all.k * kColumn;
  block.roots = block.weights + kColumn;
  block.solved = block.roots + kColumn;
  std::fill_n(block.u + d * kColumn, kTall * kColumn, 0.0);
  for (std::size_t r = 0; r < n; r += kMixtureRows) {
    const std::size_t count = std::min(kMixtureRows, n - r);
    block.rows = (count + kTileRows - 1) / kTileRows * kTileRows;
    load_rows(rows + r * stride, count, d, stride, weights == nullptr ? nullptr : weights + r,
              block);
    add_block(all, block, sums);
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(mixture_add);

void mixture_add(const double* rows, std::size_t n, std::size_t stride, const double* weights,
                 const MixtureDensities& densities, MixtureSums& sums) {
  HWY_DYNAMIC_DISPATCH(mixture_add)(rows, n, stride, weights, densities, sums);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
