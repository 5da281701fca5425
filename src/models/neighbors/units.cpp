// Means, deviations and the covariance inside the classes, for the coordinates of space.hpp.
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/stats/variance.hpp"
#include "models/gaussian/covariance.hpp"
#include "models/linear/column_means.hpp"
#include "models/neighbors/space.hpp"

namespace logodds::models::neighbors {

namespace {

double total_weight(const RowBlock& rows) {
  double sum = 0.0;
  for (std::size_t r = 0; r < rows.rows; ++r) { sum += rows.weight(r); }
  return sum;
}

/// The largest distance of a value from its column's center.
std::vector<double> farthest(const DesignRows& x, const std::vector<double>& center) {
  std::vector<double> most(x.columns, 0.0);
  for (std::size_t r = 0; r < x.rows; ++r) {
    for (std::size_t i = 0; i < x.columns; ++i) {
      most[i] = std::max(most[i], std::abs(x.data[r * x.stride + i] - center[i]));
    }
  }
  return most;
}

/// 1 / the standard deviation, with divisor N; 0 of a column that does not vary. Squares are of
/// shares of the farthest distance, so that none vanishes or overflows.
std::vector<double> scales(const DesignRows& x, const RowBlock& rows,
                           const std::vector<double>& center,
                           const std::vector<std::string>& names) {
  const double total = total_weight(rows);
  const std::vector<double> most = farthest(x, center);
  std::vector<double> variances(x.columns, 0.0);
  for (std::size_t r = 0; r < x.rows; ++r) {
    const double share = rows.weight(r) / total;
    for (std::size_t i = 0; i < x.columns; ++i) {
      const double off = (x.data[r * x.stride + i] - center[i]) / most[i];
      variances[i] += most[i] > 0.0 ? share * off * off : 0.0;
    }
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < x.columns; ++i) {
    if (!std::isfinite(most[i])) {
      throw Error(ErrorCode::numeric, "column '" + names[i] +
                                          "': the values are so large that they overflow; "
                                          "divide the column by a constant");
    }
    const bool none =
        most[i] == 0.0 || has_no_variance(variances[i], std::abs(center[i]) / most[i]);
    const double scale = 1.0 / (most[i] * std::sqrt(variances[i]));
    result.push_back(none || !std::isfinite(scale) ? 0.0 : scale);
  }
  return result;
}

/// Means of the classes, K x d.
std::vector<double> class_means(const DesignRows& x, const RowBlock& rows, std::size_t classes,
                                const std::vector<double>& center) {
  std::vector<double> weights(classes, 0.0);
  std::vector<double> means(classes * x.columns, 0.0);
  for (std::size_t r = 0; r < x.rows; ++r) {
    const auto k = static_cast<std::size_t>(rows.labels[r]);
    weights[k] += rows.weight(r);
    for (std::size_t i = 0; i < x.columns; ++i) {
      means[k * x.columns + i] += rows.weight(r) * (x.data[r * x.stride + i] - center[i]);
    }
  }
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t i = 0; i < x.columns; ++i) {
      const double off = weights[k] > 0.0 ? means[k * x.columns + i] / weights[k] : 0.0;
      means[k * x.columns + i] = center[i] + off;
    }
  }
  return means;
}

/// sum_n w_n (x_n - mu_t)(x_n - mu_t)^T / sum_n w_n, in fixed lanes.
gaussian::Covariance pooled_covariance(const DesignRows& x, const RowBlock& rows,
                                       const std::vector<double>& means, int threads) {
  const std::size_t d = x.columns;
  const std::size_t lanes = lanes_for(d);
  std::vector<gaussian::Covariance> sums(lanes, gaussian::Covariance(d));
  parallel::run_lanes(threads, lanes, [&](std::size_t lane) {
    std::vector<double> off(kBlockRows * d);
    for (std::size_t first = lane * kBlockRows; first < x.rows; first += lanes * kBlockRows) {
      const std::size_t count = std::min(kBlockRows, x.rows - first);
      for (std::size_t r = 0; r < count; ++r) {
        const auto k = static_cast<std::size_t>(rows.labels[first + r]);
        for (std::size_t i = 0; i < d; ++i) {
          off[r * d + i] = x.data[(first + r) * x.stride + i] - means[k * d + i];
        }
      }
      kernels::scatter_add(off.data(), count, d, d,
                           rows.weights == nullptr ? nullptr : rows.weights + first,
                           sums[lane].values.data());
    }
  });
  const double total = total_weight(rows);
  gaussian::Covariance pooled(d);
  for (std::size_t at = 0; at < d * d; ++at) {
    for (const auto& sum : sums) { pooled.values[at] += sum.values[at]; }
    pooled.values[at] /= total;
  }
  return pooled;
}

std::vector<double> covariance_factor(const DesignRows& x, const RowBlock& rows,
                                      const Schema& schema, const Units& units,
                                      const Design& design, int threads) {
  const auto means = class_means(x, rows, schema.labels.size(), units.center);
  const auto sigma = pooled_covariance(x, rows, means, threads);
  std::vector<double> magnitudes;
  for (const double mean : units.center) { magnitudes.push_back(std::abs(mean)); }
  return gaussian::factorize(sigma, {.whose = "--metric mahalanobis",
                                     .rows = total_weight(rows),
                                     .columns = design.names(),
                                     .magnitudes = std::move(magnitudes),
                                     .cure = "take --standardize instead of --metric mahalanobis"})
      .lower;
}

}  // namespace

Units units_of(const RowBlock& rows, const Schema& schema, const Wish& wish, int threads) {
  const bool whole = wish.metric == Metric::mahalanobis;
  if (!whole && !wish.standardize) { return {}; }
  const Design design(schema, coding_of(wish));
  std::vector<double> scratch;
  const DesignRows x = design.encode(rows, scratch);
  Units units;
  units.center = linear::column_means(x, rows.weights);
  if (whole) {
    units.factor = covariance_factor(x, rows, schema, units, design, threads);
  } else {
    units.scale = scales(x, rows, units.center, design.names());
  }
  return units;
}

}  // namespace logodds::models::neighbors
