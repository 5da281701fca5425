// --model indicator: least squares on an indicator matrix.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/models/coefficients.hpp"
#include "logodds/models/geometry.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

bool has(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(
      notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

/// made_table() with its five columns of numbers only.
Table numbers(std::size_t rows, std::size_t classes, std::uint64_t seed) {
  Table table = made_table(rows, classes, seed);
  table.names.resize(6);
  for (auto& row : table.rows) { row.resize(6); }
  return table;
}

/// Three classes on a line, 20 rows each: the middle one has nowhere the largest output.
Table in_line() {
  Table table{{"class", "x"}, {}};
  for (int i = 0; i < 60; ++i) {
    const int k = i % 3;
    table.rows.push_back({"abc" + std::to_string(k), format_number(10.0 * k + 0.1 * (i / 3))});
  }
  return table;
}

/// outputs, rows x classes, from the coefficients in the user's units
std::vector<double> outputs(const Classifier& model, const Table& table) {
  const auto theta = model.array("coefficients");
  const auto intercepts = model.array("intercepts");
  const std::size_t classes = theta.shape[0];
  const std::size_t d = theta.shape[1];
  std::vector<double> result;
  for (const auto& row : table.rows) {
    for (std::size_t k = 0; k < classes; ++k) {
      double sum = intercepts.values[k];
      for (std::size_t i = 0; i < d; ++i) {
        sum += theta.values[k * d + i] * *parse_number(row[i + 1]);
      }
      result.push_back(sum);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("indicator: two classes have the boundary direction of the shared-covariance Gaussian") {
  const Table table = numbers(400, 2, 5);
  const auto indicator = train_table(table, "indicator", {}).model;
  const auto gaussian = train_table(table, "gaussian", {{"covariance", "shared"}}).model;
  const auto theta = indicator->array("coefficients").values;
  const auto normal = gaussian->geometry()->boundaries().front().normal;
  REQUIRE(normal.size() == 5);
  double dot = 0.0;
  double a = 0.0;
  double b = 0.0;
  for (std::size_t i = 0; i < 5; ++i) {
    const double difference = theta[5 + i] - theta[i];
    dot += difference * normal[i];
    a += difference * difference;
    b += normal[i] * normal[i];
  }
  CHECK(std::abs(dot / std::sqrt(a * b) - 1.0) < 1e-10);
}

TEST_CASE("indicator: residuals are orthogonal to the columns, and outputs add up to 1") {
  const Table table = numbers(300, 3, 6);
  const auto model = train_table(table, "indicator", {}).model;
  const auto found = outputs(*model, table);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 6; ++i) {  // the first: the intercept
      double product = 0.0;
      double size = 0.0;
      for (std::size_t r = 0; r < 300; ++r) {
        const auto& row = table.rows[r];
        const double x = i == 0 ? 1.0 : *parse_number(row[i]);
        const double y = row[0] == model->labels()[k] ? 1.0 : 0.0;
        product += x * (y - found[r * 3 + k]);
        size += std::abs(x);
      }
      CHECK(std::abs(product) < 1e-11 * size);
    }
  }
  for (std::size_t r = 0; r < 300; ++r) {
    CHECK(found[3 * r] + found[3 * r + 1] + found[3 * r + 2] ==
          doctest::Approx(1.0).epsilon(1e-10));
  }
}

TEST_CASE("indicator: posteriors are the outputs cut at 0 and normalized") {
  const Table table = in_line();
  const auto fit = train_table(table, "indicator", {});
  const auto found = outputs(*fit.model, table);
  const auto posteriors = posteriors_of(*fit.model, table);
  std::size_t cut = 0;
  for (std::size_t r = 0; r < 60; ++r) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) { sum += std::max(found[3 * r + k], 0.0); }
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(posteriors[3 * r + k] ==
            doctest::Approx(std::max(found[3 * r + k], 0.0) / sum).epsilon(1e-9));
      if (posteriors[3 * r + k] == 0.0) { ++cut; }
    }
  }
  CHECK(cut > 0);
}

TEST_CASE("indicator: a masked class and outputs outside of [0, 1] are told, and only then") {
  const auto fit = train_table(in_line(), "indicator", {});
  CHECK(has(fit.report.notes, "the class 'abc1' is masked by others: it has 20 training rows"));
  CHECK(!has(fit.report.notes, "'abc0' is masked"));
  CHECK(has(fit.report.notes, "an output lies below 0 or above 1"));
  const auto square = train_table(in_line(), "indicator", {{"basis", "polynomial:2"}});
  CHECK(!has(square.report.notes, "masked"));
  Table even{{"class", "x"},
             {{"a", "0"}, {"a", "0"}, {"b", "0"}, {"a", "1"}, {"b", "1"}, {"b", "1"}}};
  CHECK(train_table(even, "indicator", {}).report.notes.empty());
}

TEST_CASE("indicator: a ridge draws the posteriors to the shares of the classes") {
  const Table table = numbers(300, 3, 7);
  const auto model = train_table(table, "indicator", {{"ridge", "1e12"}}).model;
  std::vector<double> shares(3, 0.0);
  for (const auto& row : table.rows) {
    shares[static_cast<std::size_t>(row[0].back() - '0')] += 1.0 / 300.0;
  }
  const auto posteriors = posteriors_of(*model, table);
  for (std::size_t i = 0; i < posteriors.size(); ++i) {
    CHECK(std::abs(posteriors[i] - shares[i % 3]) < 1e-3);
  }
}

TEST_CASE("indicator: constant and collinear columns are named, and change no posterior") {
  const Table plain = numbers(200, 3, 8);
  Table more = plain;
  more.add_column("still", "4");
  more.add_column("twice", "");
  for (auto& row : more.rows) { row.back() = format_number(2.0 * *parse_number(row[1])); }
  const auto one = train_table(plain, "indicator", {});
  const auto other = train_table(more, "indicator", {});
  CHECK(has(other.report.notes, "'still' and 'twice' are constant or linear functions"));
  CHECK(largest_difference(posteriors_of(*one.model, plain), posteriors_of(*other.model, more)) <
        1e-9);
  const auto table = other.model->coefficients()->coefficient_table(0.95);
  CHECK(table.rows.size() == 3 * 8);
  for (const auto& row : table.rows) {
    CHECK(row.identifiable == (row.feature != "still" && row.feature != "twice"));
  }
}
