#include "draw/junction.hpp"

#include <cmath>

namespace logodds::draw {

namespace {

constexpr int kHalvings = 24;
constexpr int kNewtonSteps = 6;
constexpr double kStep = 1e-7;  // of derivatives

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

std::size_t longest_edge(const std::array<Point, 3>& corners) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (distance(corners[i], corners[(i + 1) % 3]) >
        distance(corners[best], corners[(best + 1) % 3])) {
      best = i;
    }
  }
  return best;
}

Point center(const std::array<Point, 3>& corners) {
  return {(corners[0].x + corners[1].x + corners[2].x) / 3.0,
          (corners[0].y + corners[1].y + corners[2].y) / 3.0};
}

/// Corners with three labels stay corners with three labels, nearer to each other.
void halve(const Labeling& labeling, std::vector<Junction>& junctions) {
  std::vector<Sample> samples(junctions.size());
  for (int step = 0; step < kHalvings; ++step) {
    for (std::size_t j = 0; j < junctions.size(); ++j) {
      const auto& corners = junctions[j].corners;
      const std::size_t edge = longest_edge(corners);
      const Point a = corners[edge];
      const Point b = corners[(edge + 1) % 3];
      samples[j].at = {(a.x + b.x) / 2.0, (a.y + b.y) / 2.0};
    }
    labeling(samples);
    for (std::size_t j = 0; j < junctions.size(); ++j) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (junctions[j].labels[i] == samples[j].label) {
          junctions[j].corners[i] = samples[j].at;
          break;
        }
      }
    }
  }
}

/// The margins of one junction at a place and at its neighbors to the right and above: six of them.
struct Margins {
  double first;   ///< a_1 - a_2
  double second;  ///< a_1 - a_3
};

Point newton_step(const Margins& here, const Margins& right, const Margins& above) {
  const double first_x = (right.first - here.first) / kStep;
  const double first_y = (above.first - here.first) / kStep;
  const double second_x = (right.second - here.second) / kStep;
  const double second_y = (above.second - here.second) / kStep;
  const double determinant = first_x * second_y - first_y * second_x;
  return {(here.first * second_y - here.second * first_y) / determinant,
          (here.second * first_x - here.first * second_x) / determinant};
}

void polish(const Labeling& labeling, std::vector<Junction>& junctions) {
  constexpr std::array<Point, 3> kPlaces = {{{0.0, 0.0}, {kStep, 0.0}, {0.0, kStep}}};
  std::vector<Sample> samples(6 * junctions.size());
  for (int step = 0; step < kNewtonSteps; ++step) {
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const Junction& junction = junctions[s / 6];
      const Point shift = kPlaces[s % 6 / 2];
      samples[s] = {.at = {junction.at.x + shift.x, junction.at.y + shift.y},
                    .first = junction.labels[0],
                    .second = junction.labels[1 + s % 2]};
    }
    labeling(samples);
    for (std::size_t j = 0; j < junctions.size(); ++j) {
      const auto margins = [&](std::size_t place) {
        return Margins{samples[6 * j + 2 * place].margin, samples[6 * j + 2 * place + 1].margin};
      };
      const Point by = newton_step(margins(0), margins(1), margins(2));
      junctions[j].at.x -= by.x;
      junctions[j].at.y -= by.y;
    }
  }
}

}  // namespace

void find_meetings(const Labeling& labeling, std::vector<Junction>& junctions) {
  if (junctions.empty()) { return; }
  std::vector<double> room;
  std::vector<Point> starts;
  for (const Junction& junction : junctions) {
    const std::size_t edge = longest_edge(junction.corners);
    room.push_back(distance(junction.corners[edge], junction.corners[(edge + 1) % 3]));
  }
  halve(labeling, junctions);
  for (Junction& junction : junctions) {
    junction.at = center(junction.corners);
    starts.push_back(junction.at);
  }
  polish(labeling, junctions);
  for (std::size_t j = 0; j < junctions.size(); ++j) {
    const bool sound = distance(junctions[j].at, starts[j]) <= room[j];  // false for NaN
    if (!sound) { junctions[j].at = starts[j]; }
  }
}

}  // namespace logodds::draw
