// The objective of three and more classes on plain memory; conventions as in kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// The scores of k classes, a_c = bias_c + sum_i (x_i - center_i) coefficients[i * k + c].
struct SoftmaxMap {
  std::size_t d;
  std::size_t k;
  const double* center;
  const double* coefficients;
  const double* bias;
};

/// Returns sum_r w_r (ln sum_c e^a_rc - a_r,y_r) and adds sum_r w_r (p_r - e_y_r) [x_r - center; 1]
/// to gradient, (d + 1) x k row-major. Labels y are 0 ... k - 1; weights null: 1. Scores are
/// finite. The rows are read once.
[[nodiscard]] double softmax_add(const double* rows, std::size_t n, std::size_t stride,
                                 const SoftmaxMap& map, const std::int32_t* labels,
                                 const double* weights, double* gradient);

namespace reference {

[[nodiscard]] double softmax_add(const double* rows, std::size_t n, std::size_t stride,
                                 const SoftmaxMap& map, const std::int32_t* labels,
                                 const double* weights, double* gradient);

}  // namespace reference

}  // namespace logodds::kernels
