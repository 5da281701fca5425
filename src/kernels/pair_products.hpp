// Hessians of several classes in single precision, for guesses of an inverse Hessian.
#pragma once

#include <cstddef>

namespace logodds::kernels {

/// sums[(i (i + 1) / 2 + j) * pairs + q] += sum_r z[r][i] z[r][j] factors[r][q] for j <= i < d and
/// q < pairs, in about 6 digits. `z`: n rows, `stride` apart, which is d rounded up to a multiple
/// of 4 at least; what stands behind the d numbers is read, and does not matter. n is at most a few
/// hundred: rows are added up as floats.
void pair_products_add(const float* z, std::size_t n, std::size_t d, std::size_t stride,
                       const float* factors, std::size_t pairs, double* sums);

namespace reference {

/// In doubles.
void pair_products_add(const float* z, std::size_t n, std::size_t d, std::size_t stride,
                       const float* factors, std::size_t pairs, double* sums);

}  // namespace reference

}  // namespace logodds::kernels
