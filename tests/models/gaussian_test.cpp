#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

std::string training_error(const std::string& text, const OptionMap& options) {
  try {
    const auto source = open_csv_bytes(text, "table", {.target = "class"});
    static_cast<void>(train(*source, "gaussian", options));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::numeric);
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Replaces column `name` by scale * x + shift.
Table rescaled(Table table, const std::string& name, double scale, double shift) {
  const auto c = table.column(name);
  for (auto& row : table.rows) { row[c] = format_number(scale * *parse_number(row[c]) + shift); }
  return table;
}

}  // namespace

TEST_CASE("gaussian: two classes in one dimension, by the textbook") {
  // Class a: mean 1, variance 2/3; class b: mean 5, variance 2/3; equal priors: boundary at 3,
  // log odds (5 - 1) / (2/3) (x - 3) = 6 (x - 3).
  const std::string text = "class,x\na,0\na,1\na,2\nb,4\nb,5\nb,6\n";
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  const auto model = train(*source, "gaussian").model;
  const std::vector<double> x{3.0, 3.5, 2.0};
  std::vector<double> p(6);
  posteriors(*model, row_major(x.data(), 3, 1), p);
  CHECK(p[0] == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(p[3] == doctest::Approx(1.0 / (1.0 + std::exp(-3.0))).epsilon(1e-13));
  CHECK(p[5] == doctest::Approx(1.0 / (1.0 + std::exp(6.0))).epsilon(1e-12));
}

TEST_CASE("gaussian: other units of the columns change no posterior") {
  Table table = made_table(600, 3, 21);
  Table moved = rescaled(rescaled(rescaled(table, "a", 1e6, 0), "b", 1e-6, 0), "d", 1.0, 1e8);
  for (const std::string covariance : {"shared", "own", "diagonal"}) {
    CAPTURE(covariance);
    const OptionMap options{{"covariance", covariance}};
    const auto one = posteriors_of(*train_table(table, "gaussian", options).model, table);
    const auto other = posteriors_of(*train_table(moved, "gaussian", options).model, moved);
    CHECK(largest_difference(one, other) < 1e-6);
  }
}

TEST_CASE("gaussian: a covariance that is not positive definite is named, not mended") {
  const std::string constant = "class,x,y\na,1,7\na,2,7\na,3,7\nb,4,7\nb,6,7\nb,5,7\n";
  const auto error = training_error(constant, {{"covariance", "shared"}});
  CHECK(contains(error, "rank 1 of 2"));
  CHECK(contains(error, "constant: 'y'"));
  CHECK(contains(error, "--ridge"));
  CHECK(contains(training_error(constant, {{"covariance", "diagonal"}}), "class 'a'"));
  const auto own = training_error(constant, {{"covariance", "own"}});
  CHECK(contains(own, "class 'a'"));
  CHECK(training_error(constant, {{"covariance", "own"}, {"ridge", "0.1"}}) == "no error");

  const std::string collinear =
      "class,x,y,z\na,1,2,3\na,2,1,3\na,3,5,8\na,0,4,4\nb,4,1,5\nb,6,2,8\nb,5,9,14\nb,1,1,2\n";
  const auto sum = training_error(collinear, {});
  CHECK(contains(sum, "rank 2 of 3"));
  CHECK(contains(sum, "determined by the columns before: 'z'"));
}

TEST_CASE("gaussian: a class of one row, and values whose squares overflow, are refused") {
  CHECK(contains(training_error("class,x\na,1\nb,2\nb,3\n", {{"covariance", "own"}}), "class 'a'"));
  CHECK(contains(training_error("class,x\na,1e200\na,-1e200\nb,2\nb,3\n", {}), "overflows"));
  CHECK(contains(
      training_error("class,x\na,1\nb,2\nb,3\n", {{"covariance", "own"}, {"divisor", "n-1"}}),
      "--divisor n"));
}

TEST_CASE("gaussian: the divisor n-1 scales the shared covariance by n / (n - K)") {
  const std::string text = "class,x\na,0\na,1\na,2\nb,4\nb,5\nb,6\n";
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  const auto model = train(*source, "gaussian", {{"divisor", "n-1"}}).model;
  const std::vector<double> x{3.5};
  std::vector<double> p(2);
  posteriors(*model, row_major(x.data(), 1, 1), p);
  CHECK(std::log(p[1] / p[0]) == doctest::Approx(4.0 * 0.5).epsilon(1e-12));  // variance 1
}

TEST_CASE("gaussian: a constant column is found however many rows repeat its rounding") {
  std::string text = "class,x,c\n";
  for (int i = 0; i < 3000; ++i) {
    text += (i % 10 < 7 ? "a," : "b,") + std::to_string(i * 37 % 101) + ",0.1\n";
  }
  for (const std::string covariance : {"shared", "own"}) {
    CHECK(contains(training_error(text, {{"covariance", covariance}}), "constant: 'c'"));
  }
}

TEST_CASE("gaussian: a class far away costs the near ones no digits") {
  const auto rows = [](double distance) {
    std::string text = "class,x\n";
    for (int i = 0; i < 300; ++i) {
      const int k = i % 3;
      const double x = (i * 37 % 101) / 25.0 + k + (k == 2 ? distance : 0.0);
      text += std::to_string(k) + "," + format_number(x) + "\n";
    }
    return text;
  };
  // The variance within classes is the same for every distance, and so are the odds of 0 and 1.
  const std::vector<double> x{1.0, 2.5};
  std::vector<double> odds;
  for (const double distance : {1e3, 1e7}) {
    const std::string text = rows(distance);
    const auto source = open_csv_bytes(text, "table", {.target = "class"});
    const auto model = train(*source, "gaussian").model;
    std::vector<double> p(6);
    posteriors(*model, row_major(x.data(), 2, 1), p);
    odds.push_back(std::log(p[0] / p[1]) + std::log(p[3] / p[4]));
  }
  CHECK(odds[0] == doctest::Approx(odds[1]).epsilon(1e-7));
}

TEST_CASE("gaussian: with a ridge the names of the levels do not matter") {
  Table table = made_table(500, 3, 22);
  Table renamed = table;
  for (auto& row : renamed.rows) {
    auto& color = row[table.column("color")];
    color = color == "blue" ? "zinc" : color;
  }
  for (const std::string covariance : {"shared", "own"}) {
    const OptionMap options{{"covariance", covariance}, {"ridge", "0.1"}};
    CHECK(largest_difference(
              posteriors_of(*train_table(table, "gaussian", options).model, table),
              posteriors_of(*train_table(renamed, "gaussian", options).model, renamed)) < 1e-10);
  }
}

TEST_CASE("gaussian: tiny weights are weights like any other") {
  Table table = made_table(3000, 2, 23);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {  // a trend, so that block means differ
    table.rows[r][1] =
        format_number(*parse_number(table.rows[r][1]) + 0.002 * static_cast<double>(r));
  }
  Table weighted = table;
  weighted.add_column("w", "1e-170");
  for (const std::string covariance : {"shared", "own", "diagonal"}) {
    const OptionMap options{{"covariance", covariance}};
    const auto one = posteriors_of(*train_table(table, "gaussian", options).model, table);
    const auto other =
        posteriors_of(*train_table(weighted, "gaussian", options, 2, "w").model, table);
    CHECK(largest_difference(one, other) < 1e-9);
  }
}

TEST_CASE("every family: a row whose scores overflow is refused with its place, never scored NaN") {
  std::string text;
  for (const auto& name : made_table(1, 1, 24).names) { text += (text.empty() ? "" : ",") + name; }
  text += "\nclass0,1,1,1,1,1,red,f\nclass0,1e308,-1e308,1e308,1e308,1e308,red,f\n";
  for (const auto& family : families()) {
    if (!family.capabilities.numbers) { continue; }
    CAPTURE(family.name);
    const auto model = train_table(suited_table(family, 300, 3, 24), family.name, {}).model;
    const auto source = open_csv_bytes(text, "table", {}, model->schema(), false);
    std::string message;
    double furthest = 0.0;  // of a sum of posteriors from 1
    try {
      score(*model, *source, [&](const ScoredBlock& block) {
        const std::size_t classes = model->labels().size();
        for (std::size_t r = 0; r < block.posteriors.size() / classes; ++r) {
          const auto row = block.posteriors.subspan(r * classes, classes);
          const double sum = std::accumulate(row.begin(), row.end(), 0.0);
          furthest = std::max(furthest, std::isnan(sum) ? 1.0 : std::abs(sum - 1.0));
        }
      });
    } catch (const Error& error) { message = error.what(); }
    CHECK(furthest < 1e-12);
    // The logarithm of a posterior that is nearly 1, and units that saturate, do not overflow.
    const bool bounded = family.name == "binary" || family.name == "neural";
    if (bounded && message.empty()) { continue; }
    CHECK(contains(message, "table, line 3"));
  }
}

TEST_CASE("gaussian: a stray word among many numbers is named, before memory runs out") {
  std::string text = "class,x\n";
  for (int i = 0; i < 20000; ++i) {
    text += (i % 2 == 0 ? "a," : "b,") + std::to_string(i) + ".5\n";
  }
  text += "a,oops\n";
  for (const std::string covariance : {"shared", "diagonal"}) {
    std::string message;
    try {
      const auto source = open_csv_bytes(text, "table", {.target = "class"});
      static_cast<void>(train(*source, "gaussian", {{"covariance", covariance}}));
    } catch (const Error& error) { message = error.what(); }
    CHECK(contains(message, "table, line 20002, column 'x': 'oops' is not a number"));
  }
}
