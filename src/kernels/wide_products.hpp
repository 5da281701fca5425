// Sums of products in twice the precision: what least squares can be solved from without the rows.
#pragma once

#include <cstddef>

namespace logodds::kernels {

/// high + low (each m x m, row-major, lower triangle with the diagonal) += sum_r w_r a_r a_r^T over
/// n rows of m numbers, row r at rows + r * stride. Products are exact; their sums are as if they
/// had been taken with 106 bits and rounded at the end: T. Ogita, S. M. Rump & S. Oishi, SIAM J.
/// Sci. Comput. 26 (2005), algorithm Dot2, within an error of n^2 2^-104 sum |terms|. What is above
/// the diagonals is left alone. `weights` null: every w_r is 1; w_r a_ri is then rounded to 106
/// bits as well. At level plain, and on a processor without fused multiply-add, the plain loop
/// runs.
void wide_products_add(const double* rows, std::size_t n, std::size_t m, std::size_t stride,
                       const double* weights, double* high, double* low);

namespace reference {
void wide_products_add(const double* rows, std::size_t n, std::size_t m, std::size_t stride,
                       const double* weights, double* high, double* low);
}  // namespace reference

}  // namespace logodds::kernels
