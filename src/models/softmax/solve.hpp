// Rows to the coefficients that minimise the stated objective of softmax regression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/row_block.hpp"
#include "models/linear/fit_trace.hpp"

namespace logodds::models::softmax {

/// What is asked of the optimiser. The objective is, in the user's units and without a penalty on
/// intercepts,
///   - sum_n w_n ln p(t_n | x_n) + decay sum_ik theta_ik^2 + l1 sum_ik |theta_ik|.
struct Wish {
  double decay = 1e-6;
  double l1 = 0.0;
  bool standardize = false;  ///< the penalties act on the coefficients of standardised columns
  bool intercept = true;
  std::string optimizer = "auto";  ///< or the name of one
  double tolerance = 1e-8;  ///< largest component of the gradient, per unit of weight, at the end
  std::size_t max_iterations = 10000;
  double step = 0.1;        ///< of gradient-descent and sgd
  std::size_t batch = 32;   ///< of sgd
  std::size_t passes = 50;  ///< of sgd
  std::uint64_t seed = 0;   ///< of sgd
};

/// The rows of a fit: dense (`x`), or sparse when `sparse` has starts.
struct FitRows {
  DesignRows x{};
  SparseRows sparse{};
  std::size_t rows = 0;
  std::size_t columns = 0;               ///< D
  std::size_t classes = 0;               ///< K >= 2
  const std::int32_t* labels = nullptr;  ///< N, from 0 to K - 1
  const double* weights = nullptr;       ///< N, positive, or null: all 1
  double weight = 0.0;                   ///< their sum
  int threads = 1;

  [[nodiscard]] bool is_sparse() const { return sparse.starts != nullptr; }
  [[nodiscard]] double weight_of(std::size_t row) const {
    return weights == nullptr ? 1.0 : weights[row];
  }
};

/// Where to start, in the user's units; both empty: at the log priors. `coefficients` is D x K
/// row-major, `intercepts` (K) belong to x = 0.
struct Start {
  std::vector<double> coefficients{};
  std::vector<double> intercepts{};
};

/// a_k = theta_k . (x - center) + bias_k. For K = 2 the first class is the reference, with zeros;
/// for K >= 3 coefficients and biases sum to 0 over the classes, without L1 and where a column
/// tells anything.
struct Solution {
  std::vector<double> center{};        ///< D
  std::vector<double> coefficients{};  ///< D x K row-major, in the user's units
  std::vector<double> bias{};          ///< K
  double objective = 0.0;
  double gradient_norm = 0.0;  ///< largest component, in the inner coordinates; this and the
                               ///< objective may be those before a last small step
  std::size_t iterations = 0;
  bool converged = false;
  std::string optimizer{};  ///< what was run: "newton", or "lbfgs, then newton"
};

/// Whether there is a Hessian to be had: sparse rows have one if they may be spread out.
[[nodiscard]] bool has_hessian(const FitRows& rows);

/// The same bits for any number of threads.
[[nodiscard]] Solution solve(const FitRows& rows, const Wish& wish, const Start& start,
                             linear::FitTrace& trace);

}  // namespace logodds::models::softmax
