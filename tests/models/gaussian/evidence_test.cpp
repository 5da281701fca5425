// Log odds as sums over columns: they add up, and each term is what its formula says.
#include <doctest/doctest.h>

#include <cmath>

#include "models/gaussian/evidence.hpp"
#include "models/gaussian/test_densities.hpp"
#include "support/evidence.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

constexpr double kTolerance = 1e-12;

Fit fitted(const std::string& covariance, const OptionMap& more = {}) {
  OptionMap options{{"covariance", covariance}};
  options.insert(more.begin(), more.end());
  return train_table(made_table(400, 4, 11), "gaussian", options);
}

}  // namespace

TEST_CASE("evidence of gaussian: base and terms add up to the difference of the scores") {
  for (const std::string covariance :
       {"shared", "diagonal", "shared-diagonal", "spherical", "shared-spherical"}) {
    const auto fit = fitted(covariance);
    CAPTURE(covariance);
    REQUIRE(fit.model->evidence() != nullptr);
    CHECK(worst_sum(*fit.model, made_table(300, 4, 12)) < kTolerance);
    CHECK(fit.model->evidence()->parts() ==
          std::vector<std::string>{"a", "b", "c", "d", "e", "color", "sex"});
  }
}

TEST_CASE("evidence of gaussian: missing values are integrated out") {
  for (const std::string covariance : {"shared", "diagonal", "shared-diagonal", "spherical"}) {
    const auto fit = fitted(covariance);
    CAPTURE(covariance);
    const Table gaps = with_gaps(made_table(300, 4, 13), 5);
    CHECK(worst_sum(*fit.model, gaps) < kTolerance);
    BoundRows rows(*fit.model, gaps);
    const Terms terms = terms_of(*fit.model, rows.block(), 0, 2);
    for (std::size_t r = 0; r < gaps.rows.size(); ++r) {
      for (std::size_t c = 1; c < gaps.names.size(); ++c) {
        if (gaps.rows[r][c] == "NA") { CHECK(terms.values[r * 7 + c - 1] == 0.0); }
      }
    }
  }
}

TEST_CASE("evidence of gaussian: large offsets and far classes cost no digits") {
  Table far = made_table(400, 4, 11);
  for (auto& row : far.rows) {
    const double moved = row[0] == "class3" ? 1e5 : 0.0;
    row[1] = format_number(std::stod(row[1]) + 1e7 + moved);
  }
  const auto fit = train_table(far, "gaussian", {});
  CHECK(worst_sum(*fit.model, far) < 1e-9);  // the scores themselves are of the order of 1e10
}

TEST_CASE("evidence of gaussian: where scores are no sums over columns there is none") {
  CHECK(fitted("own", {{"ridge", "0.01"}}).model->evidence() == nullptr);
  CHECK(fitted("groups", {{"ridge", "0.01"}, {"groups", "class0+class1"}}).model->evidence() ==
        nullptr);
  CHECK(fitted("shared", {{"components", "2"}}).model->evidence() == nullptr);
  const auto one_group = fitted("groups", {{"groups", "class0+class1+class2+class3"}});
  REQUIRE(one_group.model->evidence() != nullptr);
  CHECK(worst_sum(*one_group.model, made_table(50, 4, 12)) < kTolerance);
}

TEST_CASE("evidence of gaussian: one column is a sum over columns whatever its variances") {
  Table one{{"class", "a"}, {}};
  for (const auto& row : made_table(200, 3, 4).rows) { one.rows.push_back({row[0], row[1]}); }
  const auto fit = train_table(one, "gaussian", {{"covariance", "own"}});
  REQUIRE(fit.model->evidence() != nullptr);
  CHECK(worst_sum(*fit.model, one) < kTolerance);
}

namespace testing = logodds::models::gaussian::testing;
using logodds::models::gaussian::GaussianEvidence;

TEST_CASE("evidence of gaussian: the terms on paper") {
  // Sigma = [[2, 1], [1, 2]], so Sigma^-1 = [[2, -1], [-1, 2]] / 3; mu_a - mu_b = (3, 0).
  const Schema schema{.columns = {{"u", ColumnKind::real, {}}, {"v", ColumnKind::real, {}}},
                      .target = "t",
                      .labels = {"a", "b"}};
  const std::vector<double> x{4.0, 5.0};
  RowBlock block;
  block.rows = 1;
  block.numeric = x.data();
  block.numeric_columns = block.numeric_stride = 2;
  const std::vector<std::int32_t> first{0};
  const std::vector<std::int32_t> second{1};
  std::vector<double> out(2);
  std::vector<double> base(1);
  const testing::Square means{{4.0, 1.0}, {1.0, 1.0}};
  SUBCASE("one covariance") {
    const GaussianEvidence evidence(
        schema, Design(schema, OneHot::reference),
        testing::densities({0.75, 0.25}, means, {testing::cholesky({{2.0, 1.0}, {1.0, 2.0}})}));
    evidence.contributions(block, first, second, out, base);
    CHECK(base[0] == doctest::Approx(std::log(3.0)));
    CHECK(out[0] == doctest::Approx(2.0 * (4.0 - 2.5)));
    CHECK(out[1] == doctest::Approx(-1.0 * (5.0 - 1.0)));
    evidence.contributions(block, second, first, out, base);
    CHECK(base[0] == doctest::Approx(-std::log(3.0)));
    CHECK(out[0] == doctest::Approx(-3.0));
    CHECK(out[1] == doctest::Approx(4.0));
  }
  SUBCASE("variances of their own") {
    const GaussianEvidence evidence(
        schema, Design(schema, OneHot::full),
        testing::densities({0.5, 0.5}, means,
                           {testing::diagonal({1.0, 4.0}), testing::diagonal({9.0, 1.0})}));
    evidence.contributions(block, first, second, out, base);
    CHECK(base[0] == 0.0);
    // ln N(4; 4, 1) - ln N(4; 1, 9) and ln N(5; 1, 4) - ln N(5; 1, 1)
    CHECK(out[0] == doctest::Approx(0.5 * std::log(9.0) + 0.5));
    CHECK(out[1] == doctest::Approx(-0.5 * std::log(4.0) - 0.5 * 4.0 + 0.5 * 16.0));
  }
}
