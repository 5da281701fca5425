// Minus the conditional log-likelihood of softmax regression plus weight decay, with its gradient.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logodds::models::softmax {

/// Rows for the optimiser, in coordinates of its own: z = T^T (x - m), so theta = T beta.
struct Problem {
  std::size_t rows = 0;
  std::size_t columns = 0;               ///< D
  std::size_t classes = 0;               ///< K
  std::vector<double> z;                 ///< N x D, row-major
  const std::int32_t* labels = nullptr;  ///< N
  const double* weights = nullptr;       ///< N, or null
  std::vector<double> decay;  ///< eps T^T T, the decay of beta: D x D, or its diagonal, D
  int threads = 1;
};

/// f(beta, b) = sum_n w_n (ln sum_j exp a_nj - a_n,t_n) + eps sum_k |T beta_k|^2, a_nk = beta_k .
/// z_n + b_k. For K >= 3 every class has its vector; for K = 2 the first class is the reference
/// (a_1 = 0), so that the decay acts on the log odds, as in logistic regression everywhere.
/// Parameters: beta, D x F row-major, then b, F, with F = K, or 1 for K = 2.
class SoftmaxObjective {
 public:
  explicit SoftmaxObjective(const Problem& problem);

  [[nodiscard]] std::size_t dimension() const { return (problem_.columns + 1) * free_; }
  [[nodiscard]] std::size_t free_classes() const { return free_; }
  double evaluate(std::span<const double> theta, std::span<double> gradient);
  /// The Hessian at theta, lower triangle: sum_n w_n (diag p_n - p_n p_n^T) x [z_n; 1][z_n; 1]^T
  /// plus twice the decay, in the order of the parameters. Costs N D^2 F^2 / 4 multiply-adds.
  void hessian(std::span<const double> theta, std::span<double> out);
  /// beta as D x K and b as K, with the reference class filled in by zeros.
  void expand(std::span<const double> theta, std::vector<double>& beta,
              std::vector<double>& bias) const;

 private:
  struct Lane {
    double value = 0.0;
    std::vector<double> gradient;  ///< (D + 1) x K
    std::vector<double> scores;
  };
  void run_lane(std::size_t lane, const std::vector<double>& beta, const std::vector<double>& bias);
  void add_block(Lane& lane, std::size_t begin, std::size_t end, const std::vector<double>& beta,
                 const std::vector<double>& bias) const;
  void add_decay_hessian(std::span<double> out) const;
  double add_decay(std::span<const double> theta, std::span<double> gradient) const;

  const Problem& problem_;
  std::size_t free_;
  std::vector<Lane> lanes_;
  std::vector<double> zeros_;  ///< centre of rows that are centred already
};

}  // namespace logodds::models::softmax
