#include "kernels/sparse_products.hpp"

namespace logodds::kernels::reference {

namespace {

template <class T>
void product_of(const LinesOf<T>& x, const T* v, std::size_t width, T* out) {
  for (std::size_t j = 0; j < x.lines; ++j) {
    for (std::size_t c = 0; c < width; ++c) {
      T sum = 0;
      for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
        sum += x.values[i] * v[x.places[i] * width + c];
      }
      out[j * width + c] = sum;
    }
  }
}

}  // namespace

void sparse_product(const SparseLines& x, const double* v, std::size_t width, double* out) {
  product_of(x, v, width, out);
}

void sparse_product(const FloatLines& x, const float* v, std::size_t width, float* out) {
  product_of(x, v, width, out);
}

void mixed_dots(const double* a, std::size_t n, const float* const* tables, std::size_t count,
                double* sums) {
  for (std::size_t j = 0; j < count; ++j) {
    sums[j] = 0.0;
    for (std::size_t i = 0; i < n; ++i) { sums[j] += a[i] * static_cast<double>(tables[j][i]); }
  }
}

}  // namespace logodds::kernels::reference
