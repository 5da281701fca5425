// Minus the log-likelihood of a net plus weight decay, with its gradient by back-propagation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/neural/net.hpp"
#include "parallel/team.hpp"

namespace logodds::models::neural {

/// Standardized rows in memory of their own.
struct NetRows {
  std::size_t rows = 0;
  std::vector<double> z;             ///< N x D, row-major
  std::vector<std::int32_t> labels;  ///< N
  std::vector<double> weights;       ///< N, or empty: all 1
  double weight = 0.0;               ///< their sum
};

/// What is fitted to them.
struct NetPlan {
  std::size_t inputs = 0;
  std::size_t hidden = 0;
  std::size_t classes = 0;
  Activation activation = Activation::tanh;
  bool skip = false;
  double decay = 0.0;

  /// Of the free parameters. For two classes the first is the reference (its score is 0), as in
  /// logistic regression: one output.
  [[nodiscard]] Layout free_layout() const {
    return {inputs, hidden, classes == 2 ? 1 : classes, skip};
  }
  /// With the reference class filled in.
  [[nodiscard]] Layout full_layout() const { return {inputs, hidden, classes, skip}; }
};

/// Parameters with the reference class filled in by zeros.
[[nodiscard]] std::vector<double> expanded(const NetPlan& plan, std::span<const double> theta);
/// And the way back; what the reference class has is taken off the others, which changes no
/// posterior.
[[nodiscard]] std::vector<double> without_reference(const NetPlan& plan,
                                                    std::span<const double> full);

/// f(theta) = sum_n w_n (ln sum_j exp a_nj - a_n,t_n) + eps sum theta_i^2, the latter over all
/// parameters but the biases of the outputs. Sums run over fixed parts of the rows, so the bits do
/// not depend on the number of threads.
class NetObjective {
 public:
  NetObjective(const NetRows& rows, const NetPlan& plan, int threads);

  [[nodiscard]] std::size_t dimension() const { return free_.size(); }
  double evaluate(std::span<const double> theta, std::span<double> gradient);
  /// The sum of the rows' losses alone.
  [[nodiscard]] double loss(std::span<const double> theta);
  /// An unbiased estimate of f / sum w_n from the rows with these numbers.
  double evaluate_batch(parallel::Team& team, std::span<const double> theta,
                        std::span<const std::uint32_t> members, std::span<double> gradient);

 private:
  struct Lane {
    double value = 0.0;
    std::vector<double> gradient;  ///< in the full layout
    std::vector<double> hidden;
    std::vector<double> deltas;
    std::vector<double> scores;
    std::vector<double> log_sums;  ///< and the scores of the true classes
    std::vector<double> skipped;
    std::vector<double> gathered;  ///< rows of a mini-batch
    std::vector<std::int32_t> labels;
    std::vector<double> weights;
  };
  /// Rows as they come: all of a block, or gathered ones.
  struct Block {
    const double* z;
    const std::int32_t* labels;
    const double* weights;  ///< null: 1
    std::size_t n;
  };
  void set(std::span<const double> theta);
  void run_lane(Lane& lane, std::size_t number, bool with_gradient) const;
  void run_members(Lane& lane, std::span<const std::uint32_t> members) const;
  void add_block(Lane& lane, const Block& block, bool with_gradient) const;
  void add_gradients(Lane& lane, const Block& block) const;
  void sum_lanes(std::size_t lanes, double factor, std::span<double> gradient) const;
  double add_decay(std::span<const double> theta, double factor, std::span<double> gradient) const;

  const NetRows& rows_;
  NetPlan plan_;
  Layout free_;
  Layout full_;
  int threads_;
  std::vector<Lane> lanes_;
  std::size_t row_lanes_ = 1;  ///< of a pass over all rows; a mini-batch may take more
  std::vector<double> zeros_;
  std::vector<double> parameters_;  ///< expanded
  std::vector<double> back_;        ///< output weights transposed, K x H
};

}  // namespace logodds::models::neural
