// Patterns of missing values in design coordinates, and what can be had from them without
// iterating.
#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "models/gaussian/missing.hpp"

namespace logodds::models::gaussian {

namespace {

/// Where a design column stands among the moments of a pattern; nothing when the pattern lacks it.
std::optional<std::size_t> position_in(const PatternMoments::Key& key, const ClassMoments& moments,
                                       const DesignColumn& column, std::size_t numeric) {
  const bool coded = column.level >= 0;
  const std::size_t at = (coded ? numeric : 0) + column.position;
  if (key.observed[at] != '1') { return std::nullopt; }
  const auto first = key.observed.begin() + static_cast<std::ptrdiff_t>(coded ? numeric : 0);
  const auto before = static_cast<std::size_t>(
      std::count(first, key.observed.begin() + static_cast<std::ptrdiff_t>(at), '1'));
  return moments.position({.position = before, .level = column.level});
}

std::size_t numeric_columns(const Design& design) {
  std::size_t count = 0;
  for (const auto& column : design.columns()) { count += column.level < 0 ? 1U : 0U; }
  return count;
}

}  // namespace

std::vector<PatternPart> pattern_parts(const PatternMoments& moments, const Design& design) {
  std::vector<PatternPart> parts;
  const std::size_t numeric = numeric_columns(design);
  for (const auto& [key, given] : moments.incomplete()) {
    PatternPart part;
    part.label = key.label;
    part.weight = given.weight();
    std::vector<std::size_t> picked;
    for (std::size_t i = 0; i < design.size(); ++i) {
      const auto at = position_in(key, given, design.columns()[i], numeric);
      (at ? part.observed : part.missing).push_back(i);
      if (at) { picked.push_back(*at); }
    }
    for (const std::size_t i : picked) {
      part.mean.push_back(given.mean(0, i));
      if (given.second() == SecondMoments::diagonal) {
        part.scatter.push_back(given.scatter(0, i, i));
        continue;
      }
      for (const std::size_t j : picked) { part.scatter.push_back(given.scatter(0, i, j)); }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

void check_observed(const DesignMoments& complete, const std::vector<PatternPart>& parts,
                    const CovarianceTask& task) {
  std::vector<double> weights(complete.classes() * complete.size);
  for (std::size_t k = 0; k < complete.classes(); ++k) {
    std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(k * complete.size), complete.size,
                complete.weights[k]);
  }
  for (const auto& part : parts) {
    for (const std::size_t i : part.observed) {
      weights[part.label * complete.size + i] += part.weight;
    }
  }
  const auto none = std::find(weights.begin(), weights.end(), 0.0);
  if (none == weights.end()) { return; }
  const auto at = static_cast<std::size_t>(none - weights.begin());
  throw Error(ErrorCode::input,
              "class '" + task.labels[at / complete.size] + "': column '" +
                  task.columns[at % complete.size] +
                  "' has no value in any row; leave the column out with --ignore");
}

namespace {

/// Sums over the rows that have column i, or both i and j, of one class.
struct Available {
  std::vector<double> weights;  ///< by pair
  std::vector<double> means;    ///< by column
  std::vector<double> scatters;
};

void add_means(const DesignMoments& complete, const std::vector<PatternPart>& parts, std::size_t k,
               Available& sums) {
  std::vector<double> weights(complete.size, complete.weights[k]);
  sums.means.assign(complete.mean(k), complete.mean(k) + complete.size);
  for (const auto& part : parts) {
    if (part.label != k) { continue; }
    for (std::size_t o = 0; o < part.observed.size(); ++o) {
      const std::size_t i = part.observed[o];
      weights[i] += part.weight;
      sums.means[i] += (part.mean[o] - sums.means[i]) * (part.weight / weights[i]);
    }
  }
}

/// A part's scatter about the means over all available rows.
void add_scatter(const DesignMoments& shape, const std::vector<std::size_t>& columns, double weight,
                 const double* mean, const double* scatter, Available& sums) {
  const std::size_t count = columns.size();
  for (std::size_t a = 0; a < count; ++a) {
    const std::size_t i = columns[a];
    const double off = mean[a] - sums.means[i];
    if (!shape.full) {
      sums.weights[i] += weight;
      sums.scatters[i] += scatter[a] + weight * off * off;
      continue;
    }
    for (std::size_t b = 0; b < count; ++b) {
      const std::size_t pair = i * shape.size + columns[b];
      sums.weights[pair] += weight;
      sums.scatters[pair] +=
          scatter[a * count + b] + weight * off * (mean[b] - sums.means[columns[b]]);
    }
  }
}

}  // namespace

DesignMoments available_moments(const DesignMoments& complete,
                                const std::vector<PatternPart>& parts) {
  DesignMoments result = complete;
  std::vector<std::size_t> all(complete.size);
  for (std::size_t i = 0; i < all.size(); ++i) { all[i] = i; }
  for (std::size_t k = 0; k < complete.classes(); ++k) {
    Available sums{std::vector<double>(complete.scatter_size(), 0.0),
                   {},
                   std::vector<double>(complete.scatter_size(), 0.0)};
    add_means(complete, parts, k, sums);
    add_scatter(complete, all, complete.weights[k], complete.mean(k), complete.scatter(k), sums);
    for (const auto& part : parts) {
      if (part.label != k) { continue; }
      result.weights[k] += part.weight;
      add_scatter(complete, part.observed, part.weight, part.mean.data(), part.scatter.data(),
                  sums);
    }
    std::copy(sums.means.begin(), sums.means.end(), result.mean(k));
    for (std::size_t e = 0; e < sums.scatters.size(); ++e) {
      // A covariance over the rows that have both, as if all rows had them.
      result.scatter(k)[e] =
          sums.weights[e] > 0.0 ? sums.scatters[e] * (result.weights[k] / sums.weights[e]) : 0.0;
    }
  }
  return result;
}

}  // namespace logodds::models::gaussian
