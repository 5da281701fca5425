// Squared Mahalanobis lengths by forward substitution on tiles of transposed rows (lanes are rows).
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mahalanobis.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <utility>

#include "kernels/ahead.hpp"
#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::mahalanobis;
using reference::quadratic_scores;

#else

/// L z = x - mean by forward substitution, for the rows of a tile at once.
struct Substitution {
  const double* tile;  ///< x, transposed
  std::size_t d;
  const double* mean;
  const double* factor;
  const double* inverse_diagonal;
  double* solved;  ///< z, transposed
  double* norms;   ///< kTileRows sums of z^2
};

template <std::size_t... Steps, class Body>
HWY_INLINE void unrolled(std::index_sequence<Steps...>, const Body& body) {
  (body(std::integral_constant<std::size_t, Steps>{}), ...);
}

/// body(0), ..., body(Count - 1) with constants, so that arrays of vectors stay in registers.
template <std::size_t Count, class Body>
HWY_INLINE void unrolled(const Body& body) {
  unrolled(std::make_index_sequence<Count>{}, body);
}

/// z_i for Rows consecutive i: x_i - mean_i, what the solved z_j, j < i, take away, then the small
/// triangle.
template <std::size_t Rows>
HWY_NOINLINE void substitute(const Substitution& task, std::size_t i) {
  const Lines ahead = announced.take(2, task.mean);
  ahead.ask(0);
  ahead.ask(1);
  Vector z[Rows][kTileVectors];
  for (std::size_t t = 0; t < Rows; ++t) {
    const Vector mean = hn::Set(kTag, task.mean[i + t]);
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      z[t][v] = hn::Sub(hn::Load(kTag, task.tile + (i + t) * kTileRows + v * kLanes), mean);
    }
  }
  const double* factor = task.factor + i * task.d;
  for (std::size_t j = 0; j < i; ++j) {
    Vector known[kTileVectors];
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      known[v] = hn::Load(kTag, task.solved + j * kTileRows + v * kLanes);
    }
    for (std::size_t t = 0; t < Rows; ++t) {
      const Vector entry = hn::Set(kTag, factor[t * task.d + j]);
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        z[t][v] = hn::NegMulAdd(entry, known[v], z[t][v]);
      }
    }
  }
  unrolled<Rows>([&](auto t) {
    const Vector inverse = hn::Set(kTag, task.inverse_diagonal[i + t]);
    for (std::size_t v = 0; v < kTileVectors; ++v) { z[t][v] = hn::Mul(z[t][v], inverse); }
    unrolled<Rows - t - 1>([&](auto u) {
      const std::size_t below = t + 1 + u;
      const Vector entry = hn::Set(kTag, factor[below * task.d + i + t]);
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        z[below][v] = hn::NegMulAdd(entry, z[t][v], z[below][v]);
      }
    });
  });
  for (std::size_t v = 0; v < kTileVectors; ++v) {
    Vector norm = hn::Load(kTag, task.norms + v * kLanes);
    for (std::size_t t = 0; t < Rows; ++t) {
      norm = hn::MulAdd(z[t][v], z[t][v], norm);
      hn::Store(z[t][v], kTag, task.solved + (i + t) * kTileRows + v * kLanes);
    }
    hn::Store(norm, kTag, task.norms + v * kLanes);
  }
}

HWY_INLINE void substitute_all(const Substitution& task) {
  constexpr void (*kSteps[])(const Substitution&, std::size_t) = {
      substitute<1>, substitute<2>, substitute<3>, substitute<4>, substitute<5>, substitute<6>};
  constexpr std::size_t kMost = kManyRegisters ? 4 : 6;
  std::fill_n(task.norms, kTileRows, 0.0);
  for (std::size_t i = 0, groups = (task.d + kMost - 1) / kMost; groups > 0; --groups) {
    const std::size_t rows = (task.d - i + groups - 1) / groups;
    kSteps[rows - 1](task, i);
    i += rows;
  }
}

void mahalanobis(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* mean, const double* factor, const double* inverse_diagonal,
                 double* out, std::size_t out_stride) {
  const Scratch tile(d * kTileRows);
  const Scratch solved(d * kTileRows);
  HWY_ALIGN double norms[kTileRows];
  const Substitution task{tile.data(), d, mean, factor, inverse_diagonal, solved.data(), norms};
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(rows + r * stride, count, d, stride, nullptr, tile.data());
    substitute_all(task);
    for (std::size_t s = 0; s < count; ++s) { out[(r + s) * out_stride] = norms[s]; }
  }
}

void quadratic_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                      const double* means, const double* factors, const double* inverse_diagonals,
                      const double* bias, std::size_t k, double* out) {
  const Scratch tile(d * kTileRows);
  const Scratch solved(d * kTileRows);
  const Scratch scores(k * kTileRows);
  const Vector half = hn::Set(kTag, 0.5);
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(rows + r * stride, count, d, stride, nullptr, tile.data());
    for (std::size_t c = 0; c < k; ++c) {
      double* norms = scores.data() + c * kTileRows;
      substitute_all({tile.data(), d, means + c * d, factors + c * d * d, inverse_diagonals + c * d,
                      solved.data(), norms});
      const Vector constant = hn::Set(kTag, bias[c]);
      for (std::size_t v = 0; v < kTileRows; v += kLanes) {
        hn::Store(hn::NegMulAdd(half, hn::Load(kTag, norms + v), constant), kTag, norms + v);
      }
    }
    store_tile(kTag, scores.data(), count, 0, k, out + r * k);
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(mahalanobis);
HWY_EXPORT(quadratic_scores);

void mahalanobis(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* mean, const double* factor, const double* inverse_diagonal,
                 double* out, std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(mahalanobis)
  (rows, n, d, stride, mean, factor, inverse_diagonal, out, out_stride);
}

void quadratic_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                      const double* means, const double* factors, const double* inverse_diagonals,
                      const double* bias, std::size_t k, double* out) {
  HWY_DYNAMIC_DISPATCH(quadratic_scores)
  (rows, n, d, stride, means, factors, inverse_diagonals, bias, k, out);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
