// NIST's Statistical Reference Datasets for linear regression: digits of the certified values.
// Exact values to 20 digits, from rational arithmetic, are in the shared data folder.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "linalg/least_squares.hpp"
#include "support/shared_data.hpp"

using namespace logodds;

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

/// Correct digits: -log10 of the relative error, at most 16; of the absolute one where 0 is right.
double digits(double found, const std::string& exact) {
  const long double wanted = std::strtold(exact.c_str(), nullptr);
  const long double error = std::abs(static_cast<long double>(found) - wanted) /
                            (wanted == 0.0L ? 1.0L : std::abs(wanted));
  return error == 0.0L ? 16.0 : std::min(16.0, static_cast<double>(-std::log10(error)));
}

struct Dataset {
  std::string name;
  int degree = 1;  ///< powers of x; 0: several columns as they are
  bool intercept = true;
  double coefficient_digits = 0.0;  ///< at least so many
  double error_digits = 0.0;
};

linalg::LeastSquaresFit fitted(const Cells& cells, const Dataset& set) {
  std::vector<double> x;
  std::vector<double> y;
  for (const auto& row : cells) {
    y.push_back(std::stod(row[0]));
    if (set.degree == 0) {
      for (std::size_t i = 1; i < row.size(); ++i) { x.push_back(std::stod(row[i])); }
    }
    double power = 1.0;
    for (int k = 0; k < set.degree; ++k) { x.push_back(power *= std::stod(row[1])); }
  }
  return linalg::least_squares(x.data(), y.data(), y.size(), x.size() / y.size(), 1, nullptr,
                               set.intercept);
}

/// Wanted: what was found, less half a digit. Integers as data (Longley but for one column,
/// Wampler1 and 3 to 5, NoInt) allow every digit. The decimal fractions of Norris, Pontius and
/// Wampler2 are not those of the file once they are doubles, and neither are the powers of Filip's
/// x, whose ten columns magnify that by 1e8 or so: no algorithm that is given them in double
/// precision finds more than 8 digits of NIST's answer, ours being the exact answer for the rounded
/// powers.
const std::vector<Dataset>& datasets() {
  static const std::vector<Dataset> all{
      {"Norris", 1, true, 13.5, 13.5},   {"Pontius", 2, true, 13.0, 13.3},
      {"NoInt1", 1, false, 15.5, 15.5},  {"NoInt2", 1, false, 15.5, 15.5},
      {"Filip", 10, true, 7.4, 7.2},     {"Longley", 0, true, 14.2, 14.6},
      {"Wampler1", 5, true, 15.5, 15.5}, {"Wampler2", 5, true, 12.7, 14.6},
      {"Wampler3", 5, true, 15.5, 13.2}, {"Wampler4", 5, true, 15.5, 13.2},
      {"Wampler5", 5, true, 15.5, 13.2}};
  return all;
}

}  // namespace

TEST_CASE("least squares: NIST's certified values, to the digits that the data allow") {
  const auto certified = test::shared_data("nist_strd/linear/certified_coefficients.csv");
  const auto summary = test::shared_data("nist_strd/linear/summary.csv");
  if (!certified || !summary) { return; }
  const Cells coefficients = read_cells(*certified);
  for (const auto& set : datasets()) {
    CAPTURE(set.name);
    const auto path = test::shared_data("nist_strd/linear/" + set.name + ".csv");
    if (!path) { continue; }
    const auto fit = fitted(read_cells(*path), set);
    double worst = 16.0;
    double worst_error = 16.0;
    std::size_t i = 0;
    for (const auto& row : coefficients) {
      if (row[0] != set.name) { continue; }
      REQUIRE(i < fit.coefficients.size());
      worst = std::min(worst, digits(fit.coefficients[i], row[4]));
      worst_error = std::min(worst_error, digits(fit.standard_errors[i], row[5]));
      ++i;
    }
    CHECK(i == fit.coefficients.size());
    CHECK(fit.rank == i);
    CHECK(worst >= set.coefficient_digits);
    CHECK(worst_error >= set.error_digits);
    for (const auto& row : read_cells(*summary)) {
      if (row[0] != set.name) { continue; }
      // The model may hold a comma: what is wanted is counted from the end.
      CHECK(digits(fit.residual_deviation[0], row[row.size() - 3]) >= set.error_digits);
      CHECK(digits(fit.r_squared[0], row[row.size() - 2]) >= set.error_digits);
    }
  }
}
