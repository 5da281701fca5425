#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/gram.hpp"

namespace logodds::kernels::reference {

namespace {

template <class T>
T column_sum(const ColumnsOf<T>& x, std::size_t j, const T* v, std::size_t width, std::size_t c) {
  T sum = 0;
  for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
    sum += x.values[i] * v[x.rows[i] * width + c];
  }
  return sum;
}

template <class T>
double gram_add_of(const ColumnsOf<T>& x, const T* v, std::size_t width, T* out) {
  T largest = 0;
  for (std::size_t j = 0; j < x.columns; ++j) {
    for (std::size_t c = 0; c < width; ++c) {
      const T sum = column_sum(x, j, v, width, c);
      largest = std::max(largest, std::abs(sum));
      for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
        out[x.rows[i] * width + c] += x.values[i] * sum;
      }
    }
  }
  return static_cast<double>(largest);
}

}  // namespace

double gram_add(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  return gram_add_of(x, v, width, out);
}

double gram_add(const FloatColumns& x, const float* v, std::size_t width, float* out) {
  return gram_add_of(x, v, width, out);
}

void transposed_product(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  for (std::size_t j = 0; j < x.columns; ++j) {
    for (std::size_t c = 0; c < width; ++c) { out[j * width + c] = column_sum(x, j, v, width, c); }
  }
}

void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums) {
  for (std::size_t j = 0; j < count; ++j) {
    sums[j] = 0.0;
    for (std::size_t i = 0; i < n; ++i) { sums[j] += a[i] * static_cast<double>(tables[j][i]); }
  }
}

}  // namespace logodds::kernels::reference
