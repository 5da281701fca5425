// A sum of normal bumps where values lie thick: a fast Gauss transform in one dimension (Greengard
// and Strain 1991), with a polynomial for the logarithm of the sum in every cell.
//
// Cells are as wide as the power of two D in (h/4, h/2], and their centers are multiples of D:
// exact numbers, and so are differences of values and centers. With s = (v - b) / h in a cell
// around b and t = (x - b) / h,
//     sum_v w exp(-(t - s)^2 / 2) = exp(-t^2 / 2) sum_p t^p M_p,
//     M_p = sum_v w exp(-s^2 / 2) s^p / p!,
// because exp(t s) is a power series; |s| <= 1/4, so terms of order 24 are below 2^-56 up to t = 7,
// and beyond they are less than what the nearer values give. The sums at 16 places of a cell give
// its LogPiece.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/naive_bayes/columns/log_piece.hpp"

namespace logodds::models::naive_bayes::columns {

class BumpCells {
 public:
  /// So many values within reach are added up one by one.
  static constexpr std::size_t kFew = 256;

  /// Values ascend, and are different; weights are positive.
  BumpCells(std::span<const double> values, std::span<const double> weights, double width);

  /// ln sum_v w_v exp(-((x - v) / h)^2 / 2); nothing where values are few or far, or where the
  /// series does not reach 2^-50.
  [[nodiscard]] std::optional<double> log_sum(double x) const {
    const double place = x * inverse_cell_ - first_place_;
    return place >= 0.0 && place < cells_ ? log_sum_in_runs(x, place) : std::nullopt;
  }

 private:
  /// Cells side by side: numbers `first` to `last`, whose pieces begin at `piece`.
  struct Run {
    std::int64_t first;
    std::int64_t last;
    std::size_t piece;
  };

  [[nodiscard]] std::int64_t cell_of(double x) const;
  void find_runs(std::span<const double> values);
  void add_run(std::int64_t first, std::int64_t last);
  void add_moments(std::span<const double> values, std::span<const double> weights);
  void fill_bumps();
  [[nodiscard]] std::optional<double> log_sum_in_runs(double x, double place) const;
  [[nodiscard]] LogPiece piece_of(std::int64_t cell) const;

  double width_;       ///< h
  double cell_ = 0.0;  ///< D
  double inverse_cell_ = 0.0;
  double ratio_ = 0.0;  ///< D / h
  double weight_ = 0.0;
  std::int64_t reach_ = 0;             ///< in cells
  double first_place_ = 0.0;           ///< where the first run begins, in cells
  double cells_ = 0.0;                 ///< from there to the end of the last
  std::vector<Run> runs_;              ///< where enough values are within reach, ascending
  std::vector<std::int64_t> sources_;  ///< cells with values near the runs, ascending
  std::vector<kernels::BumpMoments> moments_;
  kernels::BumpPlaces places_{};            ///< of a LogPiece, in bandwidths
  std::vector<kernels::BumpPlaces> bumps_;  ///< exp(-t^2 / 2) at them, for offsets from -reach_ on
  LazyPieces pieces_;
};

}  // namespace logodds::models::naive_bayes::columns
