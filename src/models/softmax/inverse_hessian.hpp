// Guesses of the inverse Hessian of the softmax objective, from some of the rows.
#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

#include "kernels/pair_picks.hpp"
#include "models/softmax/objective.hpp"

namespace logodds::models::softmax {

/// The inverse of a matrix over all parameters, of one block a class, or of one block for all
/// classes. For K >= 3 vectors are first and last freed of what all classes have in common, along
/// which the likelihood is flat.
class InverseHessian {
 public:
  /// The whole Hessian of `objective` at theta. `extra` (one a parameter) is added to its diagonal.
  [[nodiscard]] static InverseHessian at(SoftmaxObjective& objective, std::span<const double> theta,
                                         std::span<const double> extra);
  /// The whole Hessian of `objective`, of three and more classes, from rows that a pass over all of
  /// them has picked.
  [[nodiscard]] static InverseHessian of_pairs(const SoftmaxObjective& objective,
                                               const kernels::PairPicks& picks);
  /// Blocks from all rows of `objective`, of which each class takes about `count`, those that count
  /// in its block more often than others: most rows are certain not to be of a class and say
  /// nothing about its curvature. A row of curvature c is taken with probability q ~ c and counts c
  /// / q.
  [[nodiscard]] static InverseHessian picked(const SoftmaxObjective& objective,
                                             std::span<const double> theta,
                                             std::span<const double> extra, std::size_t count);
  /// That of a fit whose posteriors are all alike: the typical curvature for every class.
  [[nodiscard]] static InverseHessian plain(const SoftmaxObjective& objective,
                                            std::span<const double> extra);

  /// v becomes H^-1 v.
  void apply(std::span<double> v) const;

  static constexpr std::size_t kMostWhole = 1000;

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Nothing but the sizes.
  explicit InverseHessian(const SoftmaxObjective& objective);
  /// Relative to the reference.
  void solve_relative(std::span<double> v) const;
  void factorize(Matrix block);
  void factorize(std::vector<Matrix> blocks);

  std::size_t free_ = 1;
  std::size_t width_ = 0;  ///< parameters of a class
  bool whole_ = false;
  std::size_t reference_ = kNone;  ///< the class that the others are relative to in the matrix
  bool shared_ = false;
  int threads_ = 1;
  std::vector<Eigen::LLT<Matrix>> factors_;
};

}  // namespace logodds::models::softmax
