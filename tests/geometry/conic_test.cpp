#include "geometry/conic.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <vector>

using namespace logodds::geometry;

namespace {

struct Example {
  std::string kind;
  Conic conic;
};

const std::vector<Example>& examples() {
  static const std::vector<Example> kExamples = {
      {"ellipse", {1, 0, 4, 0, 0, -1}},    {"ellipse", {-2, 0.5, -1, 3, 1, 9}},
      {"hyperbola", {1, 0, -1, 0, 0, -1}}, {"hyperbola", {0, 0.5, 0, 0, 0, -1}},
      {"parabola", {1, 0, 0, 0, -1, 0}},   {"parabola", {0, 0, -3, 2, 1, 5}},
      {"line pair", {1, 0, -1, 0, 0, 0}},  {"line pair", {0, 0.5, 0, 0, 0, 0}},
      {"line pair", {1, 0, 0, 0, 0, -4}},  {"line pair", {1, 1, 1, 1, 1, -2}},
      {"line", {1, 0, 0, -2, 0, 1}},       {"line", {-1, 2, -4, 0, 0, 0}},
      {"point", {1, 0, 1, 0, 0, 0}},       {"point", {-1, 0, -4, 2, 8, -5}},
      {"nowhere", {1, 0, 1, 0, 0, 1}},     {"nowhere", {-1, 0.5, -1, 0, 0, -3}},
      {"nowhere", {1, 0, 0, 0, 0, 1}},     {"nowhere", {-1, -1, -1, 1, 1, -7}}};
  return kExamples;
}

/// The conic of (x, y) = (p u + q v + s, r u + t v + z), in u and v.
Conic mapped(const Conic& f, const std::array<double, 6>& map) {
  const auto [p, q, r, t, s, z] = map;
  return {f.a * p * p + 2 * f.b * p * r + f.c * r * r,
          f.a * p * q + f.b * (p * t + q * r) + f.c * r * t,
          f.a * q * q + 2 * f.b * q * t + f.c * t * t,
          2 * (f.a * s * p + f.b * (s * r + z * p) + f.c * z * r) + f.d * p + f.e * r,
          2 * (f.a * s * q + f.b * (s * t + z * q) + f.c * z * t) + f.d * q + f.e * t,
          f.a * s * s + 2 * f.b * s * z + f.c * z * z + f.d * s + f.e * z + f.f};
}

}  // namespace

TEST_CASE("Every kind of conic is recognised") {
  for (const Example& example : examples()) {
    CAPTURE(example.conic.a);
    CAPTURE(example.conic.f);
    CHECK(conic_kind(example.conic) == example.kind);
  }
}

TEST_CASE("Invertible affine maps and factors do not change the kind") {
  std::mt19937_64 engine(6);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    std::array<double, 6> map;
    for (double& entry : map) { entry = normal(engine); }
    if (std::abs(map[0] * map[3] - map[1] * map[2]) < 0.05) { continue; }
    for (const Example& example : examples()) {
      CAPTURE(trial);
      CAPTURE(example.conic.a);
      CAPTURE(example.conic.f);
      Conic conic = mapped(example.conic, map);
      CHECK(conic_kind(conic) == example.kind);
      conic = {-1e-5 * conic.a, -1e-5 * conic.b, -1e-5 * conic.c,
               -1e-5 * conic.d, -1e-5 * conic.e, -1e-5 * conic.f};
      CHECK(conic_kind(conic) == example.kind);
    }
  }
}

TEST_CASE("Units far from those of the picture are cured by a frame") {
  const Conic circle{1.0, 0.0, 1.0, 0.0, 0.0, -1.0};
  const double units[4] = {1e6, 0.0, 0.0, 1e-6};
  const double back[4] = {1e-6, 0.0, 0.0, 1e6};
  CHECK(conic_kind(in_frame(in_frame(circle, units), back)) == "ellipse");
}

TEST_CASE("Roots in one dimension") {
  CHECK(root_kind(1, 0, -1) == "points");
  CHECK(root_kind(-2, 1, 5) == "points");
  CHECK(root_kind(1, -2, 1) == "point");
  CHECK(root_kind(0.1, -0.2 * 3, 0.1 * 9) == "point");
  CHECK(root_kind(1, 0, 1) == "nowhere");
}
