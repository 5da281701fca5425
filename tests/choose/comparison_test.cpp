// Models compared on the same folds, against what cross-validation says of each.
#include "logodds/choose/comparison.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "choose/folds.hpp"
#include "support/sample.hpp"
#include "support/table.hpp"

using namespace logodds;
using logodds::choose::Candidate;
using logodds::choose::Compared;
using logodds::choose::Comparison;
using logodds::choose::parse_candidates;
using logodds::test::contains;
using logodds::test::Table;

namespace {

Comparison compared(const Table& table, const choose::ComparisonRequest& request,
                    const Context& context = {.threads = 2}) {
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  return choose::compare(*source, request, context);
}

choose::CrossValidation validated(const Table& table, const Candidate& candidate) {
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  return choose::cross_validate(
      *source, {.family = candidate.family, .options = candidate.options, .keep_posteriors = true});
}

/// Whether each row is decided wrongly.
std::vector<bool> wrong(const choose::CrossValidation& found, const Table& table) {
  std::vector<bool> result;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::span<const double> row(found.grid[0].posteriors.data() + 3 * r, 3);
    result.push_back(found.labels[decide::argmax(row)] != table.rows[r][0]);
  }
  return result;
}

}  // namespace

TEST_CASE("a comparison is cross-validation of each, and of pairs") {
  const Table table = test::made_table(150, 3, 21);
  const auto found =
      compared(table, {.candidates = parse_candidates("gaussian,naive-bayes,gaussian:ridge=1,"
                                                      "indicator")});
  REQUIRE(found.models.size() == 4);
  const auto best = validated(table, found.models[0].candidate);
  for (const Compared& model : found.models) {
    const auto alone = validated(table, model.candidate);
    const choose::GridPoint& point = alone.grid[0];
    CHECK(model.log_loss.value == doctest::Approx(point.log_loss.value).epsilon(1e-12));
    CHECK(model.brier.standard_error == doctest::Approx(point.brier.standard_error).epsilon(1e-9));
    CHECK(model.error_rate.high == doctest::Approx(point.error_rate.high).epsilon(1e-12));
    std::size_t only_best = 0;
    std::size_t only_other = 0;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const bool mine = wrong(alone, table)[r];
      const bool other = wrong(best, table)[r];
      only_best += mine && !other ? 1U : 0U;
      only_other += other && !mine ? 1U : 0U;
    }
    CHECK(model.mcnemar.only_best == only_best);
    CHECK(model.mcnemar.only_other == only_other);
    const bool generative = model.candidate.family != "indicator";
    CHECK(model.log_likelihood.has_value() == generative);
  }
  // What the models of all rows say of these rows.
  const auto fitted =
      test::train_table(table, found.models[0].candidate.family, found.models[0].candidate.options);
  const auto posteriors = test::posteriors_of(*fitted.model, table);
  CHECK(test::largest_difference(posteriors, test::posteriors_of(*found.winner, table)) < 1e-12);
}

TEST_CASE("the mean density of held-out rows is what evaluate says without them") {
  Table table = test::made_table(60, 2, 22);
  const auto found = compared(table, {.candidates = {{.family = "gaussian"}}, .folds = 2});
  std::vector<std::int32_t> labels;
  for (const auto& row : table.rows) { labels.push_back(row[0].back() - '0'); }
  const auto folds = choose::stratified_folds(labels, 2, 2, 0);
  double sum = 0.0;
  for (std::size_t f = 0; f < 2; ++f) {
    Table in{table.names, {}};
    Table out{table.names, {}};
    for (std::size_t r = 0; r < 60; ++r) {
      (folds[r] == f ? out : in).rows.push_back(table.rows[r]);
    }
    const auto model = test::train_table(in, "gaussian", {}).model;
    const std::string text = out.csv();
    const auto source = open_csv_bytes(text, "table", {.target = "class"}, model->schema(), true);
    sum += evaluate(*model, *source).likelihood->log_likelihood;
  }
  CHECK(*found.models[0].log_likelihood == doctest::Approx(sum / 60.0).epsilon(1e-9));
}

TEST_CASE("families that do not fit the rows are told apart from those that fail") {
  Table table = test::made_table(90, 3, 23);
  for (auto& row : table.rows) { row[table.column("b")] = "1"; }
  const auto found = compared(table, {});
  std::size_t unfit = 0;
  for (const Compared& model : found.models) {
    const std::string title = model.candidate.title();
    CAPTURE(title);
    if (model.candidate.family == "table") { CHECK(contains(model.failure, "real numbers")); }
    if (model.candidate.family == "gaussian") {
      CHECK(model.fits);
      CHECK(contains(model.failure, "singular"));
    }
    unfit += model.fits ? 0U : 1U;
  }
  CHECK(unfit >= 2);
  CHECK(found.models.front().failure.empty());
  CHECK_FALSE(found.models.back().fits);
}

TEST_CASE("comparison: any number of threads gives the same bits [threads]") {
  const Table table = test::made_table(100, 2, 24);
  const choose::ComparisonRequest request{
      .candidates = parse_candidates("softmax:decay=1,gaussian,neural:hidden=3"),
      .folds = 3,
      .repeats = 2};
  const auto one = compared(table, request, {.threads = 1});
  const auto many = compared(table, request, {.threads = 4});
  for (std::size_t m = 0; m < one.models.size(); ++m) {
    CHECK(one.models[m].candidate.title() == many.models[m].candidate.title());
    CHECK(one.models[m].log_loss.value == many.models[m].log_loss.value);
    CHECK(one.models[m].train_log_loss == many.models[m].train_log_loss);
  }
}

TEST_CASE("the text of candidates") {
  const auto all = parse_candidates(R"(gaussian:priors=smoothed\:1:blend=0.5\,0.1,naive-bayes)");
  REQUIRE(all.size() == 2);
  CHECK(all[0].title() == "gaussian (blend 0.5,0.1, priors smoothed:1)");
  CHECK(all[1].title() == "naive-bayes");
  CHECK_THROWS_WITH_AS(static_cast<void>(parse_candidates("gausian")),
                       doctest::Contains("gaussian"), Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(parse_candidates("gaussian,gaussian")),
                       doctest::Contains("twice"), Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(parse_candidates("gaussian:own")),
                       doctest::Contains("OPTION=VALUE"), Error);
}
