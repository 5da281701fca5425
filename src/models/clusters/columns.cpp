#include "models/clusters/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/error.hpp"

namespace logodds::models::clusters {

ColumnScales column_scales(const DesignRows& rows, const double* weights) {
  ColumnScales scales{.means = std::vector<double>(rows.columns, 0.0),
                      .variances = std::vector<double>(rows.columns, 0.0)};
  double weight = 0.0;
  for (std::size_t r = 0; r < rows.rows; ++r) {  // West (1979): weighted update of mean and squares
    const double w = weights == nullptr ? 1.0 : weights[r];
    weight += w;
    const double* const x = rows.data + r * rows.stride;
    for (std::size_t i = 0; i < rows.columns; ++i) {
      const double off = x[i] - scales.means[i];
      scales.vanishes = scales.vanishes || (off != 0.0 && off * off == 0.0);
      scales.means[i] += off * (w / weight);
      scales.variances[i] += w * off * (x[i] - scales.means[i]);
    }
  }
  for (double& variance : scales.variances) { variance /= weight; }
  return scales;
}

std::string scale_note(const ColumnScales& scales, const std::vector<std::string>& names) {
  constexpr double kDominates = 0.95;
  const auto& variances = scales.variances;
  const auto largest = std::ranges::max_element(variances);
  const std::string& name = names[static_cast<std::size_t>(largest - variances.begin())];
  const double sum = std::accumulate(variances.begin(), variances.end(), 0.0);
  const bool vanishes = sum > 0.0 || scales.vanishes;
  if (!std::isfinite(sum) || (vanishes && sum < std::numeric_limits<double>::min())) {
    throw Error(ErrorCode::numeric, "column '" + name +
                                        "': squared distances overflow or vanish; multiply the "
                                        "column by a constant that brings it near 1");
  }
  const double share = *largest / sum;
  if (variances.size() < 2 || !(share > kDominates)) { return {}; }
  return "column '" + name + "' alone makes up " + std::to_string(static_cast<int>(100.0 * share)) +
         " % of the squared distances; bring the columns to like scales with --standardize if that "
         "is not wanted";
}

DesignRows Standardization::apply(const DesignRows& rows, std::vector<double>& scratch) const {
  if (none()) { return rows; }
  std::vector<double> scaled(rows.rows * rows.columns);  // `scratch` may be where the rows are
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* const x = rows.data + r * rows.stride;
    for (std::size_t i = 0; i < rows.columns; ++i) {
      scaled[r * rows.columns + i] = (x[i] - means[i]) / deviations[i];
    }
  }
  scratch = std::move(scaled);
  return {scratch.data(), rows.rows, rows.columns, rows.columns};
}

void Standardization::undo(std::vector<double>& points) const {
  for (std::size_t i = 0; i < points.size() && !none(); ++i) {
    const std::size_t column = i % means.size();
    points[i] = means[column] + deviations[column] * points[i];
  }
}

Standardization standardization(const ColumnScales& scales) {
  Standardization result{scales.means, {}};
  for (const double variance : scales.variances) {
    result.deviations.push_back(variance > 0.0 ? std::sqrt(variance) : 1.0);
  }
  return result;
}

}  // namespace logodds::models::clusters
