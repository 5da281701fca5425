// Products with X X^T for sparse rows; conventions as in kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// Some columns of a sparse matrix: column j holds values[i] in row rows[i], for i from starts[j]
/// up to starts[j + 1]. T: double or float.
template <class T>
struct ColumnsOf {
  std::size_t columns;
  const std::size_t* starts;
  const std::uint32_t* rows;
  const T* values;
};
using SparseColumns = ColumnsOf<double>;
using FloatColumns = ColumnsOf<float>;

/// out (N x width) += sum_j x_j (x_j^T v) over the columns x_j, v being N x width and width a
/// multiple of 8 or 1: the products of one column stay in registers, so that nothing of the size
/// of the columns is ever stored. Returns the largest of their absolute values.
double gram_add(const SparseColumns& x, const double* v, std::size_t width, double* out);
double gram_add(const FloatColumns& x, const float* v, std::size_t width, float* out);

/// out[j * width + c] = sum_i values[i] v[rows[i] * width + c]: X^T v.
void transposed_product(const SparseColumns& x, const double* v, std::size_t width, double* out);

/// sums[j] = sum_i a[i] tables[j][i], in doubles.
void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums);

namespace reference {

double gram_add(const SparseColumns& x, const double* v, std::size_t width, double* out);
double gram_add(const FloatColumns& x, const float* v, std::size_t width, float* out);
void transposed_product(const SparseColumns& x, const double* v, std::size_t width, double* out);
void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums);

}  // namespace reference

}  // namespace logodds::kernels
