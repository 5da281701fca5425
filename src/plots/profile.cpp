// A marginal as lines between points: adaptive, so that areas under the lines are probabilities.
#include <algorithm>
#include <cmath>
#include <limits>

#include "plots/marginal.hpp"

namespace logodds::plots {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// What a segment may miss of an area.
constexpr double kSegmentError = 1e-9;
constexpr int kMostRounds = 70;
constexpr std::size_t kMostPoints = 60000;
/// Densities above are drawn as this: their peaks are beyond any picture.
constexpr double kHighest = 1e300;
constexpr std::size_t kNoWinner = std::numeric_limits<std::size_t>::max();

/// Values with their scores; what is computed once is not computed again.
struct Points {
  std::vector<double> x;
  std::vector<double> scores;  ///< ln p(x, C_k), row-major
};

std::size_t winner_of(std::span<const double> scores) {
  const auto best = std::ranges::max_element(scores);
  return *best == -kInfinity ? kNoWinner : static_cast<std::size_t>(best - scores.begin());
}

double density_of(double score) { return std::min(std::exp(score), kHighest); }

/// Whether next to nothing of any class is at x, and so, as laws fall, beyond it. Laws of counts
/// are asked at whole numbers, because they have no place for others.
bool ends_at(const Marginal& marginal, double x, double width) {
  constexpr double kNothing = -45.0;  // e^-45 is 3e-20
  const double asked = marginal.whole_numbers() ? std::round(x) : x;
  const std::vector<double> scores = marginal.log_joint({&asked, 1});
  return std::ranges::none_of(scores,
                              [&](double score) { return score > kNothing - std::log(width); });
}

/// The view wider, until next to nothing is outside of it. A law that does not fall, as a histogram
/// outside of its bins, ends where rows that are drawn from it do.
draw::Range wide_range(const Marginal& marginal) {
  constexpr int kDoublings = 60;
  draw::Range range = marginal.view();
  double step = 0.25 * range.size();
  for (int i = 0; i < kDoublings && !ends_at(marginal, range.low, range.size()); ++i, step *= 1.5) {
    range.low -= step;
  }
  if (!ends_at(marginal, range.low, range.size())) { range.low = marginal.drawn().front(); }
  step = 0.25 * range.size();
  for (int i = 0; i < kDoublings && !ends_at(marginal, range.high, range.size());
       ++i, step *= 1.5) {
    range.high += step;
  }
  if (!ends_at(marginal, range.high, range.size())) { range.high = marginal.drawn().back(); }
  return range;
}

std::vector<double> first_points(const Marginal& marginal, std::span<const double> also) {
  constexpr std::size_t kEven = 256;
  constexpr std::size_t kFromRows = 512;
  const draw::Range wide = wide_range(marginal);
  const draw::Range view{std::max(marginal.view().low, wide.low),
                         std::min(marginal.view().high, wide.high)};
  std::vector<double> x(also.begin(), also.end());
  x.insert(x.end(), {wide.low, wide.high, marginal.drawn().front(), marginal.drawn().back()});
  for (std::size_t i = 0; i <= kEven; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kEven);
    x.push_back(view.low + share * view.size());
    x.push_back(wide.low + share * wide.size());
  }
  const std::size_t stride = std::max<std::size_t>(1, marginal.drawn().size() / kFromRows);
  for (std::size_t i = 0; i < marginal.drawn().size(); i += stride) {
    x.push_back(marginal.drawn()[i]);
  }
  std::ranges::sort(x);
  x.erase(std::ranges::unique(x).begin(), x.end());
  return x;
}

/// Adds points to a sorted list of them; `more` is sorted, too.
Points merged(const Points& have, const Points& more, std::size_t classes) {
  Points all;
  all.x.reserve(have.x.size() + more.x.size());
  all.scores.reserve(have.scores.size() + more.scores.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < have.x.size() || j < more.x.size()) {
    const bool from_have = j == more.x.size() || (i < have.x.size() && have.x[i] <= more.x[j]);
    const Points& source = from_have ? have : more;
    const std::size_t at = from_have ? i++ : j++;
    all.x.push_back(source.x[at]);
    const auto row = source.scores.begin() + static_cast<std::ptrdiff_t>(at * classes);
    all.scores.insert(all.scores.end(), row, row + static_cast<std::ptrdiff_t>(classes));
  }
  return all;
}

/// The area between a line from a to b and the one through the middle.
double missed(const double* a, const double* m, const double* b, std::size_t classes,
              double width) {
  double most = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    const double chord = 0.5 * density_of(a[k]) + 0.5 * density_of(b[k]);
    most = std::max(most, std::abs(density_of(m[k]) - chord));
  }
  return most * width;
}

/// Halves segments until their middles are where the line has them.
Points refined(const Marginal& marginal, Points points) {
  const std::size_t classes = marginal.classes();
  std::vector<bool> open(points.x.size() - 1, true);
  for (int round = 0; round < kMostRounds && points.x.size() < kMostPoints; ++round) {
    Points middles;
    std::vector<std::size_t> segments;
    for (std::size_t i = 0; i + 1 < points.x.size(); ++i) {
      const double middle = 0.5 * points.x[i] + 0.5 * points.x[i + 1];
      if (!open[i] || !(middle > points.x[i] && middle < points.x[i + 1])) { continue; }
      middles.x.push_back(middle);
      segments.push_back(i);
    }
    if (segments.empty()) { break; }
    middles.scores = marginal.log_joint(middles.x);
    std::vector<bool> next;
    next.reserve(2 * open.size());
    std::size_t s = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const bool halved = s < segments.size() && segments[s] == i;
      bool go_on = false;
      if (halved) {
        const double* const a = points.scores.data() + i * classes;
        go_on = missed(a, middles.scores.data() + s * classes, a + classes, classes,
                       points.x[i + 1] - points.x[i]) > kSegmentError;
        ++s;
        next.push_back(go_on);
      }
      next.push_back(go_on);
    }
    points = merged(points, middles, classes);
    open = std::move(next);
  }
  return points;
}

/// Where the winner changes between two neighbors, to the last digit.
double boundary_between(const Marginal& marginal, double low, double high, std::size_t low_winner) {
  for (;;) {
    const double middle = 0.5 * low + 0.5 * high;
    if (!(middle > low && middle < high)) { return high; }
    const std::vector<double> scores = marginal.log_joint({&middle, 1});
    const std::size_t winner = winner_of(scores);
    (winner == low_winner || winner == kNoWinner ? low : high) = middle;
  }
}

/// Points at which the winner changes, so that every segment has one.
Points with_boundaries(const Marginal& marginal, const Points& points) {
  const std::size_t classes = marginal.classes();
  Points found;
  const auto winner = [&](std::size_t i) {
    return winner_of({points.scores.data() + i * classes, classes});
  };
  for (std::size_t i = 0; i + 1 < points.x.size(); ++i) {
    const std::size_t before = winner(i);
    const std::size_t after = winner(i + 1);
    if (before == after || before == kNoWinner || after == kNoWinner) { continue; }
    const double at = boundary_between(marginal, points.x[i], points.x[i + 1], before);
    if (at > points.x[i] && at < points.x[i + 1]) { found.x.push_back(at); }
  }
  if (found.x.empty()) { return points; }
  found.scores = marginal.log_joint(found.x);
  return merged(points, found, classes);
}

/// Of a segment: the winner in its middle, or where none of the classes can be, that before.
void fill_winners(const Marginal& marginal, Profile& profile) {
  std::vector<double> middles(profile.x.size() - 1);
  for (std::size_t i = 0; i < middles.size(); ++i) {
    const double middle = 0.5 * profile.x[i] + 0.5 * profile.x[i + 1];
    middles[i] = marginal.whole_numbers() ? std::round(middle) : middle;
  }
  const std::vector<double> scores = marginal.log_joint(middles);
  std::vector<std::size_t> winners(middles.size());
  std::size_t first = kNoWinner;
  for (std::size_t i = 0; i < middles.size(); ++i) {
    winners[i] = winner_of({scores.data() + i * profile.classes, profile.classes});
    if (winners[i] == kNoWinner && i > 0) { winners[i] = winners[i - 1]; }
    if (first == kNoWinner) { first = winners[i]; }
  }
  for (std::size_t i = 0; i < winners.size(); ++i) {
    if (winners[i] == kNoWinner) { winners[i] = first == kNoWinner ? 0 : first; }
    if (i > 0 && winners[i] != winners[i - 1]) { profile.boundaries.push_back(profile.x[i]); }
  }
  profile.winner = std::move(winners);
}

/// Steps of width 1 around 0, 1, 2, ...: their areas are the probabilities. Of more than a picture
/// can hold the first.
Profile steps_of(const Marginal& marginal) {
  constexpr double kMostSteps = 200000.0;
  const draw::Range wide = wide_range(marginal);
  const double low = std::max(0.0, std::floor(wide.low));
  const double high = std::min(std::ceil(wide.high), low + kMostSteps);
  std::vector<double> numbers;
  for (double n = low; n <= high; ++n) { numbers.push_back(n); }
  const std::vector<double> scores = marginal.log_joint(numbers);
  Profile profile{
      .classes = marginal.classes(), .x = {}, .density = {}, .winner = {}, .boundaries = {}};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (const double side : {-0.5, 0.5}) {
      profile.x.push_back(numbers[i] + side);
      for (std::size_t k = 0; k < profile.classes; ++k) {
        profile.density.push_back(density_of(scores[i * profile.classes + k]));
      }
    }
  }
  return profile;
}

}  // namespace

Profile profile_of(const Marginal& marginal, std::span<const double> also) {
  if (marginal.whole_numbers()) {
    Profile profile = steps_of(marginal);
    fill_winners(marginal, profile);
    return profile;
  }
  Points points;
  points.x = first_points(marginal, also);
  points.scores = marginal.log_joint(points.x);
  points = with_boundaries(marginal, refined(marginal, std::move(points)));
  Profile profile{.classes = marginal.classes(),
                  .x = std::move(points.x),
                  .density = {},
                  .winner = {},
                  .boundaries = {}};
  profile.density.reserve(points.scores.size());
  for (const double score : points.scores) {
    profile.density.push_back(density_of(score));
    profile.unbounded = profile.unbounded || profile.density.back() == kHighest;
  }
  fill_winners(marginal, profile);
  return profile;
}

}  // namespace logodds::plots
