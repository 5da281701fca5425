#include "plots/overlap_areas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/models/adjusted.hpp"
#include "measure/gaussian_error.hpp"

namespace logodds::plots {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The law of one column where all are Gaussian.
struct LineGaussians {
  std::vector<double> means;
  std::vector<double> variances;
  std::vector<double> priors;

  [[nodiscard]] std::vector<measure::WeightedGaussian> weighted() const {
    std::vector<measure::WeightedGaussian> all;
    for (std::size_t k = 0; k < priors.size(); ++k) {
      all.push_back({priors[k], {&means[k], 1}, {&variances[k], 1}});
    }
    return all;
  }
};

/// Nothing for other models, where a column is coded, and where posteriors are calibrated.
std::optional<LineGaussians> line_gaussians(const Classifier& model, std::size_t column) {
  const std::size_t columns = model.schema().columns.size();
  if (model.schema().numeric_count() != columns || adjustments_of(model) != nullptr) { return {}; }
  const NamedArray means = model.array("means");
  const NamedArray covariances = model.array("covariances");
  const NamedArray owners = model.array("covariance_of_class");
  if (means.shape.size() != 2 || means.shape[1] != columns || covariances.shape.size() != 3 ||
      owners.shape.empty()) {
    return {};
  }
  LineGaussians found;
  for (std::size_t k = 0; k < model.labels().size(); ++k) {
    const auto owner = static_cast<std::size_t>(owners.values[k]);
    found.means.push_back(means.values[k * columns + column]);
    found.variances.push_back(covariances.values[(owner * columns + column) * columns + column]);
    found.priors.push_back(std::exp(model.generative()->log_priors()[k]));
  }
  return found;
}

/// Trapezoids of class k over segments that `counts` says yes to.
double area_of(const Profile& profile, std::size_t k, const auto& counts) {
  double area = 0.0;
  for (std::size_t i = 0; i + 1 < profile.x.size(); ++i) {
    if (!counts(i)) { continue; }
    area +=
        (profile.x[i + 1] - profile.x[i]) * (0.5 * profile.at(i, k) + 0.5 * profile.at(i + 1, k));
  }
  return area;
}

void fill_from_areas(const Profile& profile, OverlapRule& rule) {
  rule.probabilities.clear();
  for (std::size_t k = 0; k < profile.classes; ++k) {
    rule.probabilities.push_back(
        area_of(profile, k, [&](std::size_t i) { return rule.decided[i] != k; }));
  }
}

double mean_of(const Profile& profile, std::size_t k) {
  double weight = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < profile.x.size(); ++i) {
    const double area =
        (profile.x[i + 1] - profile.x[i]) * (0.5 * profile.at(i, k) + 0.5 * profile.at(i + 1, k));
    weight += area;
    sum += area * (0.5 * profile.x[i] + 0.5 * profile.x[i + 1]);
  }
  return sum / weight;
}

}  // namespace

OverlapRule best_rule(const Classifier& model, std::size_t column, const Profile& profile) {
  OverlapRule rule{.decided = profile.winner, .probabilities = {}};
  if (const auto gaussians = line_gaussians(model, column)) {
    const std::size_t classes = profile.classes;
    const measure::LineRegions line = measure::line_regions(gaussians->weighted());
    for (std::size_t k = 0; k < classes; ++k) {
      double lost = 0.0;
      for (std::size_t j = 0; j < classes; ++j) {
        if (j != k) { lost += line.probabilities[k * classes + j]; }
      }
      rule.probabilities.push_back(gaussians->priors[k] * lost);
    }
  } else {
    fill_from_areas(profile, rule);
  }
  rule.error = std::accumulate(rule.probabilities.begin(), rule.probabilities.end(), 0.0);
  return rule;
}

OverlapRule threshold_rule(const Classifier& model, std::size_t column, const Profile& profile,
                           double threshold, bool whole_numbers) {
  const auto gaussians = line_gaussians(model, column);
  const bool first_below = gaussians ? gaussians->means[0] <= gaussians->means[1]
                                     : mean_of(profile, 0) <= mean_of(profile, 1);
  const std::size_t below = first_below ? 0 : 1;
  OverlapRule rule{.decided = {}, .probabilities = {}};
  for (std::size_t i = 0; i + 1 < profile.x.size(); ++i) {
    const double middle = 0.5 * profile.x[i] + 0.5 * profile.x[i + 1];
    rule.decided.push_back((whole_numbers ? std::round(middle) : middle) < threshold ? below
                                                                                     : 1 - below);
  }
  if (gaussians) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double deviation = std::sqrt(gaussians->variances[k]);
      rule.probabilities.push_back(
          gaussians->priors[k] *
          (k == below
               ? measure::normal_between(gaussians->means[k], deviation, threshold, kInfinity)
               : measure::normal_between(gaussians->means[k], deviation, -kInfinity, threshold)));
    }
  } else {
    fill_from_areas(profile, rule);
  }
  rule.error = rule.probabilities[0] + rule.probabilities[1];
  return rule;
}

double probability_outside(const Profile& profile) {
  double inside = 0.0;
  for (std::size_t k = 0; k < profile.classes; ++k) {
    inside += area_of(profile, k, [](std::size_t) { return true; });
  }
  return 1.0 - inside;
}

std::vector<draw::Point> error_area(const Profile& profile, const OverlapRule& rule,
                                    std::size_t k) {
  std::vector<draw::Point> outline;
  bool inside = false;
  for (std::size_t i = 0; i + 1 < profile.x.size(); ++i) {
    const bool wrong = rule.decided[i] != k;
    if (wrong && !inside) {
      outline.push_back({profile.x[i], 0.0});
      outline.push_back({profile.x[i], profile.at(i, k)});
    }
    if (wrong) { outline.push_back({profile.x[i + 1], profile.at(i + 1, k)}); }
    if (!wrong && inside) { outline.push_back({profile.x[i], 0.0}); }
    inside = wrong;
  }
  if (inside) { outline.push_back({profile.x.back(), 0.0}); }
  return outline;
}

}  // namespace logodds::plots
