// The log odds of two Gaussian densities as a sum over columns.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/models/evidence.hpp"
#include "models/design_parts.hpp"
#include "models/gaussian/densities.hpp"

namespace logodds::models::gaussian {

/// Whether ln p(x | C_a) - ln p(x | C_b) is a sum over the coordinates for every pair of classes:
/// one covariance for all classes, or variances only.
[[nodiscard]] bool sums_over_columns(const Densities& densities);

/// The terms of coordinate i are
///   (Sigma^-1 (mu_a - mu_b))_i (x_i - (mu_a + mu_b)_i / 2)     under one covariance,
///   ln N(x_i; mu_ai, s_ai) - ln N(x_i; mu_bi, s_bi)            under variances of the classes;
/// nothing is left over but ln pi_a - ln pi_b. Of a row that lacks values they are the terms of the
/// marginal densities of what it has. Indicators of a coded column are added up.
class GaussianEvidence final : public Evidence {
 public:
  /// The densities must sum over columns, and be over the design itself, not a projection of it.
  GaussianEvidence(const Schema& schema, const Design& design, Densities densities);

  [[nodiscard]] const std::vector<std::string>& parts() const override { return parts_.names; }
  void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second, std::span<double> out,
                     std::span<double> base) const override;

 private:
  void add_shared(const DesignRows& rows, std::span<const std::int32_t> first,
                  std::span<const std::int32_t> second, std::span<double> out) const;
  void add_own(const DesignRows& rows, std::span<const std::int32_t> first,
               std::span<const std::int32_t> second, std::span<double> out) const;

  Design design_;
  DesignParts parts_;
  Densities densities_;
  std::vector<double> log_scales_;  ///< ln 1 / sqrt(s_ki), K x D; empty under one covariance
};

}  // namespace logodds::models::gaussian
