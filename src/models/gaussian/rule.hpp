// The options of the family, read once: which covariances, how regularised, which priors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/registry/options.hpp"
#include "logodds/stats/class_moments.hpp"

namespace logodds::models::gaussian {

enum class Pooling : std::uint8_t { shared, own, groups };
enum class Form : std::uint8_t { full, diagonal, spherical };
enum class Shrinkage : std::uint8_t { none, fixed, ledoit_wolf, oas };

/// Sigma_k(lambda, gamma): own or shared, and as it is or as its target (covariances.hpp).
struct Blend {
  double lambda = 0.0;  ///< own (0) to shared (1)
  double gamma = 0.0;   ///< as it is (0) to diagonal or spherical (1)
  friend bool operator==(const Blend&, const Blend&) = default;
};

struct CovarianceRule {
  Pooling pooling = Pooling::shared;
  Form shape = Form::full;
  std::string groups;     ///< "a+b,c"
  bool unbiased = false;  ///< divide by N - 1 (N - K when pooled) instead of N
  double ridge = 0.0;
  double ridge_relative = 0.0;
  double wishart = 0.0;               ///< pseudo-count
  std::vector<double> wishart_scale;  ///< D x D; empty: the identity times the mean variance
  std::optional<Blend> blend;
  bool blend_auto = false;
  Form blend_target = Form::diagonal;
  Shrinkage shrinkage = Shrinkage::none;
  double shrinkage_value = 0.0;  ///< for Shrinkage::fixed
  std::size_t components = 0;    ///< 0: no projection

  explicit CovarianceRule(const Options& options);
  /// The indicators of all levels are independent under it: their collinearity is broken.
  [[nodiscard]] bool breaks_collinearity() const;
  /// Something is added to every variance, so that none is 0.
  [[nodiscard]] bool adds_to_variances() const;
  [[nodiscard]] SecondMoments moments() const;
  /// Under a full covariance the indicators of a column must not be collinear, hence the reference
  /// coding, which leaves the posteriors as they are. What is added to a diagonal makes them
  /// independent, and would depend on which level is left out, so then no level is.
  [[nodiscard]] OneHot one_hot() const;
};

/// The group of each class: 0, 1, ... Throws Error(usage) for a class that does not exist, or that
/// is named twice.
[[nodiscard]] std::vector<std::size_t> class_groups(const CovarianceRule& rule,
                                                    const std::vector<std::string>& labels);

// Checks of the syntax alone, for the registry.
[[nodiscard]] std::string canonical_blend(const std::string& value);
[[nodiscard]] std::string canonical_shrinkage(const std::string& value);
[[nodiscard]] std::string canonical_matrix(const std::string& value);

}  // namespace logodds::models::gaussian
