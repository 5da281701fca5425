#include "models/gaussian/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "models/gaussian/gaussian.hpp"
#include "models/gaussian/lazy.hpp"
#include "models/gaussian/marginal_factor.hpp"

namespace logodds::models::gaussian {

namespace {

using Positions = std::vector<std::size_t>;

/// Sigma_oo^-1 (mu_a - mu_b)_o for the coordinates o that some rows have, made once for each pair
/// of classes that such rows ask for.
class Normals {
 public:
  Normals(const Densities& densities, Positions observed)
      : densities_(densities), observed_(std::move(observed)) {
    if (observed_.size() < densities.size) {
      marginal_ = marginal_factor(densities.factors.front(), observed_);
    }
  }

  [[nodiscard]] const Positions& observed() const { return observed_; }
  /// For a < b; the other way round the sign changes.
  const std::vector<double>& of(std::size_t a, std::size_t b) {
    const auto [place, is_new] = made_.try_emplace({a, b});
    if (is_new) {
      for (const std::size_t i : observed_) {
        place->second.push_back(densities_.mean(a)[i] - densities_.mean(b)[i]);
      }
      const CholeskyFactor& factor = marginal_ ? *marginal_ : densities_.factors.front();
      place->second = factor.solve(std::move(place->second));
    }
    return place->second;
  }

 private:
  const Densities& densities_;
  Positions observed_;
  std::optional<CholeskyFactor> marginal_;  ///< of what is there, where something is not
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> made_;
};

/// The Normals of every pattern of missing values in a block.
class PatternNormals {
 public:
  explicit PatternNormals(const Densities& densities) : densities_(densities) {}

  Normals& of_row(const double* x) {
    observed_.clear();
    for (std::size_t i = 0; i < densities_.size; ++i) {
      if (!std::isnan(x[i])) { observed_.push_back(i); }
    }
    const auto found = patterns_.find(observed_);
    if (found != patterns_.end()) { return found->second; }
    return patterns_.emplace(observed_, Normals(densities_, observed_)).first->second;
  }

 private:
  const Densities& densities_;
  Positions observed_;
  std::map<Positions, Normals> patterns_;
};

/// Variances alone, as a full covariance of one column is.
bool variances_only(const Densities& densities) {
  return densities.size == 1 || densities.factors.front().diagonal();
}

}  // namespace

bool sums_over_columns(const Densities& densities) {
  return densities.shared() || variances_only(densities);
}

GaussianEvidence::GaussianEvidence(const Schema& schema, const Design& design, Densities densities)
    : design_(design), parts_(design_parts(schema, design)), densities_(std::move(densities)) {
  if (densities_.shared()) { return; }
  for (std::size_t k = 0; k < densities_.classes(); ++k) {
    for (const double inverse : densities_.factor(k).inverse_diagonal) {
      log_scales_.push_back(std::log(inverse));
    }
  }
}

void GaussianEvidence::contributions(const RowBlock& block, std::span<const std::int32_t> first,
                                     std::span<const std::int32_t> second, std::span<double> out,
                                     std::span<double> base) const {
  std::vector<double> scratch;
  const DesignRows rows = design_.encode(block, scratch);
  std::ranges::fill(out, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    base[r] = densities_.log_priors[static_cast<std::size_t>(first[r])] -
              densities_.log_priors[static_cast<std::size_t>(second[r])];
  }
  if (densities_.shared()) {
    add_shared(rows, first, second, out);
  } else {
    add_own(rows, first, second, out);
  }
}

void GaussianEvidence::add_shared(const DesignRows& rows, std::span<const std::int32_t> first,
                                  std::span<const std::int32_t> second,
                                  std::span<double> out) const {
  PatternNormals patterns(densities_);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    if (first[r] == second[r]) { continue; }
    const double* const x = rows.data + r * rows.stride;
    const auto a = static_cast<std::size_t>(std::min(first[r], second[r]));
    const auto b = static_cast<std::size_t>(std::max(first[r], second[r]));
    const double sign = first[r] < second[r] ? 1.0 : -1.0;
    Normals& normals = patterns.of_row(x);
    const std::vector<double>& normal = normals.of(a, b);
    for (std::size_t o = 0; o < normal.size(); ++o) {
      const std::size_t i = normals.observed()[o];
      const double middle = 0.5 * (densities_.mean(a)[i] + densities_.mean(b)[i]);
      out[r * parts_.names.size() + parts_.of_design[i]] += sign * normal[o] * (x[i] - middle);
    }
  }
}

void GaussianEvidence::add_own(const DesignRows& rows, std::span<const std::int32_t> first,
                               std::span<const std::int32_t> second, std::span<double> out) const {
  const auto log_density = [&](std::size_t k, std::size_t i, double x) {
    const double z = (x - densities_.mean(k)[i]) * densities_.factor(k).inverse_diagonal[i];
    return log_scales_[k * densities_.size + i] - 0.5 * z * z;  // without the constant of all
  };
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* const x = rows.data + r * rows.stride;
    const auto a = static_cast<std::size_t>(first[r]);
    const auto b = static_cast<std::size_t>(second[r]);
    for (std::size_t i = 0; i < rows.columns; ++i) {
      if (std::isnan(x[i])) { continue; }
      out[r * parts_.names.size() + parts_.of_design[i]] +=
          log_density(a, i, x[i]) - log_density(b, i, x[i]);
    }
  }
}

const Evidence* GaussianDiscriminant::evidence() const {
  if (projection_ || !sums_over_columns(densities_)) { return nullptr; }
  std::call_once(lazy_->evidence_made, [&] {
    lazy_->evidence = std::make_unique<GaussianEvidence>(schema_, design_, densities_);
  });
  return lazy_->evidence.get();
}

}  // namespace logodds::models::gaussian
