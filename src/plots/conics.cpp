#include "plots/conics.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::plots {

namespace {

using geometry::Conic;

constexpr double kMostWork = 1e7;  // numbers in all boundaries together

/// The boundary at x = begin + s across + t up, (s, t) in the unit square:
/// with y = begin - m: y.Qy + v.y + v_0 + s (2 Q y + v).across + ... + s^2 across.Q across + ...
class Restriction {
 public:
  explicit Restriction(const Plane& plane)
      : begin_(plane.origin), across_(plane.x_step), up_(plane.y_step) {
    for (std::size_t i = 0; i < begin_.size(); ++i) {
      begin_[i] += plane.x.low * across_[i] + plane.y.low * up_[i];
      across_[i] *= plane.x.size();
      up_[i] *= plane.y.size();
    }
  }

  [[nodiscard]] Conic of(const Boundary& boundary) const {
    std::vector<double> y = begin_;
    for (std::size_t i = 0; i < boundary.center.size(); ++i) { y[i] -= boundary.center[i]; }
    const bool centered = !boundary.center.empty();
    const std::vector<double>& slope = centered ? boundary.center_normal : boundary.normal;
    Conic conic{0.0,
                0.0,
                0.0,
                dot(slope, across_),
                dot(slope, up_),
                (centered ? boundary.center_value : boundary.offset) + dot(slope, y)};
    if (boundary.linear()) { return conic; }
    const std::vector<double> by_across = times(boundary.quadratic, across_);
    const std::vector<double> by_up = times(boundary.quadratic, up_);
    const std::vector<double> by_y = times(boundary.quadratic, y);
    conic.a = dot(across_, by_across);
    conic.b = dot(across_, by_up);
    conic.c = dot(up_, by_up);
    conic.d += 2.0 * dot(y, by_across);
    conic.e += 2.0 * dot(y, by_up);
    conic.f += dot(y, by_y);
    return conic;
  }

 private:
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) { sum += a[i] * b[i]; }
    return sum;
  }
  static std::vector<double> times(const std::vector<double>& square,
                                   const std::vector<double>& vector) {
    const std::size_t d = vector.size();
    std::vector<double> product(d, 0.0);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) { product[i] += square[i * d + j] * vector[j]; }
    }
    return product;
  }

  std::vector<double> begin_;
  std::vector<double> across_;
  std::vector<double> up_;
};

}  // namespace

void Conics::scores(std::span<const draw::Point> points, std::span<double> out) const {
  const std::size_t classes = differences_.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x, y] = points[i];
    for (std::size_t k = 0; k < classes; ++k) {
      const Conic& q = differences_[k];
      out[i * classes + k] = q.f + x * (q.d + q.a * x + 2.0 * q.b * y) + y * (q.e + q.c * y);
    }
  }
}

Conic Conics::between(std::size_t first, std::size_t second) const {
  const Conic& p = differences_[first];
  const Conic& q = differences_[second];
  return {q.a - p.a, q.b - p.b, q.c - p.c, q.d - p.d, q.e - p.e, q.f - p.f};
}

std::string Conics::kind(std::size_t first, std::size_t second) const {
  const Conic q = between(first, second);
  const double curved = std::max({std::abs(q.a), std::abs(q.b), std::abs(q.c)});
  const double straight = std::max(std::abs(q.d), std::abs(q.e));
  return curved <= 1e-12 * straight ? "line" : geometry::conic_kind(q);
}

std::optional<Conics> conics_on(const Plane& plane, const Classifier& model) {
  const Geometry* const geometry = model.geometry();
  const std::size_t classes = model.labels().size();
  const auto columns = static_cast<double>(plane.origin.size());
  if (geometry == nullptr || plane.line || model.schema().coded_count() > 0 ||
      static_cast<double>(classes * classes) * columns * columns > kMostWork) {
    return std::nullopt;
  }
  const Restriction restriction(plane);
  std::vector<Conic> differences{{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
  for (const Boundary& boundary : geometry->boundaries()) {
    if (boundary.first == 0) { differences.push_back(restriction.of(boundary)); }
  }
  return Conics(std::move(differences));
}

}  // namespace logodds::plots
