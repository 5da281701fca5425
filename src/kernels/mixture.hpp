// One pass of EM over rows: posteriors under Gaussian densities, and the moments of the rows
// weighted by them. Conventions as in kernels.hpp.
#pragma once

#include <cstddef>

namespace logodds::kernels {

/// k densities over d columns, as quadratic_scores() has them.
struct MixtureDensities {
  std::size_t d = 0;
  std::size_t k = 0;
  const double* means = nullptr;              ///< k x d
  const double* factors = nullptr;            ///< k x d x d; null: the diagonals are all there is
  const double* inverse_diagonals = nullptr;  ///< k x d
  const double* bias = nullptr;               ///< k: ln pi_c - 1/2 ln |2 pi Sigma_c|
};

/// With s_rc = w_r p(c | x_r) and y = x_r - means_c, added up over the rows.
struct MixtureSums {
  bool full = true;             ///< all products, or squares only
  double* weights = nullptr;    ///< k: sum s
  double* sums = nullptr;       ///< k x d: sum s y
  double* products = nullptr;   ///< k x d x d: sum s y y^T, lower triangles; or k x d: sum s y^2
  double log_likelihood = 0.0;  ///< sum w_r ln p(x_r); not finite when scores overflow
};

/// Adds n rows to the sums. `weights` by row, or null.
void mixture_add(const double* rows, std::size_t n, std::size_t stride, const double* weights,
                 const MixtureDensities& densities, MixtureSums& sums);

namespace reference {

void mixture_add(const double* rows, std::size_t n, std::size_t stride, const double* weights,
                 const MixtureDensities& densities, MixtureSums& sums);

}  // namespace reference

}  // namespace logodds::kernels
