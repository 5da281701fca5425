// The log-likelihood of softmax regression around given coefficients, to second order.
#pragma once

#include <vector>

#include "models/linear/identifiability.hpp"
#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// a_k = theta_k . (x - center) + bias_k.
struct Scores {
  std::vector<double> center;        ///< D
  std::vector<double> coefficients;  ///< D x K row-major
  std::vector<double> bias;          ///< K
};

/// Of minus the log-likelihood, in phi_k = theta_k - theta_1 for k = 2 ... K, as functions of the
/// standardised columns that are kept and, with an intercept, of 1: m = |kept| + 1. Element
/// (k - 2) m + i belongs to class k and column i, the intercept standing last.
struct Curvature {
  std::vector<double> information;  ///< P x P, all of it; P = (K - 1) m
  std::vector<double> gradient;     ///< P
};

[[nodiscard]] linear::RowsView view_of(const FitRows& rows);

/// Multiply-adds that the information costs, about.
[[nodiscard]] double curvature_work(const FitRows& rows);

/// sum_n w_n (diag p - p p^T) x [z; 1][z; 1]^T and sum_n w_n (p - y) x [z; 1]. The same bits for
/// any number of threads.
[[nodiscard]] Curvature curvature(const FitRows& rows, const Scores& at,
                                  const linear::Identifiability& columns, bool intercept);

}  // namespace logodds::models::softmax
