// Minus the conditional log-likelihood of softmax regression plus weight decay, with its gradient.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "memory/large_array.hpp"

namespace logodds::kernels {
struct PairPicks;
}  // namespace logodds::kernels

namespace logodds::parallel {
class Team;
}  // namespace logodds::parallel

namespace logodds::models::softmax {

/// Rows for the optimiser, in coordinates of its own: theta = T beta, z = T^T (x - m). Either the
/// rows are these z (`center` 0, `scale` empty), or they are the user's, used where they lie, and T
/// is diagonal.
struct Problem {
  std::size_t rows = 0;
  std::size_t columns = 0;    ///< D
  std::size_t classes = 0;    ///< K
  const double* x = nullptr;  ///< N x D, row-major
  std::size_t stride = 0;
  std::vector<double> center;            ///< D
  std::vector<double> scale{};           ///< D, the diagonal of T, or empty
  const std::int32_t* labels = nullptr;  ///< N
  const double* weights = nullptr;       ///< N, or null
  std::vector<double> decay{};           ///< of beta, eps T^T T: D x D, or its diagonal, D
  bool intercept = true;
  int threads = 1;
  parallel::Team* team = nullptr;  ///< that does the work; null: threads are started for each pass
};

/// f(beta, b) = sum_n w_n (ln sum_j exp a_nj - a_n,t_n) + eps sum_k |T beta_k|^2, a_nk = beta_k .
/// z_n + b_k. For K >= 3 every class has its vector; for K = 2 the first class is the reference
/// (a_1 = 0), so that the decay acts on the log odds, as in logistic regression everywhere.
/// Parameters: beta, D x F row-major, then b, F, with F = K, or 1 for K = 2; no b without
/// intercept.
class SoftmaxObjective {
 public:
  explicit SoftmaxObjective(const Problem& problem);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] std::size_t dimension() const {
    return (problem_.columns + (problem_.intercept ? 1 : 0)) * free_;
  }
  [[nodiscard]] std::size_t free_classes() const { return free_; }
  [[nodiscard]] double weight() const { return weight_; }  ///< of all rows
  /// Whether floats hold sums of rows with these weights, and their products.
  [[nodiscard]] bool floats_hold_weights() const { return floats_hold_weights_; }
  double evaluate(std::span<const double> theta, std::span<double> gradient);
  /// The same in single precision, for three and more classes of rows where they lie (`scale`),
  /// unless weights are out of its range. Of rows that are not too many a copy in single precision
  /// is kept for the next time. `picks`: gets rows for the Hessian at theta, at its rate, unless
  /// weights are out of range.
  double evaluate_roughly(std::span<const double> theta, std::span<double> gradient,
                          kernels::PairPicks* picks = nullptr);
  /// The Hessian at theta, lower triangle: sum_n w_n (diag p_n - p_n p_n^T) x [z_n; 1][z_n; 1]^T
  /// plus twice the decay, in the order of the parameters. The direction in which all biases move
  /// together, along which the objective is flat, is given a curvature. Costs N D^2 F^2 / 4
  /// multiply-adds.
  void hessian(std::span<const double> theta, std::span<double> out);
  /// The gradient of the mean objective, estimated from the rows with these numbers.
  void batch_gradient(std::span<const double> theta, std::span<const std::uint32_t> rows,
                      std::span<double> gradient) const;
  /// T beta as D x K and b as K, with the reference class filled in by zeros.
  void expand(std::span<const double> theta, std::vector<double>& coefficients,
              std::vector<double>& bias) const;
  /// work(0) ... work(count - 1), in all threads.
  void each(std::size_t count, const std::function<void(std::size_t)>& work) const;

 private:
  struct Lane {
    double value = 0.0;
    std::vector<double> gradient;  ///< (D + 1) x K
  };
  /// T beta and b, of all classes.
  struct Map {
    std::vector<double> coefficients;
    std::vector<double> bias;
  };
  struct PairSums;
  void add_pairs(PairSums& to, std::size_t begin, std::size_t end, const Map& map) const;
  /// Without the decay; `size` rows a block.
  void sum_pairs(std::span<const double> theta, std::size_t size, std::span<double> out) const;
  /// From sums over pairs to the Hessian.
  void spread_pairs(const std::vector<double>& sums, std::span<double> out) const;
  /// add(lane, begin, end) for every lane, whose rows follow each other: the kernels ask the memory
  /// for rows ahead of time, as far as they go on.
  using AddRows = std::function<void(Lane&, std::size_t, std::size_t)>;
  void run_lanes(const AddRows& add);
  void make_room_for_tiles();
  void add_rows(Lane& lane, std::size_t begin, std::size_t end, const Map& map) const;
  void add_two_class_rows(Lane& lane, std::size_t begin, std::size_t end, const Map& map) const;
  /// Of rows from `begin` on, or null.
  [[nodiscard]] const double* weights_from(std::size_t begin) const {
    return problem_.weights == nullptr ? nullptr : problem_.weights + begin;
  }
  /// From a gradient in (D + 1) x K to that of the parameters.
  void add_reduced(std::span<const double> gradient, std::span<double> out) const;
  void add_decay_hessian(std::span<double> out) const;
  /// For the biases.
  void add_common_curvature(std::span<double> out) const;
  double add_decay(double factor, std::span<const double> theta, std::span<double> gradient) const;

  const Problem& problem_;
  std::size_t free_;
  double weight_;
  bool floats_hold_weights_;
  std::vector<Lane> lanes_;
  memory::LargeArray<float> tiles_;  ///< z of evaluate_roughly(), lane after lane
  bool tiles_there_ = false;
};

}  // namespace logodds::models::softmax
