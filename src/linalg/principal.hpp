// Principal axes: eigenvectors of a covariance, in one order and with one sign.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace logodds::linalg {

struct PrincipalAxes {
  Eigen::VectorXd values;   ///< variances along the axes, falling, none below 0
  Eigen::MatrixXd vectors;  ///< one a column, orthonormal, oriented
  /// Axes whose variance is more than the rounding of the largest.
  [[nodiscard]] std::size_t varying(std::size_t sums) const;
};

/// The first coordinate that is largest, to rounding (1e-9), becomes positive: the sign rule of
/// every axis.
void orient(Eigen::Ref<Eigen::VectorXd, 0, Eigen::InnerStride<>> axis);

/// All D axes of a D x D covariance. Symmetric QR: an error in a variance is some epsilon of the
/// largest one.
[[nodiscard]] PrincipalAxes principal_axes(const Eigen::MatrixXd& covariance);

/// The same for N <= D centred rows A (N x D), whose covariance is A^T A, without that matrix: from
/// the eigenvectors U of the Gram matrix A A^T = U S^2 U^T, V = A^T U S^-1. There are N axes, of
/// which the last ones have no variance.
[[nodiscard]] PrincipalAxes principal_axes_of_rows(const Eigen::MatrixXd& rows);

}  // namespace logodds::linalg
