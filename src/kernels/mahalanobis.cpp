// Squared Mahalanobis lengths by forward substitution on tiles of transposed rows (lanes are rows).
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mahalanobis.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/scratch.hpp"
#include "kernels/substitution-inl.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::mahalanobis;
using reference::quadratic_scores;

#else

void mahalanobis(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* mean, const double* factor, const double* inverse_diagonal,
                 double* out, std::size_t out_stride) {
  const Scratch tile(d * kTileRows);
  const Scratch solved(d * kTileRows);
  HWY_ALIGN double norms[kTileRows];
  const Substitution task{tile.data(),      kTileRows,     d,    mean, factor,
                          inverse_diagonal, solved.data(), norms};
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
      substitute_all({tile.data(), kTileRows, d, means + c * d, factors + c * d * d,
                      inverse_diagonals + c * d, solved.data(), norms});
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
