#include "models/gaussian/shrinkage.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"

namespace logodds::models::gaussian {

namespace {

double trace(const DesignMoments& moments, std::size_t k) {
  double sum = 0.0;
  for (std::size_t i = 0; i < moments.size; ++i) { sum += moments.square(k, i); }
  return sum;
}

/// rho = min(1, (a + m^2) / ((n + 1)(a - m^2 / p))), a the mean of all squared entries of the
/// covariance, m the mean of its diagonal: equation 23 of Chen et al. without the terms that vanish
/// with 1/p, as implemented everywhere.
double oas_share(const DesignMoments& moments, std::size_t k) {
  const auto p = static_cast<double>(moments.size);
  const double n = moments.weights[k];
  const double mean = trace(moments, k) / n / p;
  double squares = 0.0;
  for (std::size_t e = 0; e < moments.scatter_size(); ++e) {
    const double entry = moments.scatter(k)[e] / n;
    squares += entry * entry;
  }
  const double average = squares / (p * p);
  const double denominator = (n + 1.0) * (average - mean * mean / p);
  return denominator == 0.0 ? 1.0 : std::min(1.0, (average + mean * mean) / denominator);
}

/// Standard deviations; 1 for a column that does not vary.
std::vector<double> scales(const DesignMoments& moments, std::size_t k) {
  std::vector<double> values;
  for (std::size_t i = 0; i < moments.size; ++i) {
    const double variance = moments.square(k, i) / moments.weights[k];
    values.push_back(variance > 0.0 ? std::sqrt(variance) : 1.0);
  }
  return values;
}

/// Lemma 3.3 of Ledoit & Wolf for the standardised columns: beta over delta.
double ledoit_wolf_share(const FourthMoments& fourth, std::size_t k,
                         const std::vector<std::size_t>& columns) {
  const auto p = static_cast<double>(columns.size());
  const double n = fourth.weight(k);
  if (columns.size() < 2 || n == 0.0) { return 0.0; }
  std::vector<double> scale;
  for (const std::size_t i : columns) {
    const double variance = fourth.second(k, i, i) / n;
    scale.push_back(variance > 0.0 ? std::sqrt(variance) : 1.0);
  }
  double products = 0.0;  // sum_ij sum_n x_i^2 x_j^2
  double squares = 0.0;   // sum_ij (s_ij)^2
  double total = 0.0;     // sum_i s_ii
  for (std::size_t a = 0; a < columns.size(); ++a) {
    total += fourth.second(k, columns[a], columns[a]) / n / (scale[a] * scale[a]);
    for (std::size_t b = 0; b < columns.size(); ++b) {
      const double unit = scale[a] * scale[b];
      const double entry = fourth.second(k, columns[a], columns[b]) / n / unit;
      products += fourth.fourth(k, columns[a], columns[b]) / (unit * unit);
      squares += entry * entry;
    }
  }
  const double mean = total / p;
  const double delta = (squares - 2.0 * mean * total + p * mean * mean) / p;
  const double beta = std::min((products / n - squares) / (p * n), delta);
  return beta <= 0.0 ? 0.0 : beta / delta;
}

/// The scatter whose covariance is the mean variance times the identity.
std::vector<double> spherical_target(const DesignMoments& moments, std::size_t k) {
  return std::vector<double>(moments.size, trace(moments, k) / static_cast<double>(moments.size));
}

/// The mean variance of the standardised columns, in their own units: their variances, but for
/// columns that do not vary.
std::vector<double> standardized_target(const DesignMoments& moments, std::size_t k) {
  const auto scale = scales(moments, k);
  double mean = 0.0;
  for (std::size_t i = 0; i < moments.size; ++i) {
    mean += moments.square(k, i) / (scale[i] * scale[i]) / static_cast<double>(moments.size);
  }
  std::vector<double> target;
  for (const double s : scale) { target.push_back(mean * s * s); }
  return target;
}

}  // namespace

ShrunkTargets shrunk_targets(const CovarianceRule& rule, const DesignMoments& moments,
                             const GaussianStatistics& statistics, const Design& design) {
  ShrunkTargets result;
  if (rule.shrinkage == Shrinkage::none) { return result; }
  std::vector<std::size_t> columns;
  if (rule.shrinkage == Shrinkage::ledoit_wolf) {
    if (!statistics.fourth()->finite()) {
      throw Error(ErrorCode::numeric,
                  "--shrinkage ledoit-wolf: the fourth powers of the values overflow; divide the "
                  "columns with huge values by a constant, or take --shrinkage oas");
    }
    for (const auto& column : design.columns()) {
      columns.push_back(statistics.fourth()->position(column));
    }
  }
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    const bool standardized = rule.shrinkage == Shrinkage::ledoit_wolf;
    result.shares.push_back(standardized ? ledoit_wolf_share(*statistics.fourth(), k, columns)
                            : rule.shrinkage == Shrinkage::oas ? oas_share(moments, k)
                                                               : rule.shrinkage_value);
    result.targets.push_back(standardized ? standardized_target(moments, k)
                                          : spherical_target(moments, k));
  }
  return result;
}

}  // namespace logodds::models::gaussian
