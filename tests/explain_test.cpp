// explain(): winner, runner-up, and terms that add up.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/evidence.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

struct Explained {
  std::vector<double> posteriors, log_odds, base, contributions;
  std::vector<std::int32_t> decisions, against;
  ScoreReport report;
};

Explained explained(const Classifier& model, const Table& table,
                    const ExplainRequest& request = {}) {
  Explained all;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", {}, model.schema(), false);
  all.report = explain(
      model, *source,
      [&](const ExplainedBlock& block) {
        append(all.posteriors, block.scored.posteriors);
        append(all.decisions, block.scored.decisions);
        append(all.against, block.against);
        append(all.log_odds, block.log_odds);
        append(all.base, block.base);
        append(all.contributions, block.contributions);
      },
      {.threads = 2}, request);
  return all;
}

}  // namespace

TEST_CASE("explain: the odds are those of the two largest posteriors, and add up to the last bit") {
  const Table table = made_table(3000, 4, 41);
  for (const std::string family : {"gaussian", "softmax"}) {
    const auto fit = train_table(table, family, {});
    const Explained all = explained(*fit.model, table);
    REQUIRE(all.decisions.size() == 3000);
    CHECK(all.report.rows == 3000);
    for (std::size_t r = 0; r < 3000; ++r) {
      const auto winner = static_cast<std::size_t>(all.decisions[r]);
      const auto other = static_cast<std::size_t>(all.against[r]);
      REQUIRE(winner != other);
      const double* const p = all.posteriors.data() + r * 4;
      for (std::size_t k = 0; k < 4; ++k) {
        CHECK(p[k] <= p[winner]);
        if (k != winner) { CHECK(p[k] <= p[other]); }
      }
      CHECK(all.log_odds[r] == doctest::Approx(std::log(p[winner] / p[other])).epsilon(1e-9));
      double sum = all.base[r];
      for (std::size_t i = 0; i < 7; ++i) { sum += all.contributions[r * 7 + i]; }
      CHECK(sum == all.log_odds[r]);
    }
  }
}

TEST_CASE("explain: the base of the logarithms") {
  const Table table = made_table(100, 3, 42);
  const auto fit = train_table(table, "gaussian", {});
  const Explained natural = explained(*fit.model, table);
  const Explained bits = explained(*fit.model, table, {.scoring = {}, .log_base = 2.0});
  for (std::size_t i = 0; i < natural.contributions.size(); ++i) {
    CHECK(bits.contributions[i] == doctest::Approx(natural.contributions[i] / std::log(2.0)));
  }
  for (const double base : {1.0, 0.5, -2.0, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(explained(*fit.model, table, {.scoring = {}, .log_base = base}), Error);
  }
}

TEST_CASE("explain: ties go to the first label") {
  // Classes b and c have the same rows, so that they tie wherever a wins.
  Table table{{"class", "x"}, {}};
  for (int i = 0; i < 20; ++i) {
    const double x = i % 5;
    table.rows.push_back({"a", format_number(x)});
    table.rows.push_back({"b", format_number(10.0 + x)});
    table.rows.push_back({"c", format_number(10.0 + x)});
  }
  const auto fit = train_table(table, "gaussian", {});
  const Explained all = explained(*fit.model, table);
  CHECK(all.decisions[0] == 0);
  CHECK(all.against[0] == 1);
  CHECK(all.decisions[1] == 1);
  CHECK(all.against[1] == 2);
  CHECK(all.log_odds[1] == 0.0);
}

TEST_CASE("explain: rows that lack values") {
  const Table table = made_table(200, 3, 43);
  const Table gaps = with_gaps(made_table(50, 3, 44), 3);
  const auto softmax = train_table(table, "softmax", {});
  const Explained skipped = explained(*softmax.model, gaps);
  CHECK(skipped.report.rows_skipped > 0);
  for (std::size_t r = 0; r < 50; ++r) {
    CHECK((skipped.against[r] == kNoDecision) == (skipped.decisions[r] == kNoDecision));
  }
  const auto gaussian = train_table(table, "gaussian", {});
  const Explained used = explained(*gaussian.model, gaps);
  CHECK(used.report.rows_incomplete == skipped.report.rows_skipped);
  for (std::size_t r = 0; r < 50; ++r) {
    const double* const p = used.posteriors.data() + r * 3;
    const double ratio = p[static_cast<std::size_t>(used.decisions[r])] /
                         p[static_cast<std::size_t>(used.against[r])];
    CHECK(used.log_odds[r] == doctest::Approx(std::log(ratio)).epsilon(1e-9));
  }
}

TEST_CASE("explain: models that it is not for are told what is") {
  const Table table = made_table(60, 2, 1);
  const auto neighbors = train_table(table, "neighbors", {});
  CHECK_THROWS_WITH_AS(explained(*neighbors.model, table),
                       doctest::Contains("--model naive-bayes or softmax"), Error);
}

TEST_CASE("add_terms: infinite terms never make NaN") {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  CHECK(add_terms(1.0, std::vector<double>{2.0, -0.5}) == 2.5);
  CHECK(add_terms(1.0, std::vector<double>{kInfinite, -3.0}) == kInfinite);
  CHECK(add_terms(1.0, std::vector<double>{-kInfinite, kInfinite, -kInfinite}) == -kInfinite);
  CHECK(add_terms(1.0, std::vector<double>{-kInfinite, 2.0, kInfinite}) == 3.0);
}
