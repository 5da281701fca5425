// What rows lose whose posteriors are the softmax of their scores. Conventions as in kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// One value a row in each array.
struct RowLosses {
  double* own;       ///< the posterior of the row's class
  double* log_loss;  ///< -ln own, 708.4 where own is 0
  double* brier;     ///< sum_c (p_c - [c is the row's class])^2
  double* wrong;     ///< 1 where another class is decided, ties going to the first; else 0

  /// From place `first` on.
  [[nodiscard]] RowLosses from(std::size_t first) const {
    return {own + first, log_loss + first, brier + first, wrong + first};
  }
};

/// Of n rows of k scores with classes `truths`. False, and nothing is known of `out`, where a score
/// is NaN or a row has none that is finite.
[[nodiscard]] bool row_losses(const double* scores, std::size_t n, std::size_t k,
                              const std::int32_t* truths, const RowLosses& out);

namespace reference {

[[nodiscard]] bool row_losses(const double* scores, std::size_t n, std::size_t k,
                              const std::int32_t* truths, const RowLosses& out);

}  // namespace reference

}  // namespace logodds::kernels
