#include "geometry/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/conic.hpp"

namespace logodds {

namespace {

/// A sum, and the sum of the magnitudes of its terms.
struct Sum {
  double value = 0.0;
  double magnitude = 0.0;
  void add(double term) {
    value += term;
    magnitude += std::fabs(term);
  }
  [[nodiscard]] double result() const { return geometry::without_rounding(value, magnitude); }
};

bool all_zero(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return value == 0.0; });
}

}  // namespace

double Boundary::value(std::span<const double> x) const {
  const std::size_t d = normal.size();
  const std::vector<double>& slope = center.empty() ? normal : center_normal;
  std::vector<double> y(x.begin(), x.end());
  for (std::size_t i = 0; i < center.size(); ++i) { y[i] -= center[i]; }
  double sum = center.empty() ? offset : center_value;
  for (std::size_t i = 0; i < d; ++i) {
    sum += slope[i] * y[i];
    for (std::size_t j = 0; j < d && !linear(); ++j) { sum += quadratic[i * d + j] * y[i] * y[j]; }
  }
  return sum;
}

double Boundary::distance_from_origin() const {
  double square = 0.0;
  for (const double w : normal) { square += w * w; }
  return -offset / std::sqrt(square);
}

std::string Boundary::kind() const {
  const std::vector<double>& slope = center.empty() ? normal : center_normal;
  const double constant = center.empty() ? offset : center_value;
  const std::size_t d = normal.size();
  if (linear() || all_zero(quadratic)) {
    if (all_zero(slope)) { return constant == 0.0 ? "everywhere" : "nowhere"; }
    return d == 1 ? "point" : d == 2 ? "line" : "hyperplane";
  }
  if (d > 2) { return "quadric"; }
  if (d == 1) {
    const double unit = frame.empty() ? 1.0 : frame[0];
    return geometry::root_kind(unit * unit * quadratic[0], unit * slope[0], constant);
  }
  const geometry::Conic conic{quadratic[0], quadratic[1], quadratic[3],
                              slope[0],     slope[1],     constant};
  return geometry::conic_kind(frame.empty() ? conic : geometry::in_frame(conic, frame.data()));
}

namespace geometry {

double without_rounding(double sum, double magnitude) {
  return std::fabs(sum) <= 64.0 * std::numeric_limits<double>::epsilon() * magnitude ? 0.0 : sum;
}

void expand_at_origin(Boundary& boundary) {
  const std::size_t d = boundary.center.size();
  const std::vector<double>& m = boundary.center;
  boundary.normal.resize(d);
  Sum offset;
  offset.add(boundary.center_value);
  for (std::size_t i = 0; i < d; ++i) {
    Sum slope;
    slope.add(boundary.center_normal[i]);
    offset.add(-boundary.center_normal[i] * m[i]);
    for (std::size_t j = 0; j < d && !boundary.linear(); ++j) {
      const double term = boundary.quadratic[i * d + j] * m[j];
      slope.add(-2.0 * term);
      offset.add(term * m[i]);
    }
    boundary.normal[i] = slope.result();
  }
  boundary.offset = offset.result();
}

}  // namespace geometry

}  // namespace logodds
