// L z = x - mean by forward substitution, for a tile of transposed rows at once (lanes are rows).
// Included once for every target.
#if defined(LOGODDS_KERNELS_SUBSTITUTION_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_SUBSTITUTION_INL_
#undef LOGODDS_KERNELS_SUBSTITUTION_INL_
#else
#define LOGODDS_KERNELS_SUBSTITUTION_INL_
#endif

#include <utility>

#include "kernels/ahead.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

struct Substitution {
  const double* tile;  ///< x, transposed: element i of row r at tile[i * stride + r]
  std::size_t stride;
  std::size_t d;
  const double* mean;
  const double* factor;
  const double* inverse_diagonal;
  double* solved;  ///< z, transposed, kTileRows between its elements
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
      z[t][v] = hn::Sub(hn::Load(kTag, task.tile + (i + t) * task.stride + v * kLanes), mean);
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

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
