// Moments to covariances: pooling, regularisers, structures, in one fixed order.
#pragma once

#include <string>
#include <vector>

#include "models/gaussian/densities.hpp"
#include "models/gaussian/design_moments.hpp"
#include "models/gaussian/rule.hpp"

namespace logodds::models::gaussian {

/// Shares of shrinkage s_k, one a class, and the targets: S_k becomes (1 - s_k) S_k + s_k T_k.
struct ShrunkTargets {
  std::vector<double> shares;                ///< K
  std::vector<std::vector<double>> targets;  ///< K diagonals of T_k
};

/// What is fixed while covariances are made, perhaps again and again (EM, a grid).
struct CovarianceTask {
  const CovarianceRule& rule;
  const std::vector<std::size_t>& groups;  ///< of the classes
  const std::vector<std::string>& labels;
  const std::vector<std::string>& columns;  ///< names, for messages
  bool other_structures = true;             ///< --covariance may be advised
};

/// One covariance for each different one, and whose it is.
struct Covariances {
  std::vector<std::size_t> of_class;           ///< K
  std::vector<Covariance> sigmas;              ///< full
  std::vector<std::vector<double>> variances;  ///< diagonal: instead of sigmas
  std::vector<std::string> owners;             ///< "class 'a'", "the shared covariance", ...
  [[nodiscard]] std::size_t count() const { return owners.size(); }
};

/// In this order: shrinkage of each class's scatter; own, pooled or blended scatter; Wishart; the
/// divisor; the structure; blending with the diagonal or spherical target; ridge.
[[nodiscard]] Covariances covariances(const DesignMoments& moments, const CovarianceTask& task,
                                      const ShrunkTargets& shrunk);

/// Factors them; throws as factorize() does. Leaves a note when digits are lost.
[[nodiscard]] std::vector<CholeskyFactor> factors(const Covariances& covariances,
                                                  const DesignMoments& moments,
                                                  const CovarianceTask& task,
                                                  std::vector<std::string>& notes);

/// Free parameters of so many covariances of this structure.
[[nodiscard]] double covariance_parameters(const CovarianceRule& rule, std::size_t count,
                                           std::size_t d);

}  // namespace logodds::models::gaussian
