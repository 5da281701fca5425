// Log odds of softmax regression as sums over columns.
#include <doctest/doctest.h>

#include "support/evidence.hpp"

using namespace logodds;
using namespace logodds::test;

TEST_CASE("evidence of softmax: intercepts and terms add up to the difference of the scores") {
  const Table table = made_table(400, 3, 31);
  const auto fit = train_table(table, "softmax", {{"decay", "0.01"}});
  REQUIRE(fit.model->evidence() != nullptr);
  CHECK(fit.model->evidence()->parts() ==
        std::vector<std::string>{"a", "b", "c", "d", "e", "color", "sex"});
  CHECK(worst_sum(*fit.model, made_table(300, 3, 32)) < 1e-12);
}

TEST_CASE("evidence of softmax: each term is coefficient times value") {
  const Table table = made_table(400, 3, 31);
  const auto fit = train_table(table, "softmax", {{"decay", "0.01"}});
  const auto coefficients = fit.model->describe().tables.front();
  const auto weight = [&](const std::string& name, std::size_t k) {
    for (const auto& row : coefficients.rows) {
      if (std::get<std::string>(row[0]) == name) { return std::get<double>(row[k + 1]); }
    }
    FAIL("no coefficient " << name);
    return 0.0;
  };
  BoundRows rows(*fit.model, table);
  const Terms terms = terms_of(*fit.model, rows.block(), 2, 0);
  for (std::size_t r = 0; r < 20; ++r) {
    CHECK(terms.base[r] == doctest::Approx(weight("(intercept)", 2) - weight("(intercept)", 0)));
    CHECK(terms.values[r * 7 + 1] ==
          doctest::Approx((weight("b", 2) - weight("b", 0)) * std::stod(table.rows[r][2])));
    const std::string level = "color=" + table.rows[r][6];
    CHECK(terms.values[r * 7 + 5] == doctest::Approx(weight(level, 2) - weight(level, 0)));
  }
}

TEST_CASE("evidence: a family whose scores are no sums has none") {
  const auto fit = train_table(made_table(60, 2, 1), "neighbors", {});
  CHECK(fit.model->evidence() == nullptr);
}
