// Boundaries, distances, axes and drawn rows of a fitted model.
#include <cmath>

#include "kernels/kernels.hpp"
#include "models/gaussian/gaussian.hpp"
#include "models/gaussian/lazy.hpp"

namespace logodds::models::gaussian {

const std::vector<LinearPair>& GaussianDiscriminant::linear_pairs() const {
  std::call_once(lazy_->pairs_made, [&] {
    for (const auto& boundary : gaussian::boundaries(densities_)) {
      if (!boundary.linear()) { continue; }
      double square = 0.0;
      for (const double value : boundary.center_normal) { square += value * value; }
      const double length = std::sqrt(square);
      LinearPair pair{boundary.center_normal, boundary.center, boundary.center_value / length};
      for (auto& value : pair.normal) { value /= length; }
      lazy_->pairs.push_back(std::move(pair));
    }
  });
  return lazy_->pairs;
}

const CanonicalAxes& GaussianDiscriminant::axes() const {
  std::call_once(lazy_->axes_made, [&] { lazy_->axes = canonical_axes(densities_); });
  return lazy_->axes;
}

std::vector<Boundary> GaussianDiscriminant::boundaries() const {
  auto all = gaussian::boundaries(densities_);
  if (projection_) {
    for (auto& boundary : all) { boundary = unprojected(boundary, *projection_); }
  }
  return all;
}

void GaussianDiscriminant::signed_distances(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  std::vector<double> projected;
  const DesignRows rows = rows_of(block, scratch, projected);
  const auto& pairs = linear_pairs();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* const row = rows.data + r * rows.stride;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      double sum = pairs[p].offset;
      for (std::size_t i = 0; i < rows.columns; ++i) {
        sum += pairs[p].normal[i] * (row[i] - pairs[p].middle[i]);
      }
      out[r * pairs.size() + p] = sum;
    }
  }
}

std::size_t GaussianDiscriminant::axis_count() const { return axes().eigenvalues.size(); }

void GaussianDiscriminant::project(const RowBlock& block, std::size_t count,
                                   std::span<double> out) const {
  std::vector<double> scratch;
  std::vector<double> projected;
  const DesignRows rows = rows_of(block, scratch, projected);
  const CanonicalAxes& all = axes();
  std::vector<double> kept(rows.columns * count);
  for (std::size_t i = 0; i < rows.columns; ++i) {
    for (std::size_t m = 0; m < count; ++m) {
      kept[i * count + m] = all.axes[i * all.eigenvalues.size() + m];
    }
  }
  const std::vector<double> zeros(count, 0.0);
  kernels::affine_scores(rows.data, rows.rows, rows.columns, rows.stride, all.center.data(),
                         kept.data(), zeros.data(), count, out.data());
}

namespace {

/// x = center + A z, rows x D.
std::vector<double> restored(const Projection& projection, const std::vector<double>& values,
                             std::size_t rows) {
  const std::size_t d = projection.center.size();
  const std::size_t count = projection.axes.size() / d;
  std::vector<double> result(rows * d);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      double sum = 0.0;
      for (std::size_t m = 0; m < count; ++m) {
        sum += projection.axes[i * count + m] * values[r * count + m];
      }
      result[r * d + i] = projection.center[i] + sum;
    }
  }
  return result;
}

/// The level whose indicator was drawn largest; a level without one has what the others leave of 1.
std::vector<std::int32_t> drawn_levels(const Design& design, std::size_t coded, std::size_t levels,
                                       const std::vector<double>& values) {
  const std::size_t d = design.size();
  std::vector<std::int32_t> codes;
  for (std::size_t r = 0; r * d < values.size(); ++r) {
    std::vector<double> shares(levels, 0.0);
    double rest = 1.0;
    bool first_drawn = false;
    for (std::size_t i = 0; i < d; ++i) {
      const DesignColumn& column = design.columns()[i];
      if (column.level < 0 || column.position != coded) { continue; }
      shares[static_cast<std::size_t>(column.level)] = values[r * d + i];
      rest -= values[r * d + i];
      first_drawn = first_drawn || column.level == 0;
    }
    if (!first_drawn) { shares[0] = rest; }
    std::size_t best = 0;
    for (std::size_t l = 1; l < levels; ++l) {
      if (shares[l] > shares[best]) { best = l; }
    }
    codes.push_back(static_cast<std::int32_t>(best));
  }
  return codes;
}

}  // namespace

void GaussianDiscriminant::sample(std::uint64_t seed, std::size_t first_row, std::size_t rows,
                                  RowBuffer& out) const {
  std::vector<double> values(rows * densities_.size);
  out = RowBuffer();
  out.first_row = first_row;
  out.rows = rows;
  out.labels.resize(rows);
  draw(densities_, seed, first_row, out.labels, values);
  if (projection_) { values = restored(*projection_, values, rows); }
  out.numeric_columns = out.numeric_stride = schema_.numeric_count();
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < out.numeric_columns; ++i) {
      out.numeric.push_back(values[r * design_.size() + i]);
    }
  }
  out.numeric_data = out.numeric.data();
  for (const auto& column : schema_.columns) {
    if (!column.coded()) { continue; }
    out.codes.push_back(drawn_levels(design_, out.codes.size(), column.levels.size(), values));
  }
}

}  // namespace logodds::models::gaussian
