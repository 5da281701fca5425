#include "linalg/wide_least_squares.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "linalg/least_squares.hpp"

using namespace logodds::linalg;

namespace {

/// Rows [1, x ..., y] as cross products.
struct Data {
  std::size_t columns = 0;
  std::vector<double> rows;

  [[nodiscard]] DoubleDouble product(std::size_t i, std::size_t j) const {
    DoubleDouble sum;
    for (std::size_t r = 0; r < rows.size(); r += columns) {
      sum = sum + exact_product(rows[r + i], rows[r + j]);
    }
    return sum;
  }
  [[nodiscard]] Products products() const {
    return [this](std::size_t i, std::size_t j) { return product(i, j); };
  }
};

/// Powers of x from `low` to `low` + 1: the farther from 0, the less they differ.
Data powers(double low, std::size_t degree, std::size_t n) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  Data data{degree + 2, {}};
  for (std::size_t r = 0; r < n; ++r) {
    const double x = low + static_cast<double>(r) / static_cast<double>(n);
    double power = 1.0;
    for (std::size_t k = 0; k <= degree; ++k, power *= x) { data.rows.push_back(power); }
    data.rows.push_back(normal(random));
  }
  return data;
}

LeastSquaresFit by_rows(const Data& data) {
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t r = 0; r < data.rows.size(); r += data.columns) {
    const auto row = data.rows.begin() + static_cast<std::ptrdiff_t>(r);
    x.insert(x.end(), row + 1, row + static_cast<std::ptrdiff_t>(data.columns) - 1);
    y.push_back(data.rows[r + data.columns - 1]);
  }
  return least_squares(x.data(), y.data(), y.size(), data.columns - 2, 1, nullptr, true);
}

}  // namespace

TEST_CASE("double-double: quotients and roots to 104 bits") {
  const DoubleDouble third = DoubleDouble{1.0, 0.0} / DoubleDouble{3.0, 0.0};
  const DoubleDouble one = third * 3.0 - DoubleDouble{1.0, 0.0};
  CHECK(std::abs(one.value()) < 0x1p-103);
  const DoubleDouble root = sqrt(DoubleDouble{2.0, 0.0});
  CHECK(std::abs((root * root - DoubleDouble{2.0, 0.0}).value()) < 0x1p-102);
  CHECK(sqrt(DoubleDouble{}).value() == 0.0);
}

TEST_CASE("least squares from products: as refined QR of the rows, well and badly conditioned") {
  for (const double low : {0.0, 3.0, 30.0}) {
    CAPTURE(low);
    const Data data = powers(low, 3, 40);
    const auto expected = by_rows(data);
    const auto found = least_squares(data.products(), {.regressors = {0, 1, 2, 3}, .response = 4});
    REQUIRE(found.rank == 4);
    for (std::size_t j = 0; j < 4; ++j) {
      CHECK(found.coefficients[j] == doctest::Approx(expected.coefficients[j]).epsilon(1e-13));
      CHECK(found.roots[j] * expected.residual_deviation[0] ==
            doctest::Approx(expected.standard_errors[j]).epsilon(low > 10.0 ? 1e-7 : 1e-10));
    }
    CHECK(found.residual_squares == doctest::Approx(expected.residual_squares[0]).epsilon(1e-13));
    CHECK(1.0 - found.residual_squares / found.first_squares ==
          doctest::Approx(expected.r_squared[0]).epsilon(1e-12));
  }
}

TEST_CASE("least squares from products: columns that depend on others, and none at all") {
  Data data = powers(1.0, 2, 20);
  for (std::size_t r = 0; r < data.rows.size(); r += 4) {
    data.rows[r + 2] = 2.0 * data.rows[r + 1] - 3.0;  // made of the two before it
  }
  const auto found = least_squares(data.products(), {.regressors = {0, 1, 2}, .response = 3});
  CHECK(found.identifiable == std::vector<int>{1, 1, 0});
  CHECK(found.coefficients[2] == 0.0);
  CHECK(found.rank == 2);
  const auto nothing = least_squares(data.products(), {.regressors = {}, .response = 3});
  CHECK(nothing.residual_squares == nothing.squares);
}

TEST_CASE("least squares from products: what is fitted exactly leaves nothing") {
  Data data = powers(5.0, 4, 30);
  for (std::size_t r = 0; r < data.rows.size(); r += 6) {
    data.rows[r + 5] = 2.0 - 3.0 * data.rows[r + 1];
  }
  const auto found = least_squares(data.products(), {.regressors = {0, 1, 2, 3, 4}, .response = 5});
  CHECK(found.residual_squares < 1e-29 * found.squares);
}
