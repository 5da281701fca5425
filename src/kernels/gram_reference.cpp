#include <vector>

#include "kernels/gram.hpp"

namespace logodds::kernels::reference {

void gram_add(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  for (std::size_t j = 0; j < x.columns; ++j) {
    for (std::size_t c = 0; c < width; ++c) {
      double sum = 0.0;
      for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
        sum += x.values[i] * v[x.rows[i] * width + c];
      }
      for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
        out[x.rows[i] * width + c] += x.values[i] * sum;
      }
    }
  }
}

void transposed_product(const SparseColumns& x, const double* v, std::size_t width, double* out) {
  for (std::size_t j = 0; j < x.columns; ++j) {
    for (std::size_t c = 0; c < width; ++c) {
      double sum = 0.0;
      for (std::size_t i = x.starts[j]; i < x.starts[j + 1]; ++i) {
        sum += x.values[i] * v[x.rows[i] * width + c];
      }
      out[j * width + c] = sum;
    }
  }
}

}  // namespace logodds::kernels::reference
