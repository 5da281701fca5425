#include "choose/estimates.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "choose/folds.hpp"

using namespace logodds::choose;

TEST_CASE("Student's quantiles as in tables") {
  CHECK(student_quantile(1.0) == doctest::Approx(12.7062047362).epsilon(1e-10));
  CHECK(student_quantile(9.0) == doctest::Approx(2.26215716280).epsilon(1e-10));
  CHECK(student_quantile(1e6) == doctest::Approx(1.95996635682).epsilon(1e-8));
}

TEST_CASE("the standard error of folds of equal weight is s / sqrt(folds)") {
  const std::vector<double> values{1.0, 2.0, 4.0, 5.0};
  const std::vector<double> weights(4, 7.0);
  const auto once = estimate_over(values, weights, 1);
  const double s = std::sqrt((4.0 + 1.0 + 1.0 + 4.0) / 3.0);
  CHECK(once.value == 3.0);
  CHECK(once.standard_error == doctest::Approx(s / 2.0).epsilon(1e-14));
  CHECK(once.high == doctest::Approx(3.0 + 3.18244630528 * s / 2.0).epsilon(1e-10));
  CHECK(once.low == doctest::Approx(3.0 - 3.18244630528 * s / 2.0).epsilon(1e-10));
  // The same folds twice: no more is known.
  std::vector<double> twice = values;
  twice.insert(twice.end(), values.begin(), values.end());
  const auto again = estimate_over(twice, std::vector<double>(8, 7.0), 2);
  CHECK(again.standard_error == doctest::Approx(std::sqrt(10.0 / 7.0 * 2.0) / 2.0).epsilon(1e-14));
}

TEST_CASE("no interval of a rate reaches beyond 0 and 1") {
  const std::vector<FoldResult> folds{{.rows = 4, .weight = 4.0, .error_rate = 0.0},
                                      {.rows = 4, .weight = 4.0, .error_rate = 0.5}};
  const auto rate = over_folds(folds, &FoldResult::error_rate, 1, 1.0);
  CHECK(rate.value == 0.25);
  CHECK(rate.low == 0.0);
  CHECK(rate.high == 1.0);
}

TEST_CASE("the corrected interval of a difference, by hand") {
  std::vector<FoldResult> mine;
  std::vector<FoldResult> best;
  for (const double d : {0.1, 0.3, 0.2}) {
    mine.push_back({.rows = 5, .weight = 5.0, .log_loss = 1.0 + d});
    best.push_back({.rows = 5, .weight = 5.0, .log_loss = 1.0});
  }
  const auto difference = difference_over(mine, best, &FoldResult::log_loss, 1);
  CHECK(difference.value == doctest::Approx(0.2));
  // s = 0.1, J = 3 folds, a third tests what two thirds train: 1/3 + 1/2.
  const double reach = 4.30265272975 * 0.1 * std::sqrt(1.0 / 3.0 + 0.5);
  CHECK(difference.high == doctest::Approx(0.2 + reach).epsilon(1e-9));
  CHECK(difference.low == doctest::Approx(0.2 - reach).epsilon(1e-9));
}

TEST_CASE("McNemar's test is a binomial one") {
  CHECK(exact_mcnemar(10, 2) == doctest::Approx(2.0 * (1 + 12 + 66) / 4096.0).epsilon(1e-12));
  CHECK(exact_mcnemar(2, 10) == doctest::Approx(2.0 * (1 + 12 + 66) / 4096.0).epsilon(1e-12));
  CHECK(exact_mcnemar(0, 0) == 1.0);
  CHECK(exact_mcnemar(5, 5) == 1.0);
  CHECK(exact_mcnemar(0, 5) == doctest::Approx(2.0 / 32.0).epsilon(1e-12));
}

TEST_CASE("folds are alike in their shares of classes, and depend on the seed") {
  std::vector<std::int32_t> labels;
  for (int r = 0; r < 100; ++r) { labels.push_back(r % 10 == 0 ? 1 : 0); }
  const auto folds = stratified_folds(labels, 2, 5, 0);
  for (std::size_t f = 0; f < 5; ++f) {
    std::size_t rows = 0;
    std::size_t rare = 0;
    for (std::size_t r = 0; r < 100; ++r) {
      rows += folds[r] == f ? 1U : 0U;
      rare += folds[r] == f && labels[r] == 1 ? 1U : 0U;
    }
    CHECK(rows == 20);
    CHECK(rare == 2);
  }
  CHECK(folds != stratified_folds(labels, 2, 5, 1));
  CHECK(folds != stratified_folds(labels, 2, 5, 0, 1));
  CHECK(folds == stratified_folds(labels, 2, 5, 0));
}
