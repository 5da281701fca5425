#include "draw/edge_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logodds::draw {

namespace {

/// Half the width that a bracket ends with, in parts of its edge.
constexpr double kTolerance = 0x1p-46;
constexpr int kHalvings = 45;

constexpr std::size_t kMostChanges = 64;  // along an edge

/// A part of an edge at whose ends two labels were met.
struct Bracket {
  std::size_t edge = 0;
  std::int32_t first = 0;
  std::int32_t second = 0;
  double low = 0.0;
  double high = 1.0;
  double low_margin = std::numeric_limits<double>::quiet_NaN();
  double high_margin = std::numeric_limits<double>::quiet_NaN();
  int step = 0;

  [[nodiscard]] double middle() const { return low + (high - low) / 2.0; }
  [[nodiscard]] bool ended() const {
    return high - low <= 2.0 * kTolerance || step >= 2 * kHalvings;
  }
  /// The place to look at next.
  [[nodiscard]] double next() const {
    const double half = middle();
    const double fall = low_margin - high_margin;
    if (!(fall > 0.0) || !std::isfinite(fall)) { return half; }
    const double crossing = low + low_margin / fall * (high - low);
    const double to_half = half - crossing;
    const double sign = to_half < 0.0 ? -1.0 : 1.0;
    const double shift = 0.2 * (high - low) * (high - low);
    const double cut = shift <= std::abs(to_half) ? crossing + sign * shift : half;
    // The most that the rest may be off for the steps that are left to suffice.
    const double slack = std::ldexp(kTolerance, kHalvings + 1 - step) - (high - low) / 2.0;
    return std::abs(cut - half) <= slack ? cut : half - sign * std::max(slack, 0.0);
  }
};

class EdgeSearch {
 public:
  EdgeSearch(const Labeling& labeling, const std::vector<Edge>& edges)
      : labeling_(labeling), edges_(edges), found_(edges.size()) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      open_.push_back({.edge = i, .first = edges[i].first, .second = edges[i].second});
    }
  }

  std::vector<std::vector<Change>> run() {
    ask([](const Bracket& bracket) { return bracket.low; });
    for (std::size_t i = 0; i < open_.size(); ++i) { open_[i].low_margin = samples_[i].margin; }
    ask([](const Bracket& bracket) { return bracket.high; });
    for (std::size_t i = 0; i < open_.size(); ++i) { open_[i].high_margin = samples_[i].margin; }
    while (!open_.empty()) {
      ask([](const Bracket& bracket) { return bracket.next(); });
      const std::vector<Bracket> now = std::exchange(open_, {});
      for (std::size_t i = 0; i < now.size(); ++i) { narrow(now[i], places_[i], samples_[i]); }
    }
    for (auto& changes : found_) { std::ranges::sort(changes, {}, &Change::at); }
    return std::move(found_);
  }

 private:
  void ask(double (*place)(const Bracket&)) {
    samples_.clear();
    places_.clear();
    for (const Bracket& bracket : open_) {
      places_.push_back(place(bracket));
      samples_.push_back({.at = along(edges_[bracket.edge], places_.back()),
                          .first = bracket.first,
                          .second = bracket.second});
    }
    labeling_(samples_);
  }

  /// Takes an answer in.
  void narrow(Bracket bracket, double at, const Sample& sample) {
    ++bracket.step;
    if (sample.label == bracket.first) {
      bracket.low = at;
      bracket.low_margin = sample.margin;
    } else if (sample.label == bracket.second) {
      bracket.high = at;
      bracket.high_margin = sample.margin;
    } else if (!bracket.ended() && found_[bracket.edge].size() < kMostChanges) {
      split(bracket, at, sample.label);
      return;
    }
    if (bracket.ended()) {
      found_[bracket.edge].push_back({bracket.middle(), bracket.first, bracket.second});
    } else {
      open_.push_back(bracket);
    }
  }

  /// The margins of the new pairs are not known at the ends: their search begins by halves.
  void split(const Bracket& bracket, double at, std::int32_t third) {
    open_.push_back({.edge = bracket.edge,
                     .first = bracket.first,
                     .second = third,
                     .low = bracket.low,
                     .high = at});
    open_.push_back({.edge = bracket.edge,
                     .first = third,
                     .second = bracket.second,
                     .low = at,
                     .high = bracket.high});
  }

  const Labeling& labeling_;
  const std::vector<Edge>& edges_;
  std::vector<std::vector<Change>> found_;
  std::vector<Bracket> open_;
  std::vector<Sample> samples_;
  std::vector<double> places_;
};

}  // namespace

Point along(const Edge& edge, double share) {
  return {edge.begin.x + share * (edge.end.x - edge.begin.x),
          edge.begin.y + share * (edge.end.y - edge.begin.y)};
}

std::vector<std::vector<Change>> find_changes(const Labeling& labeling,
                                              const std::vector<Edge>& edges) {
  return EdgeSearch(labeling, edges).run();
}

}  // namespace logodds::draw
