// --model binary from tables to coefficients.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/models/coefficients.hpp"
#include "support/evidence.hpp"
#include "support/shared_data.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

Table two_classes(std::size_t rows = 400) { return made_table(rows, 2, 21); }

CoefficientTable coefficients(const Fit& fit, double level = 0.95) {
  REQUIRE(fit.model->coefficients() != nullptr);
  return fit.model->coefficients()->coefficient_table(level);
}

const Coefficient& find(const CoefficientTable& table, const std::string& feature) {
  const auto found = std::ranges::find_if(
      table.rows, [&](const Coefficient& row) { return row.feature == feature; });
  REQUIRE(found != table.rows.end());
  return *found;
}

std::string refusal(const Table& table, const OptionMap& options) {
  try {
    static_cast<void>(train_table(table, "binary", options));
  } catch (const Error& error) { return error.what(); }
  return "";
}

bool has(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(
      notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

/// y = 1 where x + z > 10, x and z of 0 ... 9 in turn; a row each.
Table separable() {
  Table table{{"class", "x", "z"}, {}};
  for (int i = 0; i < 60; ++i) {
    const int x = i % 10;
    const int z = (i * 7) % 9;
    table.rows.push_back({x + z > 8 ? "yes" : "no", std::to_string(x), std::to_string(z)});
  }
  return table;
}

}  // namespace

TEST_CASE("binary: with the logit link it is softmax regression, to 1e-9") {
  const Table table = two_classes();
  for (const char* decay : {"1e-06", "0", "0.5"}) {
    CAPTURE(decay);
    const auto binary = train_table(table, "binary", {{"decay", decay}}).model;
    const auto softmax = train_table(table, "softmax", {{"decay", decay}}).model;
    CHECK(largest_difference(posteriors_of(*binary, table), posteriors_of(*softmax, table)) < 1e-9);
  }
}

TEST_CASE("binary: evidence adds up to the log odds with logit; other links have none") {
  const Table table = two_classes();
  CHECK(worst_sum(*train_table(table, "binary", {}).model, table) < 1e-12);
  CHECK(train_table(table, "binary", {{"link", "probit"}}).model->evidence() == nullptr);
  CHECK(train_table(table, "binary", {{"link", "cloglog"}}).model->evidence() == nullptr);
}

TEST_CASE("binary: swapped classes turn the signs with logit and probit, not with cloglog") {
  const Table table = two_classes();
  Table swapped = table;
  for (auto& row : swapped.rows) { row[0] = row[0] == "class0" ? "class1" : "class0"; }
  for (const char* link : {"logit", "probit", "cloglog"}) {
    const OptionMap options{{"link", link}, {"decay", "0"}};
    const auto one = coefficients(train_table(table, "binary", options));
    const auto other = coefficients(train_table(swapped, "binary", options));
    double worst = 0.0;
    for (std::size_t i = 0; i < one.rows.size(); ++i) {
      worst = std::max(worst, std::abs(one.rows[i].estimate + other.rows[i].estimate) /
                                  std::abs(one.rows[i].estimate));
    }
    CAPTURE(link);
    CHECK((worst < 1e-9) == (std::string(link) != "cloglog"));
  }
}

TEST_CASE("binary: a warm start ends where a cold one does, in fewer iterations") {
  const Table table = two_classes();
  const auto cold = train_table(table, "binary", {{"link", "probit"}});
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  const auto warm =
      train(*source, "binary", {{"link", "probit"}}, {.warm_start = cold.model.get()});
  REQUIRE(warm.report.trace.has_value());
  CHECK(warm.report.trace->rows.size() < cold.report.trace->rows.size());
  CHECK(largest_difference(posteriors_of(*warm.model, table), posteriors_of(*cold.model, table)) <
        1e-9);
  const auto other = train_table(table, "softmax", {}).model;
  const auto again = open_csv_bytes(text, "table", {.target = "class"});
  CHECK_THROWS_WITH_AS(
      static_cast<void>(train(*again, "binary", {}, {.warm_start = other.get()})),
      "a fit of --model binary cannot start from a model of family softmax; give --warm-start a "
      "binary model",
      Error);
}

TEST_CASE("binary: the trace falls from the start to the objective") {
  const auto fit = train_table(two_classes(), "binary", {{"link", "cloglog"}});
  REQUIRE(fit.report.trace.has_value());
  const auto& rows = fit.report.trace->rows;
  REQUIRE(rows.size() > 3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(std::get<std::int64_t>(rows[i][0]) == static_cast<std::int64_t>(i));
    if (i > 0) { CHECK(std::get<double>(rows[i][1]) <= std::get<double>(rows[i - 1][1]) + 1e-9); }
  }
}

TEST_CASE("binary: constant and collinear columns are named, and change no posterior") {
  const Table plain = two_classes();
  Table more = plain;
  more.add_column("still", "0.1");
  more.add_column("sum", "");
  for (auto& row : more.rows) {
    row.back() = format_number(2.0 * *parse_number(row[1]) - *parse_number(row[2]) + 3.0);
  }
  const auto one = train_table(plain, "binary", {{"decay", "0"}});
  const auto other = train_table(more, "binary", {{"decay", "0"}});
  const auto table = coefficients(other);
  for (const char* name : {"still", "sum"}) {
    CHECK(!find(table, name).identifiable);
    CHECK(find(table, name).estimate == 0.0);
    CHECK(std::isnan(find(table, name).standard_error));
  }
  CHECK(find(table, "a").identifiable);
  CHECK(has(other.report.notes, "'still' is constant"));
  CHECK(has(other.report.notes, "'sum' is a linear function of 'a' and 'b'"));
  CHECK(largest_difference(posteriors_of(*one.model, plain), posteriors_of(*other.model, more)) <
        1e-9);
}

TEST_CASE("binary: under a decay all but constant columns have a coefficient, and no errors") {
  Table table = two_classes();
  table.add_column("still", "7");
  table.add_column("twin", "");
  for (auto& row : table.rows) { row.back() = row[1]; }
  const auto fit = train_table(table, "binary", {{"decay", "0.1"}});
  const auto found = coefficients(fit);
  CHECK(!find(found, "still").identifiable);
  CHECK(find(found, "twin").identifiable);
  CHECK(find(found, "twin").estimate == doctest::Approx(find(found, "a").estimate).epsilon(1e-7));
  CHECK(std::isnan(find(found, "a").standard_error));
  CHECK(!std::isnan(find(found, "a").odds_ratio));
  CHECK(has(found.notes, "--decay 0"));
}

TEST_CASE("binary: --standardize makes the decay independent of units, and plain decay is not") {
  const Table table = two_classes();
  Table scaled = table;
  for (auto& row : scaled.rows) { row[1] = format_number(1000.0 * *parse_number(row[1])); }
  const auto difference = [&](const OptionMap& options) {
    return largest_difference(posteriors_of(*train_table(table, "binary", options).model, table),
                              posteriors_of(*train_table(scaled, "binary", options).model, scaled));
  };
  CHECK(difference({{"decay", "20"}, {"standardize", "true"}}) < 1e-9);
  CHECK(difference({{"decay", "20"}}) > 1e-3);
}

TEST_CASE("binary: without an intercept a row of zeros has a posterior of one half") {
  Table table = two_classes();
  for (auto& row : table.rows) { row.resize(6); }
  table.names.resize(6);
  const auto fit = train_table(table, "binary", {{"intercept", "off"}, {"decay", "0"}});
  Table origin = table;
  origin.rows.resize(1);
  for (std::size_t i = 1; i < 6; ++i) { origin.rows[0][i] = "0"; }
  CHECK(posteriors_of(*fit.model, origin)[0] == 0.5);
  CHECK(coefficients(fit).rows.front().feature == "a");
}

TEST_CASE("binary: separable classes without a decay are refused with their direction") {
  for (const char* link : {"logit", "probit", "cloglog"}) {
    CAPTURE(link);
    const std::string sentence = refusal(separable(), {{"decay", "0"}, {"link", link}});
    CHECK(sentence.find("'no' and 'yes' are separable:") != std::string::npos);
    CHECK(sentence.find("'x' + ") != std::string::npos);
    CHECK(sentence.find("--decay 0.01") != std::string::npos);
    const auto fit = train_table(separable(), "binary", {{"decay", "0.01"}, {"link", link}});
    for (const auto& row : coefficients(fit).rows) { CHECK(std::isfinite(row.estimate)); }
  }
}

TEST_CASE("binary: one level with rows of one class only is quasi-separation, and named") {
  Table table = two_classes();
  table.add_column("rare", "no");
  for (std::size_t r = 0; r < table.rows.size(); r += 9) {
    if (table.rows[r][0] == "class1") { table.rows[r].back() = "yes"; }
  }
  for (const char* link : {"logit", "probit", "cloglog"}) {
    CAPTURE(link);
    const std::string sentence = refusal(table, {{"decay", "0"}, {"link", link}});
    CHECK(sentence.find("but for rows on the boundary: 1 'rare=yes'") != std::string::npos);
  }
}

TEST_CASE("binary: overlapping classes are not called separable, however little they overlap") {
  Table table = separable();
  table.rows[0][0] = "yes";  // x = z = 0
  for (const char* link : {"logit", "probit", "cloglog"}) {
    CHECK(refusal(table, {{"decay", "0"}, {"link", link}}).empty());
  }
}

TEST_CASE("binary: one class and three classes are refused") {
  Table one = two_classes();
  for (auto& row : one.rows) { row[0] = "class0"; }
  CHECK(refusal(one, {}).find("one class only, 'class0'") != std::string::npos);
  CHECK(refusal(made_table(200, 3, 1), {}) ==
        "--model binary takes two classes, and there are 3; use --model softmax");
}
