#include "search/filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/parallel/blocks.hpp"

namespace logodds::search {

namespace {

using kernels::kPanelPoints;

constexpr double kFloatRounding = 0x1p-24;
constexpr double kDoubleRounding = 0x1p-53;
/// Coordinates of a query, in units in which those of the points are at most 1.
constexpr double kFarthest = 0x1p50;

/// The next float above.
float rounded_up(double value) {
  constexpr float kMost = std::numeric_limits<float>::max();
  if (!(value < static_cast<double>(kMost))) { return kMost; }
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) >= value
             ? nearest
             : std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

float rounded_down(double value) { return -rounded_up(-value); }

/// The means of some rows: any point amid them will do.
std::vector<double> middle(const DesignRows& points) {
  constexpr std::size_t kSome = 2048;
  const std::size_t step = std::max<std::size_t>(1, points.rows / kSome);
  std::vector<double> center(points.columns, 0.0);
  double count = 0.0;
  for (std::size_t r = 0; r < points.rows; r += step) {
    count += 1.0;
    for (std::size_t i = 0; i < points.columns; ++i) {
      center[i] += (points.data[r * points.stride + i] - center[i]) / count;
    }
  }
  return center;
}

double farthest(const DesignRows& points, const std::vector<double>& center, std::size_t first,
                std::size_t end) {
  double most = 0.0;
  for (std::size_t r = first; r < end; ++r) {
    const double* const x = points.data + r * points.stride;
    for (std::size_t i = 0; i < points.columns; ++i) {
      most = std::max(most, std::abs(x[i] - center[i]));
    }
  }
  return most;
}

double power_below_inverse(double most) {
  if (most == 0.0) { return 1.0; }
  int exponent = 0;
  static_cast<void>(std::frexp(most, &exponent));
  return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
}

}  // namespace

Filter::Filter(const DesignRows& points, int threads)
    : d_(points.columns),
      error_((2.0 * static_cast<double>(points.columns) + 8.0) * 1.05 * kFloatRounding),
      center_(middle(points)) {
  const std::size_t tiles = (points.rows + kTile - 1) / kTile;
  std::vector<double> farthest_of(tiles);
  const auto end = [&](std::size_t tile) { return std::min(points.rows, (tile + 1) * kTile); };
  parallel::run_lanes(threads, tiles, [&](std::size_t tile) {
    farthest_of[tile] = farthest(points, center_, tile * kTile, end(tile));
  });
  scale_ = power_below_inverse(std::ranges::max(farthest_of));
  const std::size_t room = (points.rows + 2 * kPanelPoints - 1) / (2 * kPanelPoints) * 2;
  panels_.assign(room * kPanelPoints * d_, 0.0F);
  offsets_.assign(room * kPanelPoints, std::numeric_limits<float>::infinity());
  parallel::run_lanes(threads, tiles,
                      [&](std::size_t tile) { pack(points, tile * kTile, end(tile)); });
}

void Filter::pack(const DesignRows& points, std::size_t first, std::size_t end) {
  for (std::size_t r = first; r < end; ++r) {
    const double* const y = points.data + r * points.stride;
    float* const panel = panels_.data() + r / kPanelPoints * kPanelPoints * d_ + r % kPanelPoints;
    double half_square = 0.0;
    for (std::size_t i = 0; i < d_; ++i) {
      const double value = (y[i] - center_[i]) * scale_;
      panel[i * kPanelPoints] = static_cast<float>(value);
      half_square += 0.5 * value * value;
    }
    offsets_[r] = rounded_down(half_square * (1.0 - 2.0 * error_));
  }
}

bool Filter::encode(const DesignRows& queries, FilterQueries& out) const {
  out.rows.resize(queries.rows * d_);
  out.half_squares.assign(queries.rows, 0.0);
  out.limits.assign(queries.rows, std::numeric_limits<float>::max());
  for (std::size_t q = 0; q < queries.rows; ++q) {
    const double* const x = queries.data + q * queries.stride;
    for (std::size_t i = 0; i < d_; ++i) {
      const double value = (x[i] - center_[i]) * scale_;
      if (!(std::abs(value) <= kFarthest)) { return false; }
      out.rows[q * d_ + i] = static_cast<float>(value);
      out.half_squares[q] += 0.5 * value * value;
    }
  }
  return true;
}

void Filter::set_limit(std::size_t q, double limit, FilterQueries& queries) const {
  const auto d = static_cast<double>(d_);
  const double half = 0.5 * limit * scale_ * scale_;
  const double square = queries.half_squares[q];
  // Distances and squares in doubles are rounded, too; products that underflow lose all.
  const double rounding = 4.0 * (d + 4.0) * kDoubleRounding * (half + square) +
                          (2.0 * d + 4.0) * static_cast<double>(std::numeric_limits<float>::min());
  queries.limits[q] = rounded_up(half - square + error_ * square + rounding);
}

std::size_t Filter::pairs(const FilterQueries& queries, std::size_t first,
                          kernels::NearPair* out) const {
  const std::size_t panels = std::min(kTile, offsets_.size() - first) / kPanelPoints;
  return kernels::near_pairs({.queries = queries.rows.data(),
                              .n = queries.half_squares.size(),
                              .stride = d_,
                              .limits = queries.limits.data(),
                              .panels = panels_.data() + first * d_,
                              .offsets = offsets_.data() + first,
                              .panel_count = panels,
                              .d = d_},
                             out);
}

}  // namespace logodds::search
