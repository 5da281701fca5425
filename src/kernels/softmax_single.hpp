// The objective of three and more classes in single precision, for steps far from the optimum.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/pair_picks.hpp"

namespace logodds::kernels {

/// The scores of k classes, a_c = bias_c + sum_i z_i coefficients[i * k + c], of standardised
/// columns z_i = (x_i - center_i) scale_i.
struct SingleMap {
  std::size_t d;
  std::size_t k;
  const double* center;
  const double* scale;
  const double* coefficients;
  const double* bias;
};

/// Rows that a call may take at a time.
inline constexpr std::size_t kMostTileRows = 128;

/// Where the z of a call's rows are kept for calls to come, in an order of the kernel's own.
struct SingleTiles {
  float* data = nullptr;  ///< aligned, d x n floats, n a multiple of kMostTileRows; null: nowhere
  bool there = false;     ///< a call with the same rows, center and scale has put them there
};

/// As softmax_add, with z in the place of x - center, in about 6 digits: z, scores and posteriors
/// are floats; tiles of rows are added up in doubles. Numbers that no float can hold make the loss
/// NaN or infinite. The rows are read once, or not at all when their z are there. `picks`, if not
/// null, gets the rows of this call added.
[[nodiscard]] double softmax_add_single(const double* rows, std::size_t n, std::size_t stride,
                                        const SingleMap& map, const std::int32_t* labels,
                                        const double* weights, double* gradient,
                                        const SingleTiles& tiles = {}, PairPicks* picks = nullptr);

namespace reference {

/// In doubles but for z, and nothing is kept.
[[nodiscard]] double softmax_add_single(const double* rows, std::size_t n, std::size_t stride,
                                        const SingleMap& map, const std::int32_t* labels,
                                        const double* weights, double* gradient,
                                        const SingleTiles& tiles = {}, PairPicks* picks = nullptr);

}  // namespace reference

}  // namespace logodds::kernels
