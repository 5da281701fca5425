// Products with sparse rows or columns; conventions as in kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// Some rows or columns of a sparse matrix: line j holds values[i] at places[i], for i from
/// starts[j] up to starts[j + 1]. T: double or float.
template <class T>
struct LinesOf {
  std::size_t lines;
  const std::size_t* starts;
  const std::uint32_t* places;
  const T* values;
};
using SparseLines = LinesOf<double>;
using FloatLines = LinesOf<float>;

/// out[j * width + c] = sum_i values[i] v[places[i] * width + c]: columns give X^T v, rows X v.
/// width: a multiple of 4, or 1.
void sparse_product(const SparseLines& x, const double* v, std::size_t width, double* out);
void sparse_product(const FloatLines& x, const float* v, std::size_t width, float* out);

/// sums[j] = sum_i a[i] tables[j][i], in doubles.
void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums);

namespace reference {

void sparse_product(const SparseLines& x, const double* v, std::size_t width, double* out);
void sparse_product(const FloatLines& x, const float* v, std::size_t width, float* out);
void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums);

}  // namespace reference

}  // namespace logodds::kernels
