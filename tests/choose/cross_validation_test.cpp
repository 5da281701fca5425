// Cross-validation against training without the held-out rows and predicting these.
#include "logodds/choose/cross_validation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "choose/fold_models.hpp"
#include "choose/folds.hpp"
#include "support/sample.hpp"
#include "support/table.hpp"

using namespace logodds;
using logodds::choose::CrossValidation;
using logodds::choose::CrossValidationRequest;
using logodds::choose::from_statistics;
using logodds::choose::GridPoint;
using logodds::choose::OptionMap;
using logodds::choose::parse_grid;
using logodds::choose::stratified_folds;
using logodds::test::contains;
using logodds::test::Table;

namespace {

constexpr double kSame = 1e-9;

/// Numbers and levels, weights, values missing in two columns of numbers and one of levels.
Table gappy_table(std::size_t rows, std::uint64_t seed) {
  Table table = test::made_table(rows, 3, seed);
  table.add_column("w", "1");
  for (std::size_t r = 0; r < rows; ++r) {
    table.rows[r][table.column("w")] = std::to_string(1 + r % 3);
    if (r % 7 == 3) { table.rows[r][table.column("a")] = ""; }
    if (r % 11 == 5) { table.rows[r][table.column("d")] = ""; }
    if (r % 13 == 1) { table.rows[r][table.column("color")] = ""; }
  }
  return table;
}

/// The columns of numbers alone.
Table numbers_only(const Table& table) {
  Table result;
  for (std::size_t r = 0; r <= table.rows.size(); ++r) {
    const auto& from = r == 0 ? table.names : table.rows[r - 1];
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < from.size(); ++c) {
      if (table.names[c] != "color" && table.names[c] != "sex") { cells.push_back(from[c]); }
    }
    (r == 0 ? result.names : result.rows.emplace_back()) = cells;
  }
  return result;
}

struct Case {
  std::string family;
  OptionMap options;
  [[nodiscard]] std::string name() const {
    std::string text = family;
    for (const auto& [option, value] : options) { text += " " + option + "=" + value; }
    return text;
  }
};

/// Every closed form, and every regulariser.
std::vector<Case> closed_cases() {
  return {{"gaussian", {}},
          {"gaussian", {{"covariance", "own"}, {"ridge", "0.1"}}},
          {"gaussian", {{"covariance", "diagonal"}, {"divisor", "n-1"}}},
          {"gaussian", {{"covariance", "shared-spherical"}, {"priors", "uniform"}}},
          {"gaussian", {{"covariance", "groups"}, {"groups", "class0+class2"}, {"ridge", "0.01"}}},
          {"gaussian", {{"ridge-relative", "0.2"}, {"divisor", "n-1"}}},
          {"gaussian", {{"shrinkage", "0.3"}}},
          {"gaussian", {{"shrinkage", "oas"}}},
          {"gaussian", {{"blend", "0.5,0.1"}}},
          {"gaussian", {{"wishart", "3"}, {"covariance", "own"}}},
          {"gaussian", {{"missing", "available"}, {"ridge", "0.05"}}},
          {"gaussian", {{"missing", "skip"}, {"shrinkage", "ledoit-wolf"}}},
          {"gaussian", {{"missing", "skip"}, {"components", "3"}}},
          {"naive-bayes", {}},
          {"naive-bayes", {{"smoothing", "0.5"}, {"priors", "smoothed:1"}}},
          {"naive-bayes", {{"families", "real=kernel"}}},
          {"naive-bayes", {{"families", "b=log-normal,d=histogram"}, {"variance-floor", "0.01"}}},
          {"table", {}}};
}

CsvOptions reading(const std::string& family, const Table& table) {
  CsvOptions options{.target = "class"};
  if (std::ranges::find(table.names, "w") != table.names.end()) { options.weights = "w"; }
  if (family == "table") { options.ignore = {"a", "b", "c", "d", "e"}; }
  return options;
}

CrossValidation validate(const Table& table, const CrossValidationRequest& request,
                         const Context& context = {.threads = 2}) {
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", reading(request.family, table));
  return choose::cross_validate(*source, request, context);
}

Table without_rows(const Table& table) { return {table.names, {}}; }

/// Posteriors of `out` under the model of `in`, rows x 3 classes.
std::vector<double> predicted(const Table& in, const Table& out, const Case& model) {
  const std::string weights = std::ranges::find(in.names, "w") == in.names.end() ? "" : "w";
  const auto fit = test::train_table(in, model.family, model.options, 1, weights);
  return test::posteriors_of(*fit.model, out, 1);
}

std::vector<std::int32_t> labels_of(const Table& table) {
  std::vector<std::int32_t> labels;
  for (const auto& row : table.rows) { labels.push_back(row[0].back() - '0'); }
  return labels;
}

/// Largest difference of the rows that the fold holds.
double largest_off(const CrossValidation& found, const Table& table,
                   const std::vector<std::size_t>& folds, std::size_t fold, const Case& model,
                   std::size_t point = 0) {
  Table in = without_rows(table);
  Table out = in;
  std::vector<std::size_t> held;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    (folds[r] == fold ? out : in).rows.push_back(table.rows[r]);
    if (folds[r] == fold) { held.push_back(r); }
  }
  const auto expected = predicted(in, out, model);
  REQUIRE(expected.size() == held.size() * 3);
  double off = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double mine = found.grid[point].posteriors[held[i / 3] * 3 + i % 3];
    if (std::isnan(mine)) { continue; }  // skipped for want of a value
    off = std::max(off, std::abs(mine - expected[i]));
  }
  return off;
}

}  // namespace

TEST_CASE("folds from statistics predict as models trained without them") {
  const Table table = gappy_table(150, 4);
  constexpr std::size_t kFolds = 5;
  constexpr std::uint64_t kSeed = 3;
  const auto folds = stratified_folds(labels_of(table), 3, kFolds, kSeed);
  for (const Case& model : closed_cases()) {
    const std::string name = model.name();
    CAPTURE(name);
    const auto found = validate(table,
                                {.family = model.family,
                                 .options = model.options,
                                 .folds = kFolds,
                                 .keep_posteriors = true},
                                {.threads = 2, .seed = kSeed});
    CHECK(found.from_statistics);
    CHECK(found.rows + found.rows_skipped == table.rows.size());
    for (std::size_t f = 0; f < kFolds; ++f) {
      CHECK(largest_off(found, table, folds, f, model) < kSame);
    }
  }
}

TEST_CASE("points of a grid that are scored together predict as models trained without the fold") {
  Table table = numbers_only(test::made_table(150, 3, 14));
  table.add_column("w", "1");
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    table.rows[r].back() = std::to_string(1 + r % 3);
  }
  constexpr std::size_t kFolds = 5;
  const auto folds = stratified_folds(labels_of(table), 3, kFolds, 0);
  for (const char* grid :
       {"ridge=0,0.001,0.1,1,100", "shrinkage=0,0.05,0.5,0.95,1", "blend=0,0.1,0.5,0.9",
        "blend=0\\,0,0\\,0.1,0\\,0.9,0.5\\,0,0.5\\,0.1,0.5\\,0.9", "wishart=0,1,10,100",
        "ridge=0,1;priors=ml,uniform", "ridge=0.1,0.2,0.3;covariance=own,shared"}) {
    CAPTURE(grid);
    CrossValidationRequest request{.family = "gaussian", .folds = kFolds, .keep_posteriors = true};
    request.grid = parse_grid(grid);
    if (request.grid.back().option != "covariance") { request.options = {{"covariance", "own"}}; }
    const auto found = validate(table, request);
    for (std::size_t point = 0; point < found.grid.size(); ++point) {
      Case model{"gaussian", request.options};
      model.options.insert(found.grid[point].options.begin(), found.grid[point].options.end());
      const std::string name = model.name();
      CAPTURE(name);
      for (std::size_t f = 0; f < kFolds; ++f) {
        CHECK(largest_off(found, table, folds, f, model, point) < kSame);
      }
    }
  }
}

TEST_CASE("a point without a model, and rows whose scores overflow, are each by itself in a grid") {
  Table table = numbers_only(test::made_table(90, 3, 15));
  table.add_column("z", "1");  // constant: no covariance without something added
  CrossValidationRequest request{.family = "gaussian", .options = {{"covariance", "own"}}};
  request.grid = parse_grid("ridge=0,0.1,0.2,0.5,1");
  const auto found = validate(table, request);
  CHECK(contains(found.grid[0].failure, "constant"));
  for (std::size_t point = 1; point < 5; ++point) {
    const auto alone = validate(
        table,
        {.family = "gaussian",
         .options = {{"covariance", "own"}, {"ridge", found.grid[point].options.at("ridge")}}});
    CHECK(found.grid[point].log_loss.value ==
          doctest::Approx(alone.grid[0].log_loss.value).epsilon(1e-11));
  }
  table.rows[40][table.column("a")] = "1e200";
  request.grid = parse_grid("ridge=0.1,0.2,0.5,1");
  const auto told = [&](const CrossValidationRequest& wanted) {
    try {
      static_cast<void>(validate(table, wanted));
    } catch (const Error& error) { return std::string(error.what()); }
    return std::string();
  };
  const std::string alone =
      told({.family = "gaussian", .options = {{"covariance", "own"}, {"ridge", "0.1"}}});
  CHECK_FALSE(alone.empty());
  CHECK(contains(told(request), alone.substr(alone.find(':') + 1)));
}

TEST_CASE("leaving one row out predicts as models trained without it") {
  const Table gappy = gappy_table(60, 8);
  const Table whole = numbers_only(test::made_table(70, 3, 9));
  Table weighted = whole;
  weighted.add_column("w", "1");
  for (std::size_t r = 0; r < weighted.rows.size(); ++r) {
    weighted.rows[r].back() = std::to_string(0.5 + static_cast<double>(r % 4));
  }
  for (const Table* table : {&gappy, &whole, &std::as_const(weighted)}) {
    for (const Case& model : closed_cases()) {
      if (model.family == "table" && table != &gappy) { continue; }
      const std::string name = model.name();
      CAPTURE(name);
      const auto found = validate(*table, {.family = model.family,
                                           .options = model.options,
                                           .leave_one_out = true,
                                           .keep_posteriors = true});
      std::vector<std::size_t> folds(table->rows.size());
      for (std::size_t r = 0; r < folds.size(); ++r) { folds[r] = r; }
      for (std::size_t r = 0; r < folds.size(); r += 3) {
        CHECK(largest_off(found, *table, folds, r, model) < kSame);
      }
    }
  }
}

TEST_CASE("leaving out a row far from all others is no loss of digits") {
  Table table = numbers_only(test::made_table(60, 3, 16));
  table.rows[20][table.column("a")] = "1e9";
  std::vector<std::size_t> folds(table.rows.size());
  for (std::size_t r = 0; r < folds.size(); ++r) { folds[r] = r; }
  for (const Case& model :
       {Case{"gaussian", {}}, Case{"gaussian", {{"covariance", "own"}}},
        Case{"gaussian", {{"covariance", "diagonal"}}}, Case{"naive-bayes", {}}}) {
    const std::string name = model.name();
    CAPTURE(name);
    const auto found = validate(table, {.family = model.family,
                                        .options = model.options,
                                        .leave_one_out = true,
                                        .keep_posteriors = true});
    CHECK(largest_off(found, table, folds, 20, model) < kSame);
    CHECK(largest_off(found, table, folds, 21, model) < kSame);
  }
}

TEST_CASE("numbers keep the kind that all rows tell; a level goes with its last row") {
  Table table = test::made_table(60, 3, 5);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    table.rows[r][table.column("e")] = std::to_string(r % 2);
  }
  table.rows[10][table.column("e")] = "7";         // without it binary
  table.rows[11][table.column("color")] = "pink";  // the only one
  const auto found =
      validate(table, {.family = "naive-bayes", .leave_one_out = true, .keep_posteriors = true});
  for (const std::size_t held : {9U, 10U, 11U}) {
    Table in = table;
    in.rows.erase(in.rows.begin() + static_cast<std::ptrdiff_t>(held));
    const std::string text = in.csv();
    const auto source =
        open_csv_bytes(text, "table", {.target = "class", .kinds = {{"e", ColumnKind::count}}});
    const auto model = train(*source, "naive-bayes").model;
    const auto expected = test::posteriors_of(*model, {table.names, {table.rows[held]}}, 1);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(std::abs(found.grid[0].posteriors[held * 3 + k] - expected[k]) < kSame);
    }
  }
}

TEST_CASE("families without statistics are fitted to the rows of the other folds") {
  const Table table = test::made_table(120, 3, 6);
  constexpr std::size_t kFolds = 4;
  const auto folds = stratified_folds(labels_of(table), 3, kFolds, 0);
  const Case model{"softmax", {{"decay", "0.1"}}};
  const auto found = validate(table, {.family = "softmax",
                                      .grid = {{"decay", {"0.1", "1", "10"}}},
                                      .folds = kFolds,
                                      .keep_posteriors = true});
  CHECK_FALSE(found.from_statistics);
  for (std::size_t f = 0; f < kFolds; ++f) {
    CHECK(largest_off(found, table, folds, f, model) < 1e-6);
  }
  // A fit that began where the one before it ended is the fit.
  const auto alone =
      validate(table, {.family = "softmax", .options = {{"decay", "10"}}, .folds = kFolds});
  CHECK(found.grid[2].log_loss.value ==
        doctest::Approx(alone.grid[0].log_loss.value).epsilon(1e-6));
}

TEST_CASE("a grid is every combination, each as it is by itself") {
  const Table table = test::made_table(100, 3, 7);
  CrossValidationRequest request{.family = "gaussian"};
  request.grid = {{"ridge", {"0", "1"}},
                  {"covariance", {"own", "diagonal", "shared"}},
                  {"shrinkage", {"none", "ledoit-wolf"}}};
  request.grid[0].values[0] = "0.001";
  const auto found = validate(table, request);
  REQUIRE(found.grid.size() == 12);
  for (const GridPoint& point : found.grid) {
    if (point.options.at("shrinkage") == "ledoit-wolf" &&
        point.options.at("covariance") == "diagonal") {
      continue;  // from full moments or from diagonal ones: the same to rounding
    }
    const auto alone = validate(table, {.family = "gaussian", .options = point.options});
    CHECK(point.log_loss.value == doctest::Approx(alone.grid[0].log_loss.value).epsilon(1e-12));
    CHECK(point.error_rate.value == alone.grid[0].error_rate.value);
  }
}

TEST_CASE(
    "cross-validation: any number of threads gives the same bits; another seed, other folds "
    "[threads]") {
  const Table table = gappy_table(200, 10);
  const CrossValidationRequest request{.family = "gaussian",
                                       .options = {{"covariance", "own"}},
                                       .grid = {{"ridge", {"0.1", "0.5"}}},
                                       .repeats = 2,
                                       .keep_posteriors = true};
  const auto one = validate(table, request, {.threads = 1});
  const auto many = validate(table, request, {.threads = 5});
  CHECK(one.grid[1].posteriors == many.grid[1].posteriors);
  CHECK(one.grid[0].log_loss.value == many.grid[0].log_loss.value);
  CHECK(one.grid[0].folds.size() == 20);
  const auto other = validate(table, request, {.threads = 2, .seed = 1});
  CHECK(one.grid[0].log_loss.value != other.grid[0].log_loss.value);
}

TEST_CASE("the simplest within one standard error is chosen") {
  const Table table = test::made_table(90, 3, 12);
  const auto found = validate(
      table,
      {.family = "gaussian", .grid = {{"ridge", {"0.001", "0.002", "0.004", "0.01", "1000000"}}}});
  const auto& least = found.grid[found.best].log_loss;
  CHECK(found.chosen >= found.best);
  CHECK(found.chosen < 4);  // the last is no model at all
  CHECK(found.grid[found.chosen].log_loss.value <= least.value + least.standard_error);
  for (std::size_t p = found.chosen + 1; p < found.grid.size(); ++p) {
    CHECK(found.grid[p].log_loss.value > least.value + least.standard_error);
  }
}

TEST_CASE("a point that cannot be fitted fails by itself, and all of them together") {
  Table table = test::made_table(80, 2, 13);
  for (auto& row : table.rows) { row[table.column("b")] = "1"; }
  const auto found = validate(table, {.family = "gaussian", .grid = {{"ridge", {"0", "1"}}}});
  CHECK(contains(found.grid[0].failure, "singular"));
  CHECK(std::isnan(found.grid[0].log_loss.value));
  CHECK(found.best == 1);
  CHECK_THROWS_WITH_AS(static_cast<void>(validate(table, {.family = "gaussian"})),
                       doctest::Contains("singular"), Error);
}

TEST_CASE("what cannot be held out is told, with the cure") {
  Table table = test::made_table(60, 2, 14);
  for (auto& row : table.rows) { row[0] = "class0"; }
  CHECK_THROWS_WITH_AS(static_cast<void>(validate(table, {.family = "gaussian"})),
                       doctest::Contains("nothing to decide"), Error);
  for (std::size_t r = 0; r < 4; ++r) { table.rows[r][0] = "class1"; }
  CHECK_THROWS_WITH_AS(static_cast<void>(validate(table, {.family = "gaussian"})),
                       "class 'class1' has 4 rows, too few for 10 folds; take --folds 4 or "
                       "--leave-one-out",
                       Error);
  CHECK(validate(table, {.family = "naive-bayes", .folds = 4}).rows == 60);
  for (std::size_t r = 1; r < 4; ++r) { table.rows[r][0] = "class0"; }
  CHECK_THROWS_WITH_AS(
      static_cast<void>(validate(table, {.family = "naive-bayes", .leave_one_out = true})),
      doctest::Contains("nothing knows the class"), Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(validate(table, {.family = "gaussian", .folds = 1})),
                       doctest::Contains("at least 2"), Error);
}

TEST_CASE("the text of a grid") {
  const auto grid = parse_grid(R"(blend=0\,0.1, 0.5\,0.1 ;ridge=0,1)");
  REQUIRE(grid.size() == 2);
  CHECK(grid[0].option == "blend");
  CHECK(grid[0].values == std::vector<std::string>{"0,0.1", "0.5,0.1"});
  CHECK(grid[1].values == std::vector<std::string>{"0", "1"});
  for (const std::string text :
       {"", ";", "ridge", "=1", "ridge=", "ridge=1,,2", "ridge=1,1", "ridge=1;ridge=2"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(static_cast<void>(parse_grid(text)), doctest::Contains("--grid"), Error);
  }
  const Table table = test::made_table(30, 2, 15);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(validate(table, {.family = "gaussian", .grid = {{"rigde", {"1"}}}})),
      doctest::Contains("ridge"), Error);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(validate(
          table, {.family = "gaussian", .options = {{"ridge", "1"}}, .grid = {{"ridge", {"1"}}}})),
      doctest::Contains("leave one of"), Error);
}

TEST_CASE("a family in closed form needs no fit to rows") {
  for (const FamilyRecord& family : families()) {
    const std::string name = family.name;
    CAPTURE(name);
    const bool keeps_rows = name == "neighbors";
    CHECK(from_statistics(family) == (family.capabilities.mergeable && !keeps_rows));
  }
}
