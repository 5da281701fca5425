#include "models/linear/splines.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

using namespace logodds::models::linear;
using Values = std::vector<double>;

namespace {

const Values kKnots{0.5, 1.25, 2.0, 4.0, 7.5};

/// The book's formula (ESL 5.4 and 5.5), as it stands there; K knots, numbered from 1.
double by_the_book(double x, const Values& knots, std::size_t k) {
  const std::size_t last = knots.size();
  const auto xi = [&](std::size_t i) { return knots[i - 1]; };
  const auto cube_plus = [](double z) { return z > 0 ? z * z * z : 0.0; };
  const auto d = [&](std::size_t i) {
    return (cube_plus(x - xi(i)) - cube_plus(x - xi(last))) / (xi(last) - xi(i));
  };
  return d(k) - d(last - 1);
}

Values splines(double x, const Values& knots) {
  Values out(knots.size() - 2);
  natural_splines(x, knots, out.data());
  return out;
}

/// The combination of 1, x and the splines that has the values `y` at the knots.
Eigen::VectorXd interpolating(const Values& knots, const Values& y) {
  const auto n = static_cast<Eigen::Index>(knots.size());
  Eigen::MatrixXd basis(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double x = knots[static_cast<std::size_t>(i)];
    basis(i, 0) = 1.0;
    basis(i, 1) = x;
    const Values row = splines(x, knots);
    for (std::size_t k = 0; k < row.size(); ++k) {
      basis(i, static_cast<Eigen::Index>(k) + 2) = row[k];
    }
  }
  return basis.fullPivLu().solve(Eigen::Map<const Eigen::VectorXd>(y.data(), n));
}

double value(const Eigen::VectorXd& coefficients, double x, const Values& knots) {
  double sum = coefficients(0) + coefficients(1) * x;
  const Values row = splines(x, knots);
  for (std::size_t k = 0; k < row.size(); ++k) {
    sum += coefficients(static_cast<Eigen::Index>(k) + 2) * row[k];
  }
  return sum;
}

}  // namespace

TEST_CASE("natural splines are those of the book, free of units") {
  const double range = kKnots.back() - kKnots.front();
  for (double x = -2.0; x < 12.0; x += 0.37) {
    const Values found = splines(x, kKnots);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double expected = by_the_book(x, kKnots, k + 1) / (range * range);
      CHECK(found[k] == doctest::Approx(expected).epsilon(1e-12).scale(1.0));
      CHECK(found[k] >= 0.0);
    }
  }
}

TEST_CASE("natural splines do not depend on the unit and the origin of the column") {
  Values moved;
  for (const double knot : kKnots) { moved.push_back(1e6 + 1e3 * knot); }
  const Values a = splines(3.3, kKnots);
  const Values b = splines(1e6 + 1e3 * 3.3, moved);
  for (std::size_t k = 0; k < a.size(); ++k) { CHECK(b[k] == doctest::Approx(a[k])); }
}

// scipy.interpolate.CubicSpline(knots, y, bc_type='natural'), SciPy 1.x, and its tangents beyond.
TEST_CASE("splines through given points are SciPy's natural cubic spline") {
  const auto coefficients = interpolating(kKnots, {1.0, -0.5, 2.0, 0.25, 3.0});
  const std::vector<std::pair<double, double>> expected{
      {0.9, -0.2449991920738191}, {1.7, 0.8632598819091357}, {3.1, 2.171424747826799},
      {5.0, -0.5314206049813727}, {10.0, 8.163852782789347}, {-1.0, 6.332099803181893}};
  for (const auto& [x, y] : expected) {
    CHECK(value(coefficients, x, kKnots) == doctest::Approx(y).epsilon(1e-11));
  }
}

TEST_CASE("far beyond the knots splines are straight lines, to the last digits") {
  const Values near = splines(1e3, kKnots);
  const Values far = splines(1e9, kKnots);
  const Values end = splines(kKnots.back(), kKnots);
  for (std::size_t k = 0; k < near.size(); ++k) {
    const double slope = (near[k] - end[k]) / (1e3 - kKnots.back());
    CHECK(far[k] == doctest::Approx(end[k] + slope * (1e9 - kKnots.back())).epsilon(1e-13));
  }
}

TEST_CASE("knots lie at shares of the weight") {
  Values values;
  for (int i = 1; i <= 100; ++i) { values.push_back(101 - i); }
  CHECK(spline_knots(values, nullptr, 3) == Values{1, 25, 50, 75, 100});
  // A row of weight 2 is two rows.
  const Values weights{1, 2, 1, 1, 3};
  CHECK(spline_knots({1, 2, 3, 4, 5}, weights.data(), 1) ==
        spline_knots({1, 2, 2, 3, 4, 5, 5, 5}, nullptr, 1));
}

TEST_CASE("where most values are equal, knots lie at different ones") {
  Values values(100, 0.0);
  for (const double extra : {1.0, 2.0, 3.0, 4.0}) { values.push_back(extra); }
  CHECK(spline_knots(values, nullptr, 3) == Values{0, 1, 2, 3, 4});
  CHECK(spline_knots(values, nullptr, 1) == Values{0, 2, 4});
  CHECK(spline_knots(values, nullptr, 4).empty());
  CHECK(count_different(values) == 5);
}
