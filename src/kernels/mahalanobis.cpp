// Squared Mahalanobis lengths by forward substitution on tiles of transposed rows (lanes are rows).
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mahalanobis.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::mahalanobis;

#else

/// Forward substitution in place: the tile's right-hand sides become z with L z = x - mean.
struct Substitution {
  double* tile;
  std::size_t d;
  const double* factor;
  const double* inverse_diagonal;
  double* norms;  ///< kTileRows sums of z^2
};

/// z_i for Rows consecutive i: first what the solved z_j, j < i, take away, then the small
/// triangle.
template <std::size_t Rows>
HWY_NOINLINE void substitute(const Substitution& task, std::size_t i) {
  Vector z[Rows][kTileVectors];
  double* solved = task.tile + i * kTileRows;
  for (std::size_t t = 0; t < Rows; ++t) {
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      z[t][v] = hn::Load(kTag, solved + t * kTileRows + v * kLanes);
    }
  }
  const double* factor = task.factor + i * task.d;
  for (std::size_t j = 0; j < i; ++j) {
    Vector known[kTileVectors];
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      known[v] = hn::Load(kTag, task.tile + j * kTileRows + v * kLanes);
    }
    for (std::size_t t = 0; t < Rows; ++t) {
      const Vector entry = hn::Set(kTag, factor[t * task.d + j]);
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        z[t][v] = hn::NegMulAdd(entry, known[v], z[t][v]);
      }
    }
  }
  for (std::size_t t = 0; t < Rows; ++t) {
    const Vector inverse = hn::Set(kTag, task.inverse_diagonal[i + t]);
    for (std::size_t v = 0; v < kTileVectors; ++v) { z[t][v] = hn::Mul(z[t][v], inverse); }
    for (std::size_t u = t + 1; u < Rows; ++u) {
      const Vector entry = hn::Set(kTag, factor[u * task.d + i + t]);
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        z[u][v] = hn::NegMulAdd(entry, z[t][v], z[u][v]);
      }
    }
  }
  for (std::size_t v = 0; v < kTileVectors; ++v) {
    Vector norm = hn::Load(kTag, task.norms + v * kLanes);
    for (std::size_t t = 0; t < Rows; ++t) {
      norm = hn::MulAdd(z[t][v], z[t][v], norm);
      hn::Store(z[t][v], kTag, solved + t * kTileRows + v * kLanes);
    }
    hn::Store(norm, kTag, task.norms + v * kLanes);
  }
}

HWY_INLINE void substitute_all(const Substitution& task) {
  constexpr std::size_t kRows = 4;
  std::size_t i = 0;
  for (; i + kRows <= task.d; i += kRows) { substitute<kRows>(task, i); }
  for (; i < task.d; ++i) { substitute<1>(task, i); }
}

void mahalanobis(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* mean, const double* factor, const double* inverse_diagonal,
                 double* out, std::size_t out_stride) {
  const Scratch tile(d * kTileRows);
  HWY_ALIGN double norms[kTileRows];
  for (std::size_t r = 0; r < n; r += kTileRows) {
    const std::size_t count = std::min(kTileRows, n - r);
    fill_tile(rows + r * stride, count, d, stride, mean, tile.data());
    std::fill_n(norms, kTileRows, 0.0);
    substitute_all({tile.data(), d, factor, inverse_diagonal, norms});
    for (std::size_t s = 0; s < count; ++s) { out[(r + s) * out_stride] = norms[s]; }
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(mahalanobis);

void mahalanobis(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* mean, const double* factor, const double* inverse_diagonal,
                 double* out, std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(mahalanobis)
  (rows, n, d, stride, mean, factor, inverse_diagonal, out, out_stride);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
