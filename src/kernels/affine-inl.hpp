// Linear maps of a tile of transposed rows (lanes are rows). Included once for every target.
#if defined(LOGODDS_KERNELS_AFFINE_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_AFFINE_INL_
#undef LOGODDS_KERNELS_AFFINE_INL_
#else
#define LOGODDS_KERNELS_AFFINE_INL_
#endif

#include "kernels/ahead.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

/// A linear map of k classes and the tile it is applied to.
struct Affine {
  const double* tile;
  std::size_t d;
  const double* coefficients;
  const double* bias;
  std::size_t k;
  double* scores;     ///< transposed: class c, row r at c * apart + r
  std::size_t apart;  ///< kTileRows, or more where the scores of other maps stand between
};

template <std::size_t Classes>
HWY_NOINLINE void affine_tile(const Affine& map, std::size_t c) {
  Vector sums[Classes][kTileVectors];
  for (std::size_t t = 0; t < Classes; ++t) {
    for (Vector& sum : sums[t]) { sum = hn::Set(kTag, map.bias[c + t]); }
  }
  const double* weights = map.coefficients + c;
  const Lines ahead = announced.take(2 * map.d, map.bias);
  for (std::size_t i = 0; i < map.d; ++i) {
    ahead.ask(2 * i);
    ahead.ask(2 * i + 1);
    Vector x[kTileVectors];
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      x[v] = hn::Load(kTag, map.tile + i * kTileRows + v * kLanes);
    }
    for (std::size_t t = 0; t < Classes; ++t) {
      const Vector weight = hn::Set(kTag, weights[i * map.k + t]);
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        sums[t][v] = hn::MulAdd(x[v], weight, sums[t][v]);
      }
    }
  }
  for (std::size_t t = 0; t < Classes; ++t) {
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      hn::Store(sums[t][v], kTag, map.scores + (c + t) * map.apart + v * kLanes);
    }
  }
}

HWY_INLINE void affine_all(const Affine& map) {
  constexpr void (*kTiles[])(const Affine&, std::size_t) = {
      affine_tile<1>, affine_tile<2>, affine_tile<3>, affine_tile<4>, affine_tile<5>};
  constexpr std::size_t kMost = std::size(kTiles);
  for (std::size_t c = 0, groups = (map.k + kMost - 1) / kMost; groups > 0; --groups) {
    const std::size_t classes = (map.k - c + groups - 1) / groups;
    kTiles[classes - 1](map, c);
    c += classes;
  }
}

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
