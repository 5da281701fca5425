#include "plots/ellipses.hpp"

#include <cmath>
#include <numbers>

namespace logodds::plots {

namespace {

constexpr std::size_t kCorners = 120;

/// Means and covariances in the design's columns, of which those of numbers come first.
struct Parameters {
  std::size_t size = 0;
  std::vector<double> mean;
  std::vector<double> covariance;  ///< row-major
};

/// A model of principal components has parameters in those: x = center + A z.
Parameters unprojected(const Parameters& z, const NamedArray& center, const NamedArray& axes) {
  const std::size_t d = axes.shape[0];
  const std::size_t m = axes.shape[1];
  Parameters x{d, center.values, std::vector<double>(d * d, 0.0)};
  std::vector<double> product(d * m, 0.0);  // A S
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      x.mean[i] += axes.values[i * m + j] * z.mean[j];
      for (std::size_t l = 0; l < m; ++l) {
        product[i * m + j] += axes.values[i * m + l] * z.covariance[l * m + j];
      }
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t l = 0; l < m; ++l) {
        x.covariance[i * d + j] += product[i * m + l] * axes.values[j * m + l];
      }
    }
  }
  return x;
}

/// a . S b over the columns of numbers.
double form(const std::vector<double>& a, const Parameters& p, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      sum += a[i] * p.covariance[i * p.size + j] * b[j];
    }
  }
  return sum;
}

}  // namespace

std::array<draw::Point, 2> Gaussian2::axes() const {
  // Eigenvalues of a symmetric matrix: m +- sqrt(((xx - yy) / 2)^2 + xy^2).
  const double middle = (xx + yy) / 2.0;
  const double half = std::hypot((xx - yy) / 2.0, xy);
  const double angle = 0.5 * std::atan2(2.0 * xy, xx - yy);
  const double longer = std::sqrt(middle + half);
  // The product of the eigenvalues is the determinant, which loses less than middle - half.
  const double shorter = longer > 0.0 ? std::sqrt(std::max(xx * yy - xy * xy, 0.0)) / longer : 0.0;
  return {{{longer * std::cos(angle), longer * std::sin(angle)},
           {-shorter * std::sin(angle), shorter * std::cos(angle)}}};
}

std::vector<Gaussian2> gaussians_on(const Plane& plane, const Classifier& model) {
  const NamedArray means = model.array("means");
  const NamedArray covariances = model.array("covariances");
  const NamedArray owners = model.array("covariance_of_class");
  if (means.shape.size() != 2 || covariances.shape.size() != 3 || owners.shape.empty()) {
    return {};
  }
  const NamedArray center = model.array("projection_center");
  const NamedArray axes = model.array("projection_axes");
  const std::size_t d = means.shape[1];
  std::vector<Gaussian2> result;
  for (std::size_t k = 0; k < means.shape[0]; ++k) {
    const auto at = [](const std::vector<double>& values, std::size_t from, std::size_t count) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(from);
      return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(count));
    };
    const auto owner = static_cast<std::size_t>(owners.values[k]);
    Parameters p{d, at(means.values, k * d, d), at(covariances.values, owner * d * d, d * d)};
    if (!axes.shape.empty()) { p = unprojected(p, center, axes); }
    result.push_back({.mean = plane.project(p.mean.data()),
                      .xx = form(plane.x_weights, p, plane.x_weights),
                      .xy = form(plane.x_weights, p, plane.y_weights),
                      .yy = form(plane.y_weights, p, plane.y_weights)});
  }
  return result;
}

void draw_ellipses(Plot& plot, const draw::Panel& panel, const Gaussian2& gaussian, std::size_t k,
                   const std::string& name) {
  const auto [longer, shorter] = gaussian.axes();
  const draw::Point m = gaussian.mean;
  draw::Layer& layer = panel.layer(plot.drawing, "densities");
  NamedArray ellipses{"ellipses " + name, {3, kCorners, 2}, {}};  // widest first
  for (const double deviations : {3.0, 2.0, 1.0}) {
    std::vector<draw::Point> outline;
    for (std::size_t i = 0; i < kCorners; ++i) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / kCorners;
      const double c = deviations * std::cos(angle);
      const double s = deviations * std::sin(angle);
      const draw::Point at{m.x + c * longer.x + s * shorter.x, m.y + c * longer.y + s * shorter.y};
      ellipses.values.insert(ellipses.values.end(), {at.x, at.y});
      outline.push_back(panel.at(at.x, at.y));
    }
    layer.marks.emplace_back(draw::Path{
        .lines = {std::move(outline)},
        .closed = true,
        .fill = draw::Fill{.paint = draw::class_color(k), .opacity = 0.07},
        .stroke =
            draw::Stroke{.paint = draw::class_color(k), .width = deviations == 1.0 ? 2.0 : 1.2},
        .tip = name + ": " + draw::short_text(deviations) +
               (deviations == 1.0 ? " deviation" : " deviations")});
  }
  draw::Path cross{.lines = {},
                   .stroke = draw::Stroke{.paint = draw::Color{0x22, 0x22, 0x22}, .width = 1.6}};
  for (const draw::Point axis : {longer, shorter}) {
    cross.lines.push_back(
        {panel.at(m.x - axis.x, m.y - axis.y), panel.at(m.x + axis.x, m.y + axis.y)});
  }
  layer.marks.emplace_back(std::move(cross));
  plot.arrays.push_back({"mean " + name, {2}, {m.x, m.y}});
  plot.arrays.push_back(
      {"covariance " + name, {2, 2}, {gaussian.xx, gaussian.xy, gaussian.xy, gaussian.yy}});
  plot.arrays.push_back(std::move(ellipses));
  plot.arrays.push_back({"axes " + name, {2, 2}, {longer.x, longer.y, shorter.x, shorter.y}});
}

}  // namespace logodds::plots
