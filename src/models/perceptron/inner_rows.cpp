#include "models/perceptron/inner_rows.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "models/linear/feature_rows.hpp"

namespace logodds::models::perceptron {

namespace {

[[noreturn]] void refuse(const std::string& column) {
  throw Error(ErrorCode::numeric, "column '" + column +
                                      "': the values are so large that their squares overflow; "
                                      "give it in larger units");
}

}  // namespace

InnerRows::InnerRows(const RowBlock& rows, const linear::Features& features)
    : rows_(rows.rows), labels_(rows.labels), weights_(rows.weights) {
  units_.sparse = rows.is_sparse() && features.takes_sparse();
  units_.center.assign(features.size(), 0.0);
  units_.unit.assign(features.size(), 0.0);
  if (units_.sparse) {
    take_sparse(rows, features);
  } else {
    take_dense(rows, features);
  }
}

void InnerRows::take_dense(const RowBlock& rows, const linear::Features& features) {
  const std::size_t d = columns();
  std::vector<double> scratch;
  const DesignRows x = features.encode(rows, scratch);
  double total = 0.0;
  for (std::size_t r = 0; r < rows_; ++r) {  // West (1979): weighted update of mean and squares
    const double w = weight(r);
    total += w;
    for (std::size_t i = 0; i < d; ++i) {
      const double value = x.data[r * x.stride + i];
      const double off = value - units_.center[i];
      units_.center[i] += off * (w / total);
      units_.unit[i] += w * off * (value - units_.center[i]);
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    double& unit = units_.unit[i];
    if (!std::isfinite(unit) || !std::isfinite(units_.center[i])) { refuse(features.names()[i]); }
    unit = std::sqrt(unit / total);
    // What rounding leaves of a constant is no variance.
    if (unit <= 1e-14 * std::abs(units_.center[i])) { unit = 1.0; }
    if (unit == 0.0) { unit = 1.0; }
  }
  values_.resize(rows_ * d);
  for (std::size_t r = 0; r < rows_; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      values_[r * d + i] = (x.data[r * x.stride + i] - units_.center[i]) / units_.unit[i];
    }
  }
}

void InnerRows::take_sparse(const RowBlock& rows, const linear::Features& features) {
  starts_.assign(1, 0);
  linear::each_row(rows, features, [&](std::size_t, const linear::FeatureRow& row) {
    indices_.insert(indices_.end(), row.indices.begin(), row.indices.end());
    values_.insert(values_.end(), row.values.begin(), row.values.end());
    starts_.push_back(values_.size());
    for (std::size_t j = 0; j < row.indices.size(); ++j) {
      double& unit = units_.unit[row.indices[j]];
      unit = std::max(unit, std::abs(row.values[j]));
    }
  });
  for (double& unit : units_.unit) {
    if (unit == 0.0) { unit = 1.0; }
  }
  for (std::size_t i = 0; i < values_.size(); ++i) { values_[i] /= units_.unit[indices_[i]]; }
}

InnerRow InnerRows::row(std::size_t r) const {
  if (!sparse()) { return {{values_.data() + r * columns(), columns()}, {}}; }
  const std::size_t size = starts_[r + 1] - starts_[r];
  return {{values_.data() + starts_[r], size}, {indices_.data() + starts_[r], size}};
}

double InnerRows::total_variance() const {
  double total = 0.0;
  double squares = 0.0;
  std::vector<double> means(columns(), 0.0);
  for (std::size_t r = 0; r < rows_; ++r) {
    const InnerRow z = row(r);
    total += weight(r);
    for (std::size_t j = 0; j < z.values.size(); ++j) {
      squares += weight(r) * z.values[j] * z.values[j];
      means[sparse() ? z.indices[j] : j] += weight(r) * z.values[j];
    }
  }
  double variance = squares / total;
  for (const double mean : means) { variance -= (mean / total) * (mean / total); }
  return variance;
}

}  // namespace logodds::models::perceptron
