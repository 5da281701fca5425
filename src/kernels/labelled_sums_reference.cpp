#include "kernels/labelled_sums.hpp"

namespace logodds::kernels::reference {

void labelled_sums(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* weights, const double* shift, const std::int32_t* labels,
                   double* sums) {
  for (std::size_t r = 0; r < n; ++r) {
    double* const to = sums + static_cast<std::size_t>(labels[r]) * d;
    const double weight = weights == nullptr ? 1.0 : weights[r];
    for (std::size_t i = 0; i < d; ++i) { to[i] += weight * (rows[r * stride + i] - shift[i]); }
  }
}

void moved_sums(const double* rows, std::size_t d, std::size_t stride, const double* shift,
                const RowMove* moves, std::size_t n, double* sums) {
  for (std::size_t m = 0; m < n; ++m) {
    const double* const x = rows + moves[m].row * stride;
    double* const to = sums + static_cast<std::size_t>(moves[m].to) * d;
    double* const from = sums + static_cast<std::size_t>(moves[m].from) * d;
    for (std::size_t i = 0; i < d; ++i) {
      const double value = x[i] - shift[i];
      to[i] += value;
      from[i] -= value;
    }
  }
}

}  // namespace logodds::kernels::reference
