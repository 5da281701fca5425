// The inverse Hessian H of L-BFGS, as the pairs that it is made of.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace logodds::optimize {

/// In one order of addition, so that the same numbers give the same bits.
[[nodiscard]] double dot(std::span<const double> a, std::span<const double> b);

/// The latest steps s and gradient changes y. H is `inverse`, or else `diagonal` (empty: the
/// identity) times s.y / (y.D y) of the latest pair, updated by every pair from the oldest to the
/// newest.
class LbfgsHistory {
 public:
  using Inverse = std::function<void(std::span<double>)>;
  /// Diagonal and inverse must outlive the history.
  LbfgsHistory(std::size_t memory, std::span<const double> diagonal, const Inverse& inverse,
               std::size_t dimension);

  /// Takes the step from one point to the next, unless its curvature s.y is not positive.
  void add(std::span<const double> theta, std::span<const double> next_theta,
           std::span<const double> gradient, std::span<const double> next_gradient);
  /// out = -H gradient, by the two loops of Nocedal and Wright, algorithm 7.4.
  void direction(std::span<const double> gradient, std::span<double> out);
  void clear() { pairs_.clear(); }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }

 private:
  struct Pair {
    std::vector<double> s;
    std::vector<double> y;
    double curvature = 0.0;  ///< s.y
  };
  [[nodiscard]] double diagonal_at(std::size_t i) const {
    return diagonal_.empty() ? 1.0 : diagonal_[i];
  }
  [[nodiscard]] double scale() const;
  void apply_first_guess(std::span<double> out) const;

  std::size_t memory_;
  std::span<const double> diagonal_;
  const Inverse& inverse_;
  std::deque<Pair> pairs_;  ///< oldest first
  Pair next_;
  std::vector<double> coefficients_;
};

}  // namespace logodds::optimize
