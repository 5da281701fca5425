// Rows that a pass over all of them picks for a guess of the Hessian of three and more classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logodds::kernels {

/// diag p - p p^T = sum_{b < c} p_b p_c (e_b - e_c)(e_b - e_c)^T: for two classes those rows count
/// in which p_b p_c is not small. A row is picked `rate` w p_b p_c times, on average over rows.
struct PairPicks {
  /// A row, by its number, for the pair c (c - 1) / 2 + b, b < c.
  struct Pick {
    std::uint32_t pair;
    std::uint32_t row;
  };

  double rate = 0.0;
  /// Of the tiles of rows that a call takes one after the other the first of so many is picked
  /// from, and stands for all: fewer rows are then read again.
  std::size_t every = 1;
  std::uint32_t first = 0;          ///< the number of a call's first row
  std::vector<Pick> picks{};        ///< of a row of large weight several
  std::vector<double> curvature{};  ///< by class: sum_r w_r p_rc (1 - p_rc), of all rows

  /// Times that a row is picked at most.
  static constexpr double kMostTimes = 16.0;

  /// Adds the picks of another call with the same rate.
  void join(const PairPicks& other);
  /// Where the i-th sum of a call begins, which picks a row whenever it reaches 1: evenly spread
  /// over 0 to 1, so that what is picked is right on average, however many sums there are.
  [[nodiscard]] double start(std::size_t i) const;
  void add(std::size_t pair, std::size_t row) {
    picks.push_back({static_cast<std::uint32_t>(pair), first + static_cast<std::uint32_t>(row)});
  }
  /// A call's row `row` brings a sum to `sum` >= 1, from `before`: picks it for as many pairs as
  /// that says. Posteriors stand at p, p + stride, ...
  template <class T>
  void add_pairs(const T* p, std::size_t stride, std::size_t row, double before, double sum);
};

extern template void PairPicks::add_pairs(const float*, std::size_t, std::size_t, double, double);
extern template void PairPicks::add_pairs(const double*, std::size_t, std::size_t, double, double);

/// The rows of picks by pair, in the order in which they were picked.
class PickedRows {
 public:
  explicit PickedRows(const PairPicks& picks);
  [[nodiscard]] std::size_t pairs() const { return starts_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t pair) const {
    return {rows_.data() + starts_[pair], starts_[pair + 1] - starts_[pair]};
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace logodds::kernels
