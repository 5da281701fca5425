#include "linalg/principal.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace logodds::linalg {

namespace {

using Eigen::Index;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Eigenvalues fall and are not negative; eigenvectors go with them.
PrincipalAxes falling(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& solver) {
  return {solver.eigenvalues().reverse().cwiseMax(0.0), solver.eigenvectors().rowwise().reverse()};
}

void orient_all(Eigen::MatrixXd& vectors) {
  for (Index m = 0; m < vectors.cols(); ++m) { orient(vectors.col(m)); }
}

}  // namespace

std::size_t PrincipalAxes::varying(std::size_t sums) const {
  if (values.size() == 0) { return 0; }
  const double rounding = values(0) * kEpsilon * static_cast<double>(sums);
  return static_cast<std::size_t>((values.array() > rounding).count());
}

void orient(Eigen::Ref<Eigen::VectorXd, 0, Eigen::InnerStride<>> axis) {
  const double most = axis.cwiseAbs().maxCoeff();
  Index i = 0;
  while (std::fabs(axis(i)) < (1.0 - 1e-9) * most) { ++i; }
  if (axis(i) < 0.0) { axis = -axis; }
}

PrincipalAxes principal_axes(const Eigen::MatrixXd& covariance) {
  PrincipalAxes axes = falling(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(covariance));
  orient_all(axes.vectors);
  return axes;
}

PrincipalAxes principal_axes_of_rows(const Eigen::MatrixXd& rows) {
  const Index n = rows.rows();
  const double largest = rows.cwiseAbs().maxCoeff();
  const double unit = largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
  const Eigen::MatrixXd scaled = rows / unit;
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(n, n);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(scaled);
  PrincipalAxes axes = falling(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram));
  const auto count = static_cast<Index>(
      axes.varying(static_cast<std::size_t>(std::max(rows.rows(), rows.cols()))));
  // Directions of small variance have little but rounding of the large ones in them: QR in the
  // order of the variances takes that off, and completes the basis.
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(rows.cols(), n);
  directions.leftCols(count) = scaled.transpose() * axes.vectors.leftCols(count);
  directions.leftCols(count).colwise().normalize();
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(directions);
  axes.vectors = qr.householderQ() * Eigen::MatrixXd::Identity(rows.cols(), n);
  const Eigen::VectorXd lengths = (scaled * axes.vectors.leftCols(count)).colwise().norm();
  axes.values.setZero();
  axes.values.head(count) = (lengths * unit).cwiseAbs2();
  orient_all(axes.vectors);
  return axes;
}

}  // namespace logodds::linalg
