#include "geometry/boundary.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace logodds;

namespace {

Boundary at_origin(std::vector<double> quadratic, std::vector<double> normal, double offset) {
  Boundary boundary;
  boundary.quadratic = std::move(quadratic);
  boundary.normal = std::move(normal);
  boundary.offset = offset;
  return boundary;
}

}  // namespace

TEST_CASE("Distance from the origin is along the normal") {
  // 3 x + 4 y = 10 touches the circle of radius 2
  CHECK(at_origin({}, {3.0, 4.0}, -10.0).distance_from_origin() == doctest::Approx(2.0));
  CHECK(at_origin({}, {-3.0, -4.0}, 10.0).distance_from_origin() == doctest::Approx(-2.0));
}

TEST_CASE("Kinds by dimension") {
  CHECK(at_origin({}, {2.0}, 1.0).kind() == "point");
  CHECK(at_origin({1.0}, {0.0}, -1.0).kind() == "points");
  CHECK(at_origin({1.0}, {0.0}, 1.0).kind() == "nowhere");
  CHECK(at_origin({}, {0.0, 1.0}, 1.0).kind() == "line");
  CHECK(at_origin({1.0, 0.0, 0.0, 1.0}, {0.0, 0.0}, -1.0).kind() == "ellipse");
  CHECK(at_origin({0.0, 0.0, 0.0, 0.0}, {0.0, 1.0}, -1.0).kind() == "line");
  CHECK(at_origin({}, {0.0, 1.0, 0.0}, 1.0).kind() == "hyperplane");
  CHECK(at_origin({1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0}, {0, 0, 0}, 1.0).kind() == "quadric");
  CHECK(at_origin({}, {0.0, 0.0}, 1.0).kind() == "nowhere");
  CHECK(at_origin({}, {0.0, 0.0, 0.0}, 0.0).kind() == "everywhere");
}

TEST_CASE("A boundary known around a point is expanded at the origin") {
  Boundary boundary;
  boundary.quadratic = {2.0, 0.5, 0.5, -1.0};
  boundary.center = {3.0, -1.0};
  boundary.center_normal = {0.25, 4.0};
  boundary.center_value = -2.0;
  geometry::expand_at_origin(boundary);
  const Boundary expanded = at_origin(boundary.quadratic, boundary.normal, boundary.offset);
  for (const double x : {-2.0, 0.0, 1.5}) {
    for (const double y : {-1.0, 0.0, 7.0}) {
      const double u = x - 3.0, v = y + 1.0;
      const double expected = 2.0 * u * u + u * v - v * v + 0.25 * u + 4.0 * v - 2.0;
      CHECK(boundary.value(std::vector{x, y}) == doctest::Approx(expected).epsilon(1e-14));
      CHECK(expanded.value(std::vector{x, y}) == doctest::Approx(expected).epsilon(1e-13));
    }
  }
}

TEST_CASE("Far from the origin the kind is still known") {
  Boundary boundary;
  boundary.quadratic = {1.0, 0.0, 0.0, 1.0};
  boundary.center = {1e8, -1e8};
  boundary.center_normal = {0.0, 0.0};
  boundary.center_value = -1.0;
  geometry::expand_at_origin(boundary);
  CHECK(boundary.kind() == "ellipse");
  CHECK(boundary.value(std::vector{1e8 + 0.5, -1e8}) == -0.75);
}

TEST_CASE("Rounding of a sum is 0, more is not") {
  CHECK(geometry::without_rounding(1e-15, 1.0) == 0.0);
  CHECK(geometry::without_rounding(1e-13, 1.0) == 1e-13);
  CHECK(geometry::without_rounding(0.0, 0.0) == 0.0);
}
