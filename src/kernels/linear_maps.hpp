// Several linear discriminants around one center, scored together. Conventions as in kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/row_losses.hpp"

namespace logodds::kernels {

/// m models of k classes over d columns: score c of model p is
///   a_pc(x) = bias_pc + sum_i (x_i - center_i) coefficients_pic.
struct LinearMaps {
  std::size_t d = 0;
  std::size_t k = 0;
  std::size_t m = 0;
  const double* center = nullptr;        ///< d
  const double* coefficients = nullptr;  ///< m x d x k
  const double* bias = nullptr;          ///< m x k
};

/// out[(p * n + r) * k + c] = a_pc(x_r).
void linear_maps_scores(const double* rows, std::size_t n, std::size_t stride,
                        const LinearMaps& maps, double* out);

/// What n rows of classes `truths` lose under each model; row r under model p at p * n + r. False
/// as row_losses() has it.
[[nodiscard]] bool linear_maps_losses(const double* rows, std::size_t n, std::size_t stride,
                                      const LinearMaps& maps, const std::int32_t* truths,
                                      const RowLosses& out);

namespace reference {

void linear_maps_scores(const double* rows, std::size_t n, std::size_t stride,
                        const LinearMaps& maps, double* out);
[[nodiscard]] bool linear_maps_losses(const double* rows, std::size_t n, std::size_t stride,
                                      const LinearMaps& maps, const std::int32_t* truths,
                                      const RowLosses& out);

}  // namespace reference

}  // namespace logodds::kernels
