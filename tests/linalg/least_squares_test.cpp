#include "linalg/least_squares.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "linalg/double_double.hpp"
#include "logodds/error.hpp"

using namespace logodds;
using namespace logodds::linalg;

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using WideMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

RowMajor made(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  return RowMajor::NullaryExpr(rows, columns, [&] { return normal(random); });
}

/// Rows of two matrices in blocks of `size`.
Regression regression_of(const RowMajor& x, const RowMajor& y, std::size_t size) {
  const auto n = static_cast<std::size_t>(x.rows());
  const auto d = static_cast<std::size_t>(x.cols());
  const auto t = static_cast<std::size_t>(y.cols());
  Regression regression{.columns = d, .targets = t, .blocks = (n + size - 1) / size};
  regression.read = [&x, &y, n, d, t, size](std::size_t block, std::vector<double>& scratch) {
    const std::size_t begin = block * size;
    const std::size_t rows = std::min(size, n - begin);
    scratch.assign(x.data() + begin * d, x.data() + (begin + rows) * d);
    return BlockRows{rows, scratch.data(), d, y.data() + begin * t, t, nullptr};
  };
  return regression;
}

/// By the normal equations in long double; the intercept is not penalised.
WideMatrix straight(const RowMajor& x, const RowMajor& y, double ridge) {
  WideMatrix a(x.rows(), x.cols() + 1);
  a.col(0).setOnes();
  a.rightCols(x.cols()) = x.cast<long double>();
  WideMatrix gram = a.transpose() * a;
  for (Eigen::Index i = 1; i < gram.rows(); ++i) { gram(i, i) += static_cast<long double>(ridge); }
  return gram.ldlt().solve(a.transpose() * y.cast<long double>());
}

double worst(const LeastSquaresFit& fit, const WideMatrix& wanted) {
  double result = 0.0;
  for (Eigen::Index i = 0; i < wanted.size(); ++i) {
    const long double exact = wanted(i / wanted.cols(), i % wanted.cols());
    const auto found = static_cast<long double>(fit.coefficients[static_cast<std::size_t>(i)]);
    result = std::max(result, static_cast<double>(std::abs(found - exact)));
  }
  return result;
}

}  // namespace

TEST_CASE("double-double: sums and products keep what a double loses") {
  const DoubleDouble one{1.0, 0.0};
  const DoubleDouble sum = one + DoubleDouble{1e-25, 0.0};
  CHECK(sum.high == 1.0);
  CHECK((sum + -one).value() == 1e-25);
  const double third = 1.0 / 3.0;
  const DoubleDouble product = exact_product(third, 3.0);
  CHECK((product + -one).value() == -std::ldexp(1.0, -54));  // 1/3 is rounded down
  CHECK((product * product + -one).value() == doctest::Approx(-std::ldexp(1.0, -53)));
}

TEST_CASE("least squares: several right-hand sides and a ridge, against the normal equations") {
  const RowMajor x = made(200, 4, 1);
  const RowMajor y = made(200, 3, 2);
  for (const double ridge : {0.0, 7.5}) {
    Regression regression = regression_of(x, y, 64);
    regression.ridge = ridge;
    const auto fit = least_squares(regression);
    CHECK(worst(fit, straight(x, y, ridge)) < 1e-16);
    CHECK(fit.standard_errors.empty() == (ridge > 0.0));
    CHECK(worst(least_squares(regression, {.refinements = 0}), straight(x, y, ridge)) < 1e-14);
  }
}

TEST_CASE("least squares: blocks and threads [threads]") {
  const RowMajor x = made(700, 3, 3);
  const RowMajor y = made(700, 1, 4);
  Regression regression = regression_of(x, y, 30);
  const auto one = least_squares(regression);
  regression.threads = 7;
  const auto seven = least_squares(regression);
  CHECK(one.coefficients == seven.coefficients);
  CHECK(one.standard_errors == seven.standard_errors);
  const auto whole = least_squares(x.data(), y.data(), 700, 3, 1, nullptr, true);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(whole.coefficients[i] == doctest::Approx(one.coefficients[i]).epsilon(1e-15));
    CHECK(whole.standard_errors[i] == doctest::Approx(one.standard_errors[i]).epsilon(1e-13));
  }
  CHECK(whole.r_squared[0] == doctest::Approx(one.r_squared[0]).epsilon(1e-13));
}

TEST_CASE("least squares: a row of weight 2 is the row twice, also in the errors") {
  const RowMajor x = made(40, 2, 5);
  const RowMajor y = made(40, 1, 6);
  RowMajor x2(50, 2);
  RowMajor y2(50, 1);
  x2 << x, x.topRows(10);
  y2 << y, y.topRows(10);
  std::vector<double> weights(40, 1.0);
  std::fill_n(weights.begin(), 10, 2.0);
  const auto weighted = least_squares(x.data(), y.data(), 40, 2, 1, weights.data(), true);
  const auto doubled = least_squares(x2.data(), y2.data(), 50, 2, 1, nullptr, true);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(weighted.coefficients[i] == doctest::Approx(doubled.coefficients[i]).epsilon(1e-15));
    CHECK(weighted.standard_errors[i] ==
          doctest::Approx(doubled.standard_errors[i]).epsilon(1e-13));
  }
  CHECK(weighted.degrees_of_freedom == 47.0);
  CHECK(weighted.r_squared[0] == doctest::Approx(doubled.r_squared[0]).epsilon(1e-13));
}

TEST_CASE("least squares: a line by hand, with and without an intercept") {
  const std::vector<double> x{1.0, 2.0, 3.0, 4.0};
  const std::vector<double> y{2.0, 3.0, 5.0, 6.0};
  // Means 2.5 and 4; sums around them: xy 7, xx 5, yy 10.
  const auto line = least_squares(x.data(), y.data(), 4, 1, 1, nullptr, true);
  CHECK(line.coefficients[1] == 1.4);
  CHECK(line.coefficients[0] == 0.5);
  CHECK(line.r_squared[0] == doctest::Approx(0.98).epsilon(1e-15));
  CHECK(line.residual_deviation[0] == doctest::Approx(std::sqrt(0.1)).epsilon(1e-14));
  CHECK(line.standard_errors[1] == doctest::Approx(std::sqrt(0.02)).epsilon(1e-14));
  const auto ray = least_squares(x.data(), y.data(), 4, 1, 1, nullptr, false);
  CHECK(ray.coefficients[0] == doctest::Approx(47.0 / 30.0).epsilon(1e-15));
  CHECK(ray.r_squared[0] == doctest::Approx(47.0 * 47.0 / 30.0 / 74.0).epsilon(1e-14));
}

TEST_CASE("least squares: dependent columns have the coefficient 0, and change no fit") {
  RowMajor x(60, 4);
  x.leftCols(2) = made(60, 2, 7);
  x.col(2) = x.col(0) - 3.0 * x.col(1);
  x.col(3).setConstant(12.5);
  const RowMajor y = made(60, 1, 8);
  const auto all = least_squares(x.data(), y.data(), 60, 4, 1, nullptr, true);
  const RowMajor two = x.leftCols(2);
  const auto without = least_squares(two.data(), y.data(), 60, 2, 1, nullptr, true);
  CHECK(all.identifiable == std::vector<int>{1, 1, 1, 0, 0});
  CHECK(all.rank == 3);
  CHECK(all.coefficients[3] == 0.0);
  CHECK(all.coefficients[4] == 0.0);
  CHECK(all.residual_squares[0] == doctest::Approx(without.residual_squares[0]).epsilon(1e-14));
  CHECK(all.degrees_of_freedom == without.degrees_of_freedom);
}

TEST_CASE("least squares: units from 1e-150 to 1e150, and rows that are too few") {
  const RowMajor x = made(30, 2, 9);
  const RowMajor y = made(30, 1, 10);
  RowMajor scaled = x;
  scaled.col(0) *= std::ldexp(1.0, 500);
  scaled.col(1) *= std::ldexp(1.0, -500);
  const auto plain = least_squares(x.data(), y.data(), 30, 2, 1, nullptr, true);
  const auto fit = least_squares(scaled.data(), y.data(), 30, 2, 1, nullptr, true);
  CHECK(std::ldexp(fit.coefficients[1], 500) ==
        doctest::Approx(plain.coefficients[1]).epsilon(1e-14));
  CHECK(std::ldexp(fit.coefficients[2], -500) ==
        doctest::Approx(plain.coefficients[2]).epsilon(1e-14));
  const auto few = least_squares(x.data(), y.data(), 2, 2, 1, nullptr, true);
  CHECK(few.rank == 2);
  CHECK(few.standard_errors.empty());
  CHECK_THROWS_AS(static_cast<void>(least_squares(x.data(), y.data(), 0, 2, 1, nullptr, true)),
                  Error);
}
