// Sums of rows by label; conventions as in kernels.hpp. No operations are fused, so that sums have
// the same bits at every level.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// A row that goes from the sum of one label to that of another.
struct RowMove {
  std::size_t row;
  std::int32_t from;
  std::int32_t to;
};

/// sums[labels[r] * d + i] += w_r (x_ri - shift_i) for the n rows, in their order. `weights` null:
/// all 1.
void labelled_sums(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* weights, const double* shift, const std::int32_t* labels,
                   double* sums);

/// Of n moves, in their order: sums[to * d + i] += x_i - shift_i, and taken from sums[from * d +
/// i].
void moved_sums(const double* rows, std::size_t d, std::size_t stride, const double* shift,
                const RowMove* moves, std::size_t n, double* sums);

namespace reference {

void labelled_sums(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* weights, const double* shift, const std::int32_t* labels,
                   double* sums);
void moved_sums(const double* rows, std::size_t d, std::size_t stride, const double* shift,
                const RowMove* moves, std::size_t n, double* sums);

}  // namespace reference

}  // namespace logodds::kernels
