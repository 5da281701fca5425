// The fitted densities N(mu_k, Sigma_k) and priors: what estimators make and everything else uses.
#pragma once

#include <optional>
#include <vector>

#include "models/gaussian/covariance.hpp"

namespace logodds::models::gaussian {

/// z = (x - center) A: the leading principal components of the rows (option `components`).
struct Projection {
  std::vector<double> center;  ///< D
  std::vector<double> axes;    ///< A, D x M row-major, columns orthonormal
};

/// K densities over vectors of `size` numbers: the design's, or their projection.
struct Densities {
  std::size_t size = 0;                    ///< D
  std::vector<double> log_priors;          ///< ln pi_k, K, finite
  std::vector<double> weights;             ///< of the training rows, K
  std::vector<double> means;               ///< mu_k, K x D
  std::vector<std::size_t> covariance_of;  ///< K: which of `factors` is class k's
  /// One a different covariance, Sigma = L L^T; see CholeskyFactor::diagonal().
  std::vector<CholeskyFactor> factors;
  double covariance_parameters = 0.0;  ///< free ones, in all covariances together
  double prior_parameters = 0.0;       ///< K - 1, or 0 when the priors were given

  [[nodiscard]] std::size_t classes() const { return log_priors.size(); }
  [[nodiscard]] const double* mean(std::size_t k) const { return means.data() + k * size; }
  [[nodiscard]] const CholeskyFactor& factor(std::size_t k) const {
    return factors[covariance_of[k]];
  }
  [[nodiscard]] bool shared() const { return factors.size() == 1; }
  /// Priors, K D means, and the covariances.
  [[nodiscard]] double parameter_count() const {
    return prior_parameters + static_cast<double>(means.size()) + covariance_parameters;
  }
};

}  // namespace logodds::models::gaussian
