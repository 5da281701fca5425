#include "models/neighbors/space.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/parallel/blocks.hpp"

namespace logodds::models::neighbors {

namespace {

/// x / |x|, by way of its largest element, so that no square overflows.
void make_unit_vector(double* x, std::size_t d) {
  double most = 0.0;
  for (std::size_t i = 0; i < d; ++i) { most = std::max(most, std::abs(x[i])); }
  if (most == 0.0) { return; }
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    x[i] /= most;
    sum += x[i] * x[i];
  }
  const double length = std::sqrt(sum);
  for (std::size_t i = 0; i < d; ++i) { x[i] /= length; }
}

/// L^-1 x by forward substitution.
void substitute(const std::vector<double>& factor, double* x, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) {
    const double* const row = factor.data() + i * d;
    double value = x[i];
    for (std::size_t j = 0; j < i; ++j) { value -= row[j] * x[j]; }
    x[i] = value / row[i];
  }
}

}  // namespace

OneHot coding_of(const Wish& wish) {
  return wish.metric == Metric::mahalanobis ? OneHot::reference : OneHot::full;
}

Space::Space(const Schema& schema, const Wish& wish, Units units)
    : metric_(wish.metric), design_(schema, coding_of(wish)), units_(std::move(units)) {}

kernels::Measure Space::measure() const {
  return metric_ == Metric::manhattan ? kernels::Measure::absolutes : kernels::Measure::squares;
}

double Space::distance(double sum) const {
  switch (metric_) {
    case Metric::manhattan:
      return sum;
    case Metric::cosine:
      return 0.5 * sum;
    case Metric::euclidean:
    case Metric::mahalanobis:
      break;
  }
  return std::sqrt(sum);
}

bool Space::unchanged() const { return units_.center.empty() && metric_ != Metric::cosine; }

void Space::change(double* row) const {
  const std::size_t d = design_.size();
  for (std::size_t i = 0; i < units_.center.size(); ++i) { row[i] -= units_.center[i]; }
  for (std::size_t i = 0; i < units_.scale.size(); ++i) { row[i] *= units_.scale[i]; }
  if (!units_.factor.empty()) { substitute(units_.factor, row, d); }
  if (metric_ == Metric::cosine) { make_unit_vector(row, d); }
}

DesignRows Space::coordinates(const RowBlock& block, std::vector<double>& scratch,
                              int threads) const {
  const DesignRows rows = design_.encode(block, scratch);
  if (unchanged()) { return rows; }
  std::vector<double> changed;
  const bool in_place = rows.data == scratch.data();
  if (!in_place) { changed.resize(rows.rows * rows.columns); }
  double* const to = in_place ? scratch.data() : changed.data();
  const std::size_t pieces = (rows.rows + kBlockRows - 1) / kBlockRows;
  parallel::run_lanes(threads, pieces, [&](std::size_t piece) {
    const std::size_t end = std::min(rows.rows, (piece + 1) * kBlockRows);
    for (std::size_t r = piece * kBlockRows; r < end; ++r) {
      double* const row = to + r * rows.columns;
      if (!in_place) { std::copy_n(rows.data + r * rows.stride, rows.columns, row); }
      change(row);
    }
  });
  if (!in_place) { scratch = std::move(changed); }
  return {
      .data = scratch.data(), .rows = rows.rows, .columns = rows.columns, .stride = rows.columns};
}

std::optional<std::size_t> Space::no_direction(const DesignRows& rows) const {
  if (metric_ != Metric::cosine) { return {}; }
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* const x = rows.data + r * rows.stride;
    if (std::all_of(x, x + rows.columns, [](double value) { return value == 0.0; })) { return r; }
  }
  return {};
}

}  // namespace logodds::models::neighbors
