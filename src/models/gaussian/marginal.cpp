#include "models/gaussian/marginal.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "kernels/kernels.hpp"
#include "models/gaussian/marginal_factor.hpp"
#include "models/gaussian/uses.hpp"

namespace logodds::models::gaussian {

namespace {

using Positions = std::vector<std::size_t>;

/// Rows without gaps; a row with gaps gets NaN.
void complete_diagonal(const Densities& densities, const DesignRows& rows, std::size_t k,
                       ObservedParts& parts) {
  std::vector<double> precisions = densities.factor(k).inverse_diagonal;
  for (double& value : precisions) { value *= value; }
  const double bias = 0.0;
  std::vector<double> halves(rows.rows);  // -1/2 || L^-1 (x - mu) ||^2
  kernels::diagonal_scores(rows.data, rows.rows, rows.columns, rows.stride, densities.mean(k),
                           precisions.data(), &bias, 1, halves.data());
  for (std::size_t r = 0; r < rows.rows; ++r) {
    parts.squared_distances[r * densities.classes() + k] = -2.0 * halves[r];
  }
}

void complete_class(const Densities& densities, const DesignRows& rows, std::size_t k,
                    ObservedParts& parts) {
  const CholeskyFactor& factor = densities.factor(k);
  if (factor.diagonal()) { return complete_diagonal(densities, rows, k, parts); }
  kernels::mahalanobis(rows.data, rows.rows, rows.columns, rows.stride, densities.mean(k),
                       factor.lower.data(), factor.inverse_diagonal.data(),
                       parts.squared_distances.data() + k, densities.classes());
}

/// Rows by the coordinates that they have; complete rows are left out.
std::map<Positions, Positions> incomplete_rows(const DesignRows& rows) {
  std::map<Positions, Positions> patterns;
  Positions observed;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* x = rows.data + r * rows.stride;
    observed.clear();
    for (std::size_t i = 0; i < rows.columns; ++i) {
      if (!std::isnan(x[i])) { observed.push_back(i); }
    }
    if (observed.size() < rows.columns) { patterns[observed].push_back(r); }
  }
  return patterns;
}

/// Rows that lack the same coordinates.
struct Group {
  const DesignRows& rows;
  const Positions& observed;
  const Positions& members;
};

/// x_o - mu_k,o for each member and each of the classes.
std::vector<double> deviations(const Densities& densities, const Group& group,
                               const Positions& classes) {
  std::vector<double> result;
  result.reserve(group.members.size() * classes.size() * group.observed.size());
  for (const std::size_t r : group.members) {
    const double* x = group.rows.data + r * group.rows.stride;
    for (const std::size_t k : classes) {
      for (const std::size_t i : group.observed) { result.push_back(x[i] - densities.mean(k)[i]); }
    }
  }
  return result;
}

/// || L^-1 y ||^2 for n vectors y.
std::vector<double> squared_lengths(const std::vector<double>& y, std::size_t n,
                                    const CholeskyFactor& factor) {
  const std::size_t d = factor.size;
  std::vector<double> result(n, 0.0);
  if (!factor.diagonal()) {
    const std::vector<double> origin(d, 0.0);
    kernels::mahalanobis(y.data(), n, d, d, origin.data(), factor.lower.data(),
                         factor.inverse_diagonal.data(), result.data(), 1);
    return result;
  }
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      const double z = y[r * d + i] * factor.inverse_diagonal[i];
      result[r] += z * z;
    }
  }
  return result;
}

/// What the classes with covariance c make of the group.
void group_classes(const Densities& densities, const Group& group, std::size_t c,
                   ObservedParts& parts) {
  const CholeskyFactor factor = marginal_factor(densities.factors[c], group.observed);
  Positions classes;
  for (std::size_t k = 0; k < densities.classes(); ++k) {
    if (densities.covariance_of[k] == c) { classes.push_back(k); }
  }
  const std::vector<double> distances = squared_lengths(
      deviations(densities, group, classes), group.members.size() * classes.size(), factor);
  std::size_t next = 0;
  for (const std::size_t r : group.members) {
    for (const std::size_t k : classes) {
      parts.squared_distances[r * densities.classes() + k] = distances[next++];
      parts.log_determinants[r * densities.classes() + k] = factor.log_determinant;
    }
  }
}

ObservedParts complete_parts(const Densities& densities, const DesignRows& rows) {
  const std::size_t classes = densities.classes();
  ObservedParts parts{std::vector<double>(rows.rows * classes),
                      std::vector<double>(rows.rows * classes), Positions(rows.rows, rows.columns)};
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (std::size_t k = 0; k < classes; ++k) {
      parts.log_determinants[r * classes + k] = densities.factor(k).log_determinant;
    }
  }
  for (std::size_t k = 0; k < classes; ++k) { complete_class(densities, rows, k, parts); }
  return parts;
}

}  // namespace

ObservedParts observed_parts(const Densities& densities, const DesignRows& rows) {
  ObservedParts parts = complete_parts(densities, rows);
  if (kernels::all_finite(rows.data, rows.rows, rows.columns, rows.stride)) { return parts; }
  for (const auto& [observed, members] : incomplete_rows(rows)) {
    for (const std::size_t r : members) { parts.counts[r] = observed.size(); }
    for (std::size_t c = 0; c < densities.factors.size(); ++c) {
      group_classes(densities, {rows, observed, members}, c, parts);
    }
  }
  return parts;
}

void log_joint(const Densities& densities, const DesignRows& rows, std::span<double> out) {
  const double log_two_pi = std::log(2.0 * std::numbers::pi);
  const std::size_t classes = densities.classes();
  const ObservedParts parts = observed_parts(densities, rows);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double constant = log_two_pi * static_cast<double>(parts.counts[r]);
    for (std::size_t k = 0; k < classes; ++k) {
      const std::size_t place = r * classes + k;
      out[place] = densities.log_priors[k] - 0.5 * (parts.squared_distances[place] +
                                                    parts.log_determinants[place] + constant);
    }
  }
}

}  // namespace logodds::models::gaussian
