#include "models/naive_bayes/columns/bump_cells.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logodds::models::naive_bayes::columns {

namespace {

/// Values within so many bandwidths count as near: cells that have more than kFew of them get
/// pieces.
constexpr double kNear = 9.0;
/// The nearest value of a usable cell is at most so many bandwidths away: there the power series
/// loses a factor of 12 to roundings at most, exp(2 * 5 / 4).
constexpr double kFarthest = 5.0;
/// What lies further is never added up.
constexpr double kReach = 12.0;
/// Numbers of cells are exact, and so are their centers.
constexpr double kMostCells = 0x1p50;

}  // namespace

BumpCells::BumpCells(std::span<const double> values, std::span<const double> weights, double width)
    : width_(width) {
  constexpr int kMostExponent = 1000;  // neither D nor 1 / D is out of range
  const int exponent = std::ilogb(width);
  if (values.size() <= kFew || std::abs(exponent) > kMostExponent) { return; }
  cell_ = std::ldexp(1.0, exponent - 1);
  inverse_cell_ = 1.0 / cell_;
  const double largest = std::max(std::fabs(values.front()), std::fabs(values.back()));
  if (!(largest * inverse_cell_ < kMostCells)) { return; }
  ratio_ = cell_ / width;
  weight_ = std::accumulate(weights.begin(), weights.end(), 0.0);
  find_runs(values);
  if (runs_.empty()) { return; }
  first_place_ = static_cast<double>(runs_.front().first) - 0.5;
  cells_ = static_cast<double>(runs_.back().last - runs_.front().first + 1);
  fill_bumps();
  add_moments(values, weights);
}

std::int64_t BumpCells::cell_of(double x) const {
  return static_cast<std::int64_t>(std::nearbyint(x * inverse_cell_));
}

/// Centers with the values i to i + kFew within kNear lie between v_(i + kFew) - kNear h and
/// v_i + kNear h.
void BumpCells::find_runs(std::span<const double> values) {
  const double near = kNear * width_;
  for (std::size_t i = 0; i + kFew < values.size(); ++i) {
    const double low = values[i + kFew] - near;
    const double high = values[i] + near;
    if (low <= high) { add_run(cell_of(low), cell_of(high)); }
  }
  std::size_t count = 0;
  for (Run& run : runs_) {
    run.piece = count;
    count += static_cast<std::size_t>(run.last - run.first + 1);
  }
  pieces_ = LazyPieces(count);
}

void BumpCells::add_run(std::int64_t first, std::int64_t last) {
  if (runs_.empty() || first > runs_.back().last + 1) {
    runs_.push_back({first, last, 0});
  } else {
    runs_.back().last = std::max(runs_.back().last, last);
  }
}

void BumpCells::add_moments(std::span<const double> values, std::span<const double> weights) {
  std::size_t v = 0;
  for (const Run& run : runs_) {
    while (v < values.size() && cell_of(values[v]) < run.first - reach_) { ++v; }
    while (v < values.size() && cell_of(values[v]) <= run.last + reach_) {
      const std::int64_t cell = cell_of(values[v]);
      std::size_t end = v + 1;
      while (end < values.size() && cell_of(values[end]) == cell) { ++end; }
      sources_.push_back(cell);
      moments_.push_back(kernels::bump_moments(&values[v], &weights[v], end - v,
                                               static_cast<double>(cell) * cell_, 1.0 / width_));
      v = end;
    }
  }
}

void BumpCells::fill_bumps() {
  reach_ = static_cast<std::int64_t>(std::ceil(kReach / ratio_));
  for (std::size_t i = 0; i < places_.size(); ++i) {
    places_[i] = 0.5 * ratio_ * LogPiece::places()[i];
  }
  for (std::int64_t offset = -reach_; offset <= reach_; ++offset) {
    kernels::BumpPlaces& bumps = bumps_.emplace_back();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const double t = places_[i] - static_cast<double>(offset) * ratio_;
      bumps[i] = std::exp(-0.5 * t * t);
    }
  }
}

std::optional<double> BumpCells::log_sum_in_runs(double x, double place) const {
  const std::int64_t cell = runs_.front().first + static_cast<std::int64_t>(place);
  auto run = runs_.begin();
  if (runs_.size() > 1) {
    run = std::ranges::upper_bound(runs_, cell, {}, &Run::first) - 1;
    if (cell > run->last) { return {}; }
  }
  const auto number = run->piece + static_cast<std::size_t>(cell - run->first);
  const LogPiece& piece = pieces_.at(number, [&] { return piece_of(cell); });
  if (!piece.usable()) { return {}; }
  return piece((x - static_cast<double>(cell) * cell_) * (2.0 * inverse_cell_));
}

/// Sources are added from the nearest to the farthest, until all that is left cannot be seen: it
/// gives less than W exp(-gap^2 / 2).
LogPiece BumpCells::piece_of(std::int64_t cell) const {
  auto above = std::ranges::lower_bound(sources_, cell);
  auto below = above;
  kernels::BumpPlaces sums{};
  while (above != sources_.end() || below != sources_.begin()) {
    const bool upward = below == sources_.begin() ||
                        (above != sources_.end() && *above - cell <= cell - *(below - 1));
    const auto source = upward ? above++ : --below;
    const std::int64_t offset = *source - cell;
    const double gap = std::max(0.0, (std::fabs(static_cast<double>(offset)) - 1.0) * ratio_);
    const double least = *std::ranges::min_element(sums);
    if (weight_ * std::exp(-0.5 * gap * gap) <= 0x1p-58 * least) { break; }
    if (std::abs(offset) > reach_ || (least == 0.0 && gap > kFarthest)) { return {}; }
    kernels::bump_sums_add(moments_[static_cast<std::size_t>(source - sources_.begin())], places_,
                           static_cast<double>(offset) * ratio_,
                           bumps_[static_cast<std::size_t>(offset + reach_)], sums);
  }
  return {sums, -0.125 * ratio_ * ratio_};
}

}  // namespace logodds::models::naive_bayes::columns
