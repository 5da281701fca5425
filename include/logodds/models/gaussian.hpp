// A Gaussian model written by hand instead of trained.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "logodds/models/classifier.hpp"

namespace logodds {

struct GaussianDefinition {
  std::vector<std::string> classes;
  std::vector<double> priors;                                 ///< one a class, positive, sum 1
  std::vector<std::vector<double>> means;                     ///< one a class
  std::vector<std::vector<std::vector<double>>> covariances;  ///< one a class, or one for all
  std::vector<std::string> columns;                           ///< empty: x1, x2, ...
  std::string target = "class";
};

/// A model of family `gaussian` with these very densities: `shared` when all covariances are equal,
/// else `own`. It counts as one row in an update or a merge. Throws Error(usage) that names what
/// does not fit: numbers of classes or columns, priors that do not sum to 1, a covariance that is
/// not symmetric or not positive definite.
[[nodiscard]] std::unique_ptr<Classifier> define_gaussian(const GaussianDefinition& definition);

}  // namespace logodds
