#include "draw/partition.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "logodds/draw/simplify.hpp"

namespace logodds::draw {

namespace {

constexpr Point kMiddle{0.47, 0.53};

/// 0 inside of a circle around the middle, 1 outside.
void circle(std::span<Sample> samples) {
  for (Sample& sample : samples) {
    const double outside = std::hypot(sample.at.x - kMiddle.x, sample.at.y - kMiddle.y) - 0.31;
    sample.label = outside > 0.0 ? 1 : 0;
    sample.margin = sample.first == 0 ? -outside : outside;
  }
}

/// Three linear scores, all equal at the middle.
double sector_score(std::int32_t k, Point at) {
  const double angle = 2.0 * std::numbers::pi * k / 3.0 + 0.3;
  return std::cos(angle) * (at.x - kMiddle.x) + std::sin(angle) * (at.y - kMiddle.y);
}
void sectors(std::span<Sample> samples) {
  for (Sample& sample : samples) {
    sample.label = 0;
    for (std::int32_t k = 1; k < 3; ++k) {
      if (sector_score(k, sample.at) > sector_score(sample.label, sample.at)) { sample.label = k; }
    }
    sample.margin = sample.first < 0 ? 0.0
                                     : sector_score(sample.first, sample.at) -
                                           sector_score(sample.second, sample.at);
  }
}

/// Twice the area inside of an outline, positive when it is walked counterclockwise.
double area(const std::vector<Point>& outline) {
  double sum = 0.0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i];
    const Point b = outline[(i + 1) % outline.size()];
    sum += a.x * b.y - b.x * a.y;
  }
  return sum / 2.0;
}

double area_of(const Partition& partition, std::size_t label) {
  double sum = 0.0;
  for (const auto& outline : partition.regions[label]) { sum += area(outline); }
  return sum;
}

}  // namespace

TEST_CASE("A circle is one closed line through points of the circle") {
  const Partition found = partition(circle, 2, 40, 30);
  REQUIRE(found.lines.size() == 1);
  const std::vector<Point>& line = found.lines[0].points;
  REQUIRE(line.size() > 60);
  CHECK(line.front().x == line.back().x);
  CHECK(line.front().y == line.back().y);
  for (const Point p : line) {
    CHECK(std::abs(std::hypot(p.x - kMiddle.x, p.y - kMiddle.y) - 0.31) < 1e-14);
  }
  const double disk = std::numbers::pi * 0.31 * 0.31;
  CHECK(area_of(found, 0) == doctest::Approx(disk).epsilon(2e-3));
  CHECK(area_of(found, 0) + area_of(found, 1) == doctest::Approx(1.0).epsilon(1e-12));
}

TEST_CASE("Three sectors are three straight lines that meet where the scores are equal") {
  const Partition found = partition(sectors, 3, 23, 17);
  REQUIRE(found.lines.size() == 3);
  for (const BorderLine& line : found.lines) {
    CHECK(line.points.size() == 2);
    const auto near = [](Point p) { return std::hypot(p.x - kMiddle.x, p.y - kMiddle.y); };
    CHECK(std::min(near(line.points.front()), near(line.points.back())) < 1e-12);
    for (const Point p : line.points) {
      CHECK(std::abs(sector_score(line.first, p) - sector_score(line.second, p)) < 1e-13);
    }
  }
  CHECK(area_of(found, 0) + area_of(found, 1) + area_of(found, 2) == doctest::Approx(1.0));
}

TEST_CASE("A thin band between two regions is not lost where its neighbors meet the grid") {
  // The band is half a cell wide; the edges across it have its neighbors at both ends.
  const Labeling band = [](std::span<Sample> samples) {
    for (Sample& sample : samples) {
      const double x = sample.at.x + 0.2 * sample.at.y;
      sample.label = x < 0.5 ? 0 : x < 0.5125 ? 1 : 2;
      sample.margin = std::nan("");
    }
  };
  const Partition found = partition(band, 3, 40, 40);
  for (const BorderLine& line : found.lines) {
    CHECK(line.second == line.first + 1);
    for (const Point p : line.points) {
      const double x = p.x + 0.2 * p.y;
      CHECK(std::abs(x - (line.first == 0 ? 0.5 : 0.5125)) < 1e-12);
    }
  }
  CHECK(area_of(found, 1) == doctest::Approx(0.0125).epsilon(1e-3));
}

TEST_CASE("Changes along a line are found in order, however near they are") {
  const Labeling steps = [](std::span<Sample> samples) {
    for (Sample& sample : samples) {
      sample.label = sample.at.x < 0.2      ? 0
                     : sample.at.x < 0.7004 ? 1
                     : sample.at.x < 0.7006 ? 0
                                            : 2;
      sample.margin = std::nan("");
    }
  };
  const Intervals found = intervals(steps, 100);
  CHECK(found.first == 0);
  REQUIRE(found.changes.size() == 3);
  CHECK(std::abs(found.changes[0].at - 0.2) < 1e-14);
  CHECK(std::abs(found.changes[1].at - 0.7004) < 1e-14);
  CHECK(std::abs(found.changes[2].at - 0.7006) < 1e-14);
  CHECK(found.changes[2].after == 2);
}

TEST_CASE("A simplified line keeps what is farther off than the tolerance") {
  const std::vector<Point> line{{0, 0}, {1, 0.001}, {2, 0}, {3, 1}, {4, 2}};
  const std::vector<Point> kept = simplified(line, 0.01);
  REQUIRE(kept.size() == 3);
  CHECK(kept[1].x == 2.0);
  CHECK(simplified(line, 1e-6).size() == 4);
}

}  // namespace logodds::draw
