// Least-squares lines: formulas, laws of the pair, and the certified values of NIST.
#include "logodds/models/line.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>

#include "data/csv_source.hpp"
#include "linalg/least_squares.hpp"
#include "logodds/logodds.hpp"
#include "models/line/tails.hpp"
#include "support/sample.hpp"
#include "support/shared_data.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// x1, x2, ..., y as a table of numbers.
struct Points {
  std::size_t columns = 2;
  std::vector<double> values;
  std::vector<double> weights;

  [[nodiscard]] std::size_t rows() const { return values.size() / columns; }
  [[nodiscard]] double at(std::size_t r, std::size_t i) const { return values[r * columns + i]; }
  [[nodiscard]] MatrixData data() const {
    return {.features = row_major(values.data(), rows(), columns),
            .weights = weights.empty() ? nullptr : weights.data()};
  }
  [[nodiscard]] Points part(std::size_t begin, std::size_t end) const {
    const auto at = [&](std::size_t r) {
      return values.begin() + static_cast<std::ptrdiff_t>(r * columns);
    };
    return {columns, {at(begin), at(end)}, {}};
  }
};

/// y = 2 + sum x_i - x_i^2 / 9 and noise, x scattered around 10.
Points made(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Points points{columns, {}, {}};
  for (std::size_t r = 0; r < rows; ++r) {
    double y = 2.0 + normal(random);
    for (std::size_t i = 0; i + 1 < columns; ++i) {
      const double x = 10.0 + static_cast<double>(i + 1) * normal(random);
      points.values.push_back(x);
      y += x - x * x / 9.0;
    }
    points.values.push_back(y);
  }
  return points;
}

DescriptiveFit fitted(const Points& points, const test::OptionMap& options = {}, int threads = 2) {
  const auto source = open_matrix(points.data());
  return describe(*source, "line", options, {.threads = threads});
}

std::string refused(const Points& points) {
  try {
    static_cast<void>(fitted(points));
  } catch (const Error& error) { return error.what(); }
  return "";
}

void check_same(const RegressionFit& found, const RegressionFit& expected) {
  REQUIRE(found.terms.size() == expected.terms.size());
  for (std::size_t j = 0; j < found.terms.size(); ++j) {
    CHECK(found.terms[j].coefficient ==
          doctest::Approx(expected.terms[j].coefficient).epsilon(1e-14));
    CHECK(found.terms[j].standard_error ==
          doctest::Approx(expected.terms[j].standard_error).epsilon(1e-14));
  }
  CHECK(found.weight == doctest::Approx(expected.weight));
  CHECK(found.r_squared == doctest::Approx(expected.r_squared).epsilon(1e-14));
}

}  // namespace

TEST_CASE("line: slopes, errors and correlation of the formulas") {
  const Points points = made(80, 2, 1);
  const auto fit = fitted(points);
  const FittedLine& line = *fit.model->line();
  double sx = 0.0;
  double sy = 0.0;
  for (std::size_t r = 0; r < 80; ++r) {
    sx += points.at(r, 0) / 80.0;
    sy += points.at(r, 1) / 80.0;
  }
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  for (std::size_t r = 0; r < 80; ++r) {
    const double x = points.at(r, 0) - sx;
    const double y = points.at(r, 1) - sy;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const auto& terms = line.regression().terms;
  CHECK(terms[1].coefficient == doctest::Approx(xy / xx).epsilon(1e-12));
  CHECK(terms[0].coefficient == doctest::Approx(sy - xy / xx * sx).epsilon(1e-12));
  const double variance = (yy - xy * xy / xx) / 78.0;
  CHECK(terms[1].standard_error == doctest::Approx(std::sqrt(variance / xx)).epsilon(1e-11));
  CHECK(terms[0].standard_error ==
        doctest::Approx(std::sqrt(variance * (1.0 / 80.0 + sx * sx / xx))).epsilon(1e-11));
  CHECK(line.pair()->x_on_y.terms[1].coefficient == doctest::Approx(xy / yy).epsilon(1e-12));
  CHECK(line.pair()->correlation == doctest::Approx(xy / std::sqrt(xx * yy)).epsilon(1e-12));
  const double f = line.regression().f;
  CHECK(f == doctest::Approx(terms[1].t * terms[1].t).epsilon(1e-10));
  CHECK(line.regression().f_p == doctest::Approx(terms[1].p).epsilon(1e-10));
}

TEST_CASE("line: the product of the slopes is r^2, and r tells the angle") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto fit = fitted(made(30, 2, seed));
    const FittedLine& line = *fit.model->line();
    const LinePair& pair = *line.pair();
    const double forth = line.regression().terms[1].coefficient;
    const double back = pair.x_on_y.terms[1].coefficient;
    CHECK(forth * back == doctest::Approx(pair.correlation * pair.correlation).epsilon(1e-13));
    CHECK(pair.correlation * pair.correlation ==
          doctest::Approx(line.regression().r_squared).epsilon(1e-13));
    // Directions (1, forth) and (back, 1).
    const double degrees = 180.0 / std::numbers::pi;
    const double between = std::abs(std::atan2(1.0, back) - std::atan(forth)) * degrees;
    CHECK(pair.angle == doctest::Approx(std::min(between, 180.0 - between)).epsilon(1e-12));
  }
}

TEST_CASE("line: the lines coincide where |r| = 1 and are at right angles where r = 0") {
  const auto exact = fitted({2, {0, 1, 1, 3, 2, 5, 3, 7}, {}});
  CHECK(exact.model->line()->pair()->correlation == 1.0);
  CHECK(exact.model->line()->pair()->angle == 0.0);
  CHECK(exact.model->line()->pair()->standard_angle == 0.0);
  CHECK(exact.model->line()->regression().residual_squares == 0.0);
  CHECK(exact.model->line()->regression().terms[1].standard_error == 0.0);
  CHECK(exact.model->line()->regression().terms[1].p == 0.0);
  const auto cross = fitted({2, {1, 0, -1, 0, 0, 1, 0, -1}, {}});
  CHECK(cross.model->line()->pair()->correlation == 0.0);
  CHECK(cross.model->line()->pair()->angle == 90.0);
  CHECK(cross.model->line()->pair()->standard_angle == 90.0);
}

TEST_CASE("line: a vertical one is refused, a level one is not") {
  CHECK(contains(refused({2, {3, 1, 3, 2, 3, 7}, {}}), "the points lie on a vertical line"));
  CHECK(contains(refused({2, {3, 1, 3, 1}, {}}), "all rows are equal"));
  CHECK(contains(refused({2, {3, 1}, {}}), "all rows are equal"));
  const auto level = fitted({2, {1, 4, 2, 4, 3, 4}, {}});
  CHECK(level.model->line()->regression().terms[1].coefficient == 0.0);
  CHECK_FALSE(level.model->line()->pair().has_value());
  CHECK(contains(level.report.notes.back(), "'x2' does not vary"));
  const auto two = fitted({2, {1, 4, 2, 6}, {}});
  CHECK(two.model->line()->regression().terms[1].coefficient == 2.0);
  CHECK(std::isnan(two.model->line()->regression().terms[1].standard_error));
  CHECK(contains(two.report.notes.back(), "no standard errors"));
}

TEST_CASE("line: several regressors as by refined QR of the rows") {
  const Points points = made(60, 5, 2);
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t r = 0; r < points.rows(); ++r) {
    for (std::size_t i = 0; i < 4; ++i) { x.push_back(points.at(r, i)); }
    y.push_back(points.at(r, 4));
  }
  for (const bool intercept : {true, false}) {
    const auto expected = linalg::least_squares(x.data(), y.data(), 60, 4, 1, nullptr, intercept);
    const auto fit = fitted(points, {{"no-intercept", intercept ? "false" : "true"}});
    const RegressionFit& found = fit.model->line()->regression();
    for (std::size_t j = 0; j < found.terms.size(); ++j) {
      CHECK(found.terms[j].coefficient == doctest::Approx(expected.coefficients[j]).epsilon(1e-14));
      CHECK(found.terms[j].standard_error ==
            doctest::Approx(expected.standard_errors[j]).epsilon(1e-12));
    }
    CHECK(found.r_squared == doctest::Approx(expected.r_squared[0]).epsilon(1e-13));
    CHECK(found.residual_deviation == doctest::Approx(expected.residual_deviation[0]));
    CHECK(found.degrees_of_freedom == (intercept ? 55.0 : 56.0));
  }
}

TEST_CASE("line: columns that depend on others are left out, with a note") {
  Points points = made(30, 4, 3);
  for (std::size_t r = 0; r < 30; ++r) {
    points.values[r * 4 + 1] = 1.0 - 2.0 * points.values[r * 4];
  }
  const auto fit = fitted(points);
  CHECK_FALSE(fit.model->line()->regression().terms[2].identifiable);
  CHECK(fit.model->line()->regression().terms[2].coefficient == 0.0);
  CHECK(contains(fit.report.notes.back(), "'x2' is constant or a linear function"));
}

TEST_CASE("line: weights, merged, updated and forgotten rows") {
  Points points = made(3000, 4, 4);
  const auto whole = fitted(points);
  const auto first = fitted(points.part(0, 1700));
  const auto second = fitted(points.part(1700, 3000));
  const DescriptiveModel* const parts[] = {first.model.get(), second.model.get()};
  check_same(merge(parts).model->line()->regression(), whole.model->line()->regression());
  const Points rest = points.part(1700, 3000);
  const auto more = open_matrix(rest.data());
  check_same(first.model->updated(*more, MissingRows::skip, {}).model->line()->regression(),
             whole.model->line()->regression());
  const auto gone = open_matrix(rest.data());
  check_same(whole.model->without(*gone, MissingRows::skip, {}).model->line()->regression(),
             first.model->line()->regression());
  Points twice = points;
  for (std::size_t r = 0; r < points.rows(); ++r) { points.weights.push_back(r % 2 == 0 ? 2 : 1); }
  for (std::size_t r = 0; r < points.rows(); r += 2) {
    for (std::size_t i = 0; i < 4; ++i) { twice.values.push_back(points.at(r, i)); }
  }
  check_same(fitted(points).model->line()->regression(), fitted(twice).model->line()->regression());
}

TEST_CASE("line: the same bytes for 1, 2 and 7 threads, and from a file [threads]") {
  const Points points = made(20000, 4, 5);
  const auto bytes = modelfile::to_bytes(*fitted(points, {}, 1).model);
  for (const int threads : {2, 7}) {
    CHECK(modelfile::to_bytes(*fitted(points, {}, threads).model) == bytes);
  }
  const auto loaded = modelfile::descriptive_from_bytes(bytes, "line.model");
  CHECK(modelfile::to_bytes(*loaded) == bytes);
  CHECK(loaded->line()->regression().terms[2].coefficient ==
        fitted(points).model->line()->regression().terms[2].coefficient);
  CHECK_THROWS_WITH_AS(static_cast<void>(modelfile::from_bytes(bytes, "line.model")),
                       doctest::Contains("'logodds line MODEL DATA'"), Error);
}

TEST_CASE("line: words become indicators, gaps are left out, words for y are refused") {
  const std::string text = "y,group,x\n1,a,1\n2,a,2\n4,b,1\n5,b,2\n,b,3\n6,,4\n2.5,c,1\n3.5,c,2\n";
  const auto source = open_csv_bytes(text, "made", {.columns = {"x", "group", "y"}});
  const auto fit = describe(*source, "line");
  const RegressionFit& found = fit.model->line()->regression();
  CHECK(fit.report.rows == 6);
  CHECK(fit.report.rows_skipped == 2);
  REQUIRE(found.terms.size() == 4);
  CHECK(found.terms[1].name == "x");
  CHECK(found.terms[2].name == "group=b");
  CHECK(found.terms[1].coefficient == doctest::Approx(1.0));
  CHECK(found.terms[2].coefficient == doctest::Approx(3.0));
  CHECK(found.terms[3].coefficient == doctest::Approx(1.5));
  const auto words = open_csv_bytes(text, "made", {.columns = {"x", "group"}});
  CHECK_THROWS_WITH_AS(static_cast<void>(describe(*words, "line")),
                       doctest::Contains("'group' (--y) holds words"), Error);
}

TEST_CASE("line: numbers whose squares are no numbers are refused by name") {
  CHECK(contains(refused({2, {1e200, 1, 2e200, 2, 3e200, 4}, {}}), "'x1' are too large"));
  CHECK(contains(refused({2, {1, 1e-160, 2, 2e-160, 3, 4e-160}, {}}), "'x2' are too small"));
  CHECK(contains(refused({2, {1, 1e-200, 2, 2e-200, 3, 4e-200}, {}}), "'x2' are too small"));
}

TEST_CASE("line: tails of Student's and Fisher's distributions") {
  using models::line::fisher_upper;
  using models::line::student_two_sided;
  // One degree of freedom: arctan; two: algebraic.
  CHECK(student_two_sided(1.0, 1.0) == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(student_two_sided(3.0, 2.0) == doctest::Approx(1.0 - 3.0 / std::sqrt(11.0)).epsilon(1e-13));
  CHECK(student_two_sided(0.0, 7.0) == 1.0);
  CHECK(student_two_sided(1e10, 1.0) == doctest::Approx(2e-10 / std::numbers::pi).epsilon(1e-12));
  CHECK(fisher_upper(4.0, 2.0, 6.0) == doctest::Approx(std::pow(1.0 + 8.0 / 6.0, -3.0)));
  CHECK(fisher_upper(1e30, 2.0, 6.0) == doctest::Approx(std::pow(1e30 / 3.0, -3.0)));
}

namespace {

using Cells = std::vector<std::vector<std::string>>;

Cells read_cells(const std::string& path) {
  std::ifstream file(path);
  Cells rows;
  std::string line;
  std::getline(file, line);  // names
  while (std::getline(file, line)) {
    std::vector<std::string> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) { row.push_back(cell); }
    rows.push_back(std::move(row));
  }
  return rows;
}

double digits(double found, const std::string& exact) {
  const long double wanted = std::strtold(exact.c_str(), nullptr);
  const long double error = std::abs(static_cast<long double>(found) - wanted) /
                            (wanted == 0.0L ? 1.0L : std::abs(wanted));
  return error == 0.0L ? 16.0 : std::min(16.0, static_cast<double>(-std::log10(error)));
}

/// The regressors (powers of x up to `degree`; 0: columns as they are), then y.
Points points_of(const Cells& cells, int degree) {
  Points points;
  for (const auto& row : cells) {
    double power = 1.0;
    for (int k = 0; k < degree; ++k) { points.values.push_back(power *= std::stod(row[1])); }
    for (std::size_t i = 1; degree == 0 && i < row.size(); ++i) {
      points.values.push_back(std::stod(row[i]));
    }
    points.values.push_back(std::stod(row[0]));
  }
  points.columns = points.values.size() / cells.size();
  return points;
}

struct Certified {
  std::string name;
  int degree;
  double digits;  ///< of coefficients, their errors, R^2 and the residual deviation, at least
};

}  // namespace

TEST_CASE("line: NIST's certified values, from rows at once and from models merged") {
  const auto certified = test::shared_data("nist_strd/linear/certified_coefficients.csv");
  const auto summary = test::shared_data("nist_strd/linear/summary.csv");
  if (!certified || !summary) { return; }
  // As for refined QR of the rows (nist_test.cpp): the decimal fractions of Norris and Pontius are
  // rounded before anybody computes, and so are the powers of Filip's x.
  for (const auto& [name, degree, least] :
       {Certified{"Norris", 1, 13.5}, Certified{"Pontius", 2, 13.0}, Certified{"Longley", 0, 14.2},
        Certified{"Filip", 10, 7.2}, Certified{"Wampler4", 5, 15.0}}) {
    CAPTURE(name);
    const auto path = test::shared_data("nist_strd/linear/" + name + ".csv");
    if (!path) { continue; }
    const Points points = points_of(read_cells(*path), degree);
    const std::size_t half = points.rows() / 2;
    const auto first = fitted(points.part(0, half));
    const auto second = fitted(points.part(half, points.rows()));
    const DescriptiveModel* const parts[] = {first.model.get(), second.model.get()};
    const auto merged = merge(parts);
    const auto whole = fitted(points);
    for (const auto* fit : {&whole, &merged}) {
      const RegressionFit& found = fit->model->line()->regression();
      std::size_t j = 0;
      for (const auto& row : read_cells(*certified)) {
        if (row[0] != name) { continue; }
        CHECK(digits(found.terms[j].coefficient, row[4]) >= least);
        CHECK(digits(found.terms[j].standard_error, row[5]) >= least);
        ++j;
      }
      CHECK(j == found.terms.size());
      for (const auto& row : read_cells(*summary)) {
        if (row[0] != name) { continue; }
        CHECK(digits(found.residual_deviation, row[row.size() - 3]) >= least);
        CHECK(digits(found.r_squared, row[row.size() - 2]) >= least);
      }
    }
  }
}
