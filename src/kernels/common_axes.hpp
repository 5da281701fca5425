// Several Gaussian models whose covariances have axes in common, scored together. Conventions as in
// kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/row_losses.hpp"

namespace logodds::kernels {

/// m models of k classes over d columns: score c of model p is
///   a_pc(x) = bias_cp + sum_t halves_ctp z_ct^2,  z_c = W_c (x - means_c).
struct CommonAxes {
  std::size_t d = 0;
  std::size_t k = 0;
  std::size_t m = 0;
  const double* means = nullptr;   ///< k x d
  const double* axes = nullptr;    ///< k x d x d: W_c transposed, axis t in column t
  const double* halves = nullptr;  ///< k x d x m: -1/2 of the precision along axis t
  const double* bias = nullptr;    ///< k x m
};

/// out[(p * n + r) * k + c] = a_pc(x_r): d products a row and class for all models, and one more
/// for each.
void common_axes_scores(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, double* out);

/// What n rows of classes `truths` lose under each model; row r under model p at p * n + r. False
/// as row_losses() has it.
[[nodiscard]] bool common_axes_losses(const double* rows, std::size_t n, std::size_t stride,
                                      const CommonAxes& models, const std::int32_t* truths,
                                      const RowLosses& out);

namespace reference {

void common_axes_scores(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, double* out);
[[nodiscard]] bool common_axes_losses(const double* rows, std::size_t n, std::size_t stride,
                                      const CommonAxes& models, const std::int32_t* truths,
                                      const RowLosses& out);

}  // namespace reference

}  // namespace logodds::kernels
