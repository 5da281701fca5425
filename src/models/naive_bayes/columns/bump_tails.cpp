#include "models/naive_bayes/columns/bump_tails.hpp"

#include <algorithm>
#include <cmath>

#include "models/naive_bayes/columns/bump_cells.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

constexpr std::size_t kFew = BumpCells::kFew;
constexpr int kFirstOctave = 2;  // that of kLeast
constexpr std::size_t kPiecesOfOctave = 16;
constexpr double kMost = 0x1p40;  // beyond, one value or two count

/// The piece that holds z in [kLeast, kMost): [low, low + 2 half).
struct Interval {
  std::size_t number;
  double low;
  double half;
};

Interval interval_of(double z) {
  const int octave = std::ilogb(z);
  const double unit = std::ldexp(1.0, octave);
  const auto part = static_cast<std::size_t>((z / unit - 1.0) * double{kPiecesOfOctave});
  const double size = unit / double{kPiecesOfOctave};
  return {static_cast<std::size_t>(octave - kFirstOctave) * kPiecesOfOctave + part,
          unit + static_cast<double>(part) * size, 0.5 * size};
}

}  // namespace

BumpTails::BumpTails(std::span<const double> values, double width, double reach)
    : width_(width), reach_(reach) {
  const std::size_t n = values.size();
  const double gap = 2.0 * kLeast * width;
  for (std::size_t i = 0; i < n && n > kFew; ++i) {
    if (i + 1 == n || values[i + 1] - values[i] > gap) { add_edge(values, Side::below, i); }
    if (i == 0 || values[i] - values[i - 1] > gap) { add_edge(values, Side::above, i); }
  }
}

/// The value number kFew behind the edge is at d; it counts while d z + d^2 / 2 < reach / 2.
void BumpTails::add_edge(std::span<const double> values, Side side, std::size_t edge) {
  const bool below = side == Side::below;
  if (below ? edge < kFew : edge + kFew >= values.size()) { return; }
  const double d = std::fabs(values[edge] - values[below ? edge - kFew : edge + kFew]) / width_;
  const double farthest = std::min(kMost, 0.5 * (reach_ / d - d));
  if (!(farthest > kLeast)) { return; }
  (below ? below_ : above_)
      .push_back({edge, farthest, LazyPieces(interval_of(farthest).number + 1)});
}

const BumpTails::Edge* BumpTails::find_edge(Side side, std::size_t edge) const {
  const auto& edges = side == Side::below ? below_ : above_;
  const auto found = std::ranges::lower_bound(edges, edge, {}, &Edge::value);
  return found != edges.end() && found->value == edge ? &*found : nullptr;
}

/// d = sqrt(z^2 + reach) - z, with a margin for roundings.
BumpTails::Window BumpTails::window(std::span<const double> values, Side side, std::size_t edge,
                                    double z) const {
  constexpr double kMargin = 1.0 + 1e-12;
  const double d = reach_ / (z + std::sqrt(z * z + reach_)) * kMargin;
  const auto begin = values.begin();
  const auto place = begin + static_cast<std::ptrdiff_t>(edge);
  if (side == Side::above) {
    const auto last = std::upper_bound(place, values.end(), values[edge] + d * width_);
    return {edge, std::max<std::size_t>(1, static_cast<std::size_t>(last - place))};
  }
  const auto first = std::min(place, std::lower_bound(begin, place, values[edge] - d * width_));
  return {static_cast<std::size_t>(first - begin), static_cast<std::size_t>(place - first) + 1};
}

double BumpTails::inverse_width(Side side) const {
  return (side == Side::above ? 1.0 : -1.0) / width_;
}

double BumpTails::log_sum(std::span<const double> values, std::span<const double> weights,
                          Side side, std::size_t edge, double z) const {
  const Edge* many = find_edge(side, edge);
  if (many != nullptr && z < many->farthest) {
    const auto [number, low, half] = interval_of(z);
    const LogPiece& piece =
        many->pieces.at(number, [&] { return piece_of(values, weights, side, edge, low, half); });
    if (piece.usable()) { return piece((z - low) / half - 1.0); }
  }
  const auto [first, count] = window(values, side, edge, z);
  return std::log(kernels::bump_tail_sum(&values[first], &weights[first], count, values[edge],
                                         inverse_width(side), z));
}

LogPiece BumpTails::piece_of(std::span<const double> values, std::span<const double> weights,
                             Side side, std::size_t edge, double low, double half) const {
  const auto [first, count] = window(values, side, edge, low);
  kernels::BumpPlaces sums;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double z = low + half * (1.0 + LogPiece::places()[i]);
    sums[i] = kernels::bump_tail_sum(&values[first], &weights[first], count, values[edge],
                                     inverse_width(side), z);
  }
  return {sums, 0.0};
}

}  // namespace logodds::models::naive_bayes::columns
