#include "logodds/decide/policy.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "logodds/error.hpp"
#include "logodds/measure/decision_totals.hpp"

using namespace logodds::decide;

namespace {

const std::vector<std::string> kLabels{"a", "b", "c:d"};

std::string problem(const auto& work) {
  try {
    work();
  } catch (const logodds::Error& error) { return error.what(); }
  return {};
}

}  // namespace

TEST_CASE("the decision of least expected cost, worked by hand") {
  // Missing a b costs 5: p_b = 0.2 is enough, 5 * 0.2 > 1 * 0.8.
  const Costs costs(2, {0, 1, 5, 0});
  CHECK(costs.expected(std::vector{0.8, 0.2}, 0) == doctest::Approx(1.0));
  CHECK(costs.expected(std::vector{0.8, 0.2}, 1) == doctest::Approx(0.8));
  CHECK(costs.cheapest(std::vector{0.8, 0.2}) == 1);
  CHECK(costs.cheapest(std::vector{0.9, 0.1}) == 0);
  const Costs rejecting(2, {0, 1, 5, 0}, {0.3, 0.3});
  CHECK(rejecting.cheapest(std::vector{0.8, 0.2}) == kReject);
  CHECK(rejecting.cheapest(std::vector{0.99, 0.01}) == 0);
  CHECK(rejecting.cost(1, kReject) == 0.3);
}

TEST_CASE("ties go to the first class, and to a class before a rejection") {
  CHECK(Costs::zero_one(3).cheapest(std::vector{0.25, 0.375, 0.375}) == 1);
  CHECK(Costs(2, {0, 1, 1, 0}, {0.5, 0.5}).cheapest(std::vector{0.5, 0.5}) == 0);
}

TEST_CASE("a class with a threshold is decided exactly where it is reached") {
  const Policy policy{.thresholds = {0.0, 0.2, 0.0}};
  CHECK(decide(policy, std::vector{0.7, 0.2, 0.1}) == 1);
  CHECK(decide(policy, std::vector{0.1, 0.19, 0.71}) == 2);
  const Policy two{.thresholds = {0.5, 0.1, 0.0}};
  CHECK(decide(two, std::vector{0.6, 0.3, 0.1}) == 1);  // 0.3 / 0.1 > 0.6 / 0.5
  const Policy strict{.thresholds = {0.9, 0.9, 0.9}};
  CHECK(decide(strict, std::vector{0.5, 0.3, 0.2}) == kReject);
  CHECK(decide(strict, std::vector{0.05, 0.9, 0.05}) == 1);
}

TEST_CASE("decisions below a posterior are rejected") {
  const Policy policy{.reject_below = 0.6};
  CHECK(decide(policy, std::vector{0.6, 0.4}) == 0);
  CHECK(decide(policy, std::vector{0.59, 0.41}) == kReject);
  CHECK_FALSE(policy.plain());
  CHECK(Policy{}.plain());
  CHECK(decide(Policy{}, std::vector{0.2, 0.4, 0.4}) == 1);
  CHECK(decide(Policy{}, std::vector{-3.0, -2.0}) == 1);  // scores that are no posteriors
}

TEST_CASE("costs as people write them") {
  const Costs costs = parse_costs("a:b=5,c:d:a=2,c:d:reject=.5,b:b=-1", kLabels, "--cost");
  CHECK(costs.cost(0, 1) == 5.0);
  CHECK(costs.cost(2, 0) == 2.0);
  CHECK(costs.cost(1, 1) == -1.0);
  CHECK(costs.cost(0, 0) == 0.0);
  CHECK(costs.cost(1, 2) == 1.0);
  CHECK(costs.cost(2, kReject) == 0.5);
  CHECK(costs.cost(0, kReject) == 1.0);
  CHECK(costs.has_negative());
  CHECK(problem([] { (void)parse_costs("a:z=1", kLabels, "--cost"); }).find("no class 'z'") !=
        std::string::npos);
  CHECK(problem([] { (void)parse_costs("a:b", kLabels, "--cost"); }).find("TRUTH:DECISION") !=
        std::string::npos);
  CHECK(problem([] { (void)Costs(2, {0, 1, 1}); }).find("a row and a column") != std::string::npos);
  CHECK(parse_thresholds("b=.25,c:d=1", kLabels, "--thresholds") ==
        std::vector<double>{0.0, 0.25, 1.0});
}

TEST_CASE("what decisions cost: expected and realized, over all rows") {
  const Costs costs(2, {0, 1, 5, 0}, {0.25, 0.25});
  logodds::measure::DecisionTotals totals(&costs);
  totals.add(0, 0, std::vector{0.9, 0.1}, 1.0);
  totals.add(1, 0, std::vector{0.8, 0.2}, 2.0);
  totals.add(1, kReject, std::vector{0.5, 0.5}, 1.0);
  CHECK(totals.coverage() == 0.75);
  CHECK(totals.accuracy() == doctest::Approx(1.0 / 3.0));
  CHECK(totals.expected_cost() == doctest::Approx((0.5 + 2 * 1.0 + 0.25) / 4));
  CHECK(totals.realized_cost() == doctest::Approx((0.0 + 2 * 5.0 + 0.25) / 4));
}
