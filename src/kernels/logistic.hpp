// The objective of two classes on plain memory; conventions as in kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// The log odds of two classes, a = bias + sum_i (x_i - center_i) coefficients_i.
struct LogisticMap {
  std::size_t d;
  const double* center;
  const double* coefficients;
  double bias;
};

/// Returns sum_r w_r (ln(1 + e^a_r) - y_r a_r) and adds sum_r w_r (sigma(a_r) - y_r) [x_r - center;
/// 1] to gradient (d + 1). Labels y are 0 or 1; weights null: 1. The rows are read once.
[[nodiscard]] double logistic_add(const double* rows, std::size_t n, std::size_t stride,
                                  const LogisticMap& map, const std::int32_t* labels,
                                  const double* weights, double* gradient);

namespace reference {

[[nodiscard]] double logistic_add(const double* rows, std::size_t n, std::size_t stride,
                                  const LogisticMap& map, const std::int32_t* labels,
                                  const double* weights, double* gradient);

}  // namespace reference

}  // namespace logodds::kernels
