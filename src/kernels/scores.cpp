// Discriminants of tiles of transposed rows: lanes are rows, so any number of classes fills them.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scores.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/affine-inl.hpp"
#include "kernels/ahead.hpp"
#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::affine_scores;
using reference::diagonal_scores;

#else

void affine_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* center, const double* coefficients, const double* bias,
                   std::size_t k, double* out) {
  const Scratch tile(d * kTileRows);
  const Scratch scores(k * kTileRows);
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(rows + r * stride, count, d, stride, center, tile.data());
    affine_all({tile.data(), d, coefficients, bias, k, scores.data(), kTileRows});
    store_tile(kTag, scores.data(), count, 0, k, out + r * k);
  }
}

/// Axis-aligned Gaussians and the tile they are applied to.
struct Diagonal {
  const double* tile;
  std::size_t d;
  const double* means;
  const double* precisions;
  const double* bias;
  double* scores;  ///< transposed, as above
};

template <std::size_t Classes>
HWY_NOINLINE void diagonal_tile(const Diagonal& map, std::size_t c) {
  Vector sums[Classes][kTileVectors];
  for (auto& row : sums) {
    for (Vector& sum : row) { sum = hn::Zero(kTag); }
  }
  const Lines ahead = announced.take(map.d, map.bias);
  for (std::size_t i = 0; i < map.d; ++i) {
    ahead.ask(i);
    for (std::size_t t = 0; t < Classes; ++t) {
      const Vector mean = hn::Set(kTag, map.means[(c + t) * map.d + i]);
      const Vector precision = hn::Set(kTag, map.precisions[(c + t) * map.d + i]);
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        const Vector x = hn::Load(kTag, map.tile + i * kTileRows + v * kLanes);
        const Vector deviation = hn::Sub(x, mean);
        sums[t][v] = hn::MulAdd(hn::Mul(precision, deviation), deviation, sums[t][v]);
      }
    }
  }
  const Vector half = hn::Set(kTag, 0.5);
  for (std::size_t t = 0; t < Classes; ++t) {
    const Vector bias = hn::Set(kTag, map.bias[c + t]);
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      hn::Store(hn::NegMulAdd(half, sums[t][v], bias), kTag,
                map.scores + (c + t) * kTileRows + v * kLanes);
    }
  }
}

void diagonal_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                     const double* means, const double* precisions, const double* bias,
                     std::size_t k, double* out) {
  const Scratch tile(d * kTileRows);
  const Scratch scores(k * kTileRows);
  const Diagonal map{tile.data(), d, means, precisions, bias, scores.data()};
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(rows + r * stride, count, d, stride, nullptr, tile.data());
    std::size_t c = 0;
    for (; c + 2 <= k; c += 2) { diagonal_tile<2>(map, c); }
    if (c < k) { diagonal_tile<1>(map, c); }
    store_tile(kTag, scores.data(), count, 0, k, out + r * k);
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(affine_scores);
HWY_EXPORT(diagonal_scores);

void affine_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* center, const double* coefficients, const double* bias,
                   std::size_t k, double* out) {
  HWY_DYNAMIC_DISPATCH(affine_scores)(rows, n, d, stride, center, coefficients, bias, k, out);
}

void diagonal_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                     const double* means, const double* precisions, const double* bias,
                     std::size_t k, double* out) {
  HWY_DYNAMIC_DISPATCH(diagonal_scores)(rows, n, d, stride, means, precisions, bias, k, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
