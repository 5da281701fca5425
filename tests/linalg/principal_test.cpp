#include "linalg/principal.hpp"

#include <doctest/doctest.h>

#include <Eigen/SVD>
#include <cmath>
#include <random>

using namespace logodds::linalg;

namespace {

/// Centred rows whose columns have spreads 1, `fall`, `fall`^2, ..., mixed by a rotation.
Eigen::MatrixXd made(Eigen::Index rows, Eigen::Index columns, double fall, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
  for (Eigen::Index c = 0; c < columns; ++c) { a.col(c) *= std::pow(fall, c); }
  const Eigen::MatrixXd b =
      Eigen::MatrixXd::NullaryExpr(columns, columns, [&] { return normal(random); });
  a = a * Eigen::JacobiSVD<Eigen::MatrixXd>(b, Eigen::ComputeFullU).matrixU();
  return a.rowwise() - a.colwise().mean();
}

double orthonormality(const Eigen::MatrixXd& v) {
  return (v.transpose() * v - Eigen::MatrixXd::Identity(v.cols(), v.cols())).cwiseAbs().maxCoeff();
}

/// Against LAPACK's way, a singular value decomposition of the rows themselves.
void check_against_svd(const Eigen::MatrixXd& rows, const PrincipalAxes& axes, Eigen::Index clear) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeThinV);
  const Eigen::VectorXd expected = svd.singularValues().cwiseAbs2();
  const auto count = std::min(expected.size(), axes.values.size());
  CHECK((axes.values.head(count) - expected.head(count)).cwiseAbs().maxCoeff() <=
        1e-13 * expected(0));
  for (Eigen::Index m = 0; m < clear; ++m) {
    CHECK(std::abs(axes.vectors.col(m).dot(svd.matrixV().col(m))) == doctest::Approx(1.0));
  }
  CHECK(orthonormality(axes.vectors) < 1e-13);
}

}  // namespace

TEST_CASE("principal axes: of a covariance and of rows as in a singular value decomposition") {
  for (const double fall : {0.7, 0.1}) {
    CAPTURE(fall);
    const Eigen::MatrixXd tall = made(60, 8, fall, 1);
    check_against_svd(tall, principal_axes(tall.transpose() * tall), fall > 0.5 ? 8 : 4);
    const Eigen::MatrixXd wide = made(9, 40, fall, 2);
    check_against_svd(wide, principal_axes_of_rows(wide), fall > 0.5 ? 8 : 4);
  }
}

TEST_CASE("principal axes of rows: those without variance complete the basis") {
  Eigen::MatrixXd rows = made(6, 10, 0.8, 3);
  rows.row(5) = rows.row(4);  // rank 4 after centring
  rows = (rows.rowwise() - rows.colwise().mean()).eval();
  const auto axes = principal_axes_of_rows(rows);
  CHECK(axes.values.size() == 6);
  CHECK(axes.varying(10) == 4);
  CHECK(axes.values.tail(2).isZero());
  CHECK(orthonormality(axes.vectors) < 1e-14);
}

TEST_CASE("principal axes of rows: tiny and huge numbers") {
  const Eigen::MatrixXd rows = made(5, 7, 0.5, 4);
  const auto plain = principal_axes_of_rows(rows);
  for (const double unit : {0x1p-520, 0x1p+510}) {
    const auto scaled = principal_axes_of_rows(rows * unit);
    CHECK(scaled.vectors == plain.vectors);
    if (unit < 1.0) { continue; }  // whose squares are no normal numbers
    CHECK(scaled.values / unit / unit == plain.values);
  }
}

TEST_CASE("principal axes: the largest coordinate is positive, the first of equal ones") {
  Eigen::VectorXd axis(4);
  axis << 0.5, -0.9, 0.1, 0.2;
  orient(axis);
  CHECK(axis(1) == 0.9);
  axis << -0.5, 0.5 * (1.0 + 1e-12), 0.1, 0.2;  // equal to rounding
  orient(axis);
  CHECK(axis(0) == 0.5);
}
