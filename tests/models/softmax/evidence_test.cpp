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

TEST_CASE("evidence of softmax: each term is coefficient times distance from the mean") {
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
  double mean = 0.0;
  for (const auto& row : table.rows) { mean += std::stod(row[2]) / 400.0; }
  BoundRows rows(*fit.model, table);
  const Terms terms = terms_of(*fit.model, rows.block(), 2, 0);
  for (std::size_t r = 0; r < 20; ++r) {
    CHECK(terms.base[r] == terms.base[0]);
    CHECK(terms.values[r * 7 + 1] == doctest::Approx((weight("b", 2) - weight("b", 0)) *
                                                     (std::stod(table.rows[r][2]) - mean)));
    // Between two levels the terms differ as their coefficients do.
    const std::string level = "color=" + table.rows[r][6];
    const std::string first = "color=" + table.rows[0][6];
    CHECK(
        terms.values[r * 7 + 5] - terms.values[5] ==
        doctest::Approx(weight(level, 2) - weight(level, 0) - weight(first, 2) + weight(first, 0)));
  }
}

TEST_CASE("evidence: a family whose scores are no sums has none") {
  const auto fit = train_table(made_table(60, 2, 1), "neighbors", {});
  CHECK(fit.model->evidence() == nullptr);
}
