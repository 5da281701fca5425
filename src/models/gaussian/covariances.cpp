#include "models/gaussian/covariances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/error.hpp"
#include "models/gaussian/eigen.hpp"

namespace logodds::models::gaussian {

namespace {

/// A sum of squares and products about the means of some classes, and what it is divided by.
struct Scatter {
  std::vector<double> values;  ///< D x D or D
  double divisor = 0.0;
  double weight = 0.0;
};

std::string class_name(const CovarianceTask& task, std::size_t k) {
  return "class '" + task.labels[k] + "'";
}

std::string owner_name(const CovarianceTask& task, const std::vector<std::size_t>& members) {
  if (members.size() == 1) { return class_name(task, members.front()); }
  if (members.size() == task.labels.size()) { return "the shared covariance"; }
  std::string names;
  for (const std::size_t k : members) { names += (names.empty() ? "'" : "'+'") + task.labels[k]; }
  return "group " + names + "'";
}

/// (1 - s) S + s T, with T diagonal.
void add_class(const DesignMoments& moments, std::size_t k, const ShrunkTargets& shrunk,
               Scatter& sum) {
  const double share = shrunk.shares.empty() ? 0.0 : shrunk.shares[k];
  const double* const own = moments.scatter(k);
  for (std::size_t e = 0; e < sum.values.size(); ++e) { sum.values[e] += (1.0 - share) * own[e]; }
  if (share == 0.0) { return; }
  for (std::size_t i = 0; i < moments.size; ++i) {
    sum.values[moments.full ? i * moments.size + i : i] += share * shrunk.targets[k][i];
  }
}

/// Pooled over some classes.
Scatter pooled(const DesignMoments& moments, const std::vector<std::size_t>& members,
               const CovarianceRule& rule, const ShrunkTargets& shrunk) {
  Scatter sum{.values = std::vector<double>(moments.scatter_size(), 0.0)};
  for (const std::size_t k : members) {
    add_class(moments, k, shrunk, sum);
    sum.weight += moments.weights[k];
  }
  sum.divisor = sum.weight - (rule.unbiased ? static_cast<double>(members.size()) : 0.0);
  return sum;
}

std::vector<std::size_t> all_classes(const DesignMoments& moments) {
  std::vector<std::size_t> members(moments.classes());
  std::iota(members.begin(), members.end(), std::size_t{0});
  return members;
}

/// S(lambda) = (1 - lambda) S_k + lambda S, and the divisor alike.
void blend_scatters(Scatter& own, const Scatter& shared, double lambda) {
  for (std::size_t e = 0; e < own.values.size(); ++e) {
    own.values[e] = (1.0 - lambda) * own.values[e] + lambda * shared.values[e];
  }
  own.divisor = (1.0 - lambda) * own.divisor + lambda * shared.divisor;
}

/// Of the pooled covariance by maximum likelihood: the unit of relative regularisers.
double mean_variance(const DesignMoments& moments) {
  double sum = 0.0;
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    for (std::size_t i = 0; i < moments.size; ++i) { sum += moments.square(k, i); }
  }
  return sum / moments.weight() / static_cast<double>(moments.size);
}

/// The MAP estimate under an inverse-Wishart prior: pseudo-count times scale matrix joins the
/// scatter, the pseudo-count joins the divisor.
void add_wishart(Scatter& scatter, const DesignMoments& moments, const CovarianceRule& rule,
                 double unit) {
  if (rule.wishart == 0.0) { return; }
  const std::size_t d = moments.size;
  if (!rule.wishart_scale.empty() && rule.wishart_scale.size() != d * d) {
    throw Error(ErrorCode::usage, "--wishart-scale: the matrix is not of " + std::to_string(d) +
                                      " x " + std::to_string(d) +
                                      " numbers, one a column of the model");
  }
  scatter.divisor += rule.wishart;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      if (!moments.full && i != j) { continue; }
      const double scale =
          rule.wishart_scale.empty() ? (i == j ? unit : 0.0) : rule.wishart_scale[i * d + j];
      scatter.values[moments.full ? i * d + j : i] += rule.wishart * scale;
    }
  }
}

/// The diagonal of the scatter divided by its divisor.
std::vector<double> diagonal_of(const Scatter& scatter, std::size_t d, bool full) {
  std::vector<double> variances(d);
  for (std::size_t i = 0; i < d; ++i) {
    variances[i] = scatter.values[full ? i * d + i : i] / scatter.divisor;
  }
  return variances;
}

void make_spherical(std::vector<double>& variances) {
  const double mean = std::accumulate(variances.begin(), variances.end(), 0.0) /
                      static_cast<double>(variances.size());
  std::fill(variances.begin(), variances.end(), mean);
}

/// What is mixed in by gamma.
std::vector<double> target_of(std::vector<double> variances, Form target) {
  if (target == Form::spherical) { make_spherical(variances); }
  return variances;
}

std::vector<double> variances_from(const Scatter& scatter, const DesignMoments& moments,
                                   const CovarianceRule& rule, double ridge) {
  auto variances = diagonal_of(scatter, moments.size, moments.full);
  if (rule.shape == Form::spherical) { make_spherical(variances); }
  const double gamma = rule.blend ? rule.blend->gamma : 0.0;
  const auto target = target_of(variances, rule.blend_target);
  for (std::size_t i = 0; i < variances.size(); ++i) {
    variances[i] = (1.0 - gamma) * variances[i] + gamma * target[i] + ridge;
  }
  return variances;
}

Covariance covariance_from(const Scatter& scatter, const DesignMoments& moments,
                           const CovarianceRule& rule, double ridge) {
  Covariance sigma(moments.size);
  const double gamma = rule.blend ? rule.blend->gamma : 0.0;
  for (std::size_t e = 0; e < sigma.values.size(); ++e) {
    sigma.values[e] = (1.0 - gamma) * (scatter.values[e] / scatter.divisor);
  }
  const auto target = target_of(diagonal_of(scatter, moments.size, true), rule.blend_target);
  for (std::size_t i = 0; i < moments.size; ++i) { sigma.at(i, i) += gamma * target[i] + ridge; }
  return sigma;
}

void check_divisor(const Scatter& scatter, const std::string& whose) {
  if (scatter.divisor > 0.0) { return; }
  throw Error(ErrorCode::numeric,
              whose + ": a weight of " + format_number(scatter.weight) +
                  " leaves nothing to divide by (n_samples = " + format_number(scatter.weight) +
                  "); give more rows, or take --divisor n");
}

/// The classes of each different covariance.
std::vector<std::vector<std::size_t>> members_of(const CovarianceTask& task) {
  std::vector<std::vector<std::size_t>> members;
  const bool one = task.rule.blend && task.rule.blend->lambda == 1.0;
  for (std::size_t k = 0; k < task.groups.size(); ++k) {
    const std::size_t group = one ? 0 : task.groups[k];
    members.resize(std::max(members.size(), group + 1));
    members[group].push_back(k);
  }
  return members;
}

}  // namespace

Covariances covariances(const DesignMoments& moments, const CovarianceTask& task,
                        const ShrunkTargets& shrunk) {
  const CovarianceRule& rule = task.rule;
  const double unit = mean_variance(moments);
  const double ridge = rule.ridge + rule.ridge_relative * unit;
  const double lambda = rule.blend ? rule.blend->lambda : 0.0;
  const auto members = members_of(task);
  const Scatter shared =
      lambda > 0.0 ? pooled(moments, all_classes(moments), rule, shrunk) : Scatter{};
  Covariances result;
  result.of_class.resize(moments.classes());
  for (std::size_t g = 0; g < members.size(); ++g) {
    for (const std::size_t k : members[g]) { result.of_class[k] = g; }
    result.owners.push_back(owner_name(task, members[g]));
    Scatter scatter = pooled(moments, members[g], rule, shrunk);
    if (lambda > 0.0 && lambda < 1.0) { blend_scatters(scatter, shared, lambda); }
    add_wishart(scatter, moments, rule, unit);
    check_divisor(scatter, result.owners.back());
    if (rule.shape == Form::full) {
      result.sigmas.push_back(covariance_from(scatter, moments, rule, ridge));
    } else {
      result.variances.push_back(variances_from(scatter, moments, rule, ridge));
    }
  }
  return result;
}

std::vector<CholeskyFactor> factors(const Covariances& covariances, const DesignMoments& moments,
                                    const CovarianceTask& task, std::vector<std::string>& notes) {
  constexpr double kNearlyCollinear = 1e-9;
  std::vector<CholeskyFactor> result;
  for (std::size_t g = 0; g < covariances.count(); ++g) {
    std::vector<std::size_t> members;
    double weight = 0.0;
    for (std::size_t k = 0; k < moments.classes(); ++k) {
      if (covariances.of_class[k] != g) { continue; }
      members.push_back(k);
      weight += moments.weights[k];
    }
    // With something added to every variance no column is constant.
    const CovarianceOwner owner{covariances.owners[g], weight, task.columns,
                                task.rule.adds_to_variances()
                                    ? std::vector<double>(moments.size, 0.0)
                                    : moments.magnitudes(members),
                                task.other_structures};
    if (covariances.sigmas.empty()) {
      result.push_back(factorize(covariances.variances[g], owner));
      continue;
    }
    result.push_back(factorize(covariances.sigmas[g], owner));
    if (result.back().smallest_share < kNearlyCollinear) {
      notes.push_back(owner.whose + ": the columns are nearly collinear (" +
                      format_number(result.back().smallest_share) +
                      " of a column's variance is its own), so posteriors have fewer digits; a "
                      "small --ridge helps");
    }
  }
  return result;
}

double covariance_parameters(const CovarianceRule& rule, std::size_t count, std::size_t d) {
  const auto size = static_cast<double>(d);
  const double each = rule.shape == Form::full       ? size * (size + 1.0) / 2.0
                      : rule.shape == Form::diagonal ? size
                                                     : 1.0;
  return static_cast<double>(count) * each;
}

}  // namespace logodds::models::gaussian
