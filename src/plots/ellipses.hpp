// Gaussian densities on a plane: their marginal there, as ellipses and principal axes.
#pragma once

#include <array>
#include <vector>

#include "plots/plane.hpp"

namespace logodds::plots {

/// Mean and covariance in the coordinates of a plane.
struct Gaussian2 {
  draw::Point mean;
  double xx = 1.0;
  double xy = 0.0;
  double yy = 1.0;

  /// Principal axes, the longer first: unit vectors times the roots of the eigenvalues.
  [[nodiscard]] std::array<draw::Point, 2> axes() const;
};

/// Of every class of a Gaussian model; empty for other models. Columns that are not on the plane
/// are integrated out: a linear map of x has mean A mu and covariance A Sigma A^T.
[[nodiscard]] std::vector<Gaussian2> gaussians_on(const Plane& plane, const Classifier& model);

/// Ellipses at 1, 2 and 3 deviations and the axes. Arrays: "mean NAME" (2), "covariance NAME"
/// (2 x 2), "axes NAME" (2 x 2, an axis a row).
void draw_ellipses(Plot& plot, const draw::Panel& panel, const Gaussian2& gaussian, std::size_t k,
                   const std::string& name);

}  // namespace logodds::plots
