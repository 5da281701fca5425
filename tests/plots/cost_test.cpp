#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "plots/arrays.hpp"
#include "plots/cost_curve.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using test::input_of;
using test::made_sample;
using test::Sample;

namespace {

measure::KeptRows kept_of(const Classifier& model, const Sample& sample) {
  const std::vector<double> p = test::posteriors_of(model, sample);
  const std::size_t classes = model.labels().size();
  measure::KeptRows rows(classes);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    rows.add(sample.label(r), 0, {p.data() + r * classes, classes}, sample.weight(r));
  }
  return rows;
}

}  // namespace

TEST_CASE("a cost curve is what deciding by each threshold comes to") {
  const Sample sample = test::weighted(made_sample(150, 2, 3, 13), 14);
  const Fit fit = test::trained(sample, "gaussian");
  const std::vector<double> p = test::posteriors_of(*fit.model, sample);
  const decide::Costs costs(3, {0, 1, 5, 2, 0, 1, 3, 4, 0});
  const plots::CostCurve curve = plots::cost_curve(kept_of(*fit.model, sample), costs, 2, 0.95);
  double weight = 0.0;
  for (const double w : sample.weights) { weight += w; }
  double least = 1e9;
  for (const plots::CostStep& step : curve.steps) {
    double realized = 0.0;
    double expected = 0.0;
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const double* const row = p.data() + 3 * r;
      const int decision = row[2] >= step.high ? 2 : row[1] > row[0] ? 1 : 0;
      realized += sample.weight(r) * costs.cost(sample.label(r), decision);
      expected += sample.weight(r) * costs.expected({row, 3}, decision);
    }
    CHECK(step.realized.value == doctest::Approx(realized / weight).epsilon(1e-12));
    CHECK(step.expected == doctest::Approx(expected / weight).epsilon(1e-12));
    CHECK(step.realized.lower < step.realized.value);
    CHECK(step.realized.upper > step.realized.value);
    least = std::min(least, step.realized.value);
  }
  CHECK(curve.steps.front().high == 1.0);
  CHECK(curve.steps.back().low == 0.0);
  REQUIRE(curve.cheapest);
  CHECK(curve.cheapest->cost == doctest::Approx(least));
}

TEST_CASE("the interval of a mean cost is Student's") {
  measure::KeptRows rows(2);
  const std::vector<double> p{0.5, 0.5};
  for (std::size_t r = 0; r < 10; ++r) { rows.add(r < 3 ? 1 : 0, 0, p, 1.0); }
  const plots::CostCurve curve = plots::cost_curve(rows, decide::Costs::zero_one(2), 1, 0.95);
  REQUIRE(curve.steps.size() == 2);  // nobody, everybody
  // 3 errors of 10: s = sqrt(10 / 9 0.3 0.7), t_9 = 2.262157162740992
  const double reach = 2.262157162740992 * std::sqrt(0.3 * 0.7 / 9.0);
  CHECK(curve.steps[0].realized.value == doctest::Approx(0.3));
  CHECK(curve.steps[0].realized.upper == doctest::Approx(0.3 + reach).epsilon(1e-9));
  CHECK(curve.steps[1].realized.value == doctest::Approx(0.7));
}

TEST_CASE("the ideal threshold balances what the errors cost beyond the right decision") {
  CHECK(*plots::ideal_threshold(decide::Costs::zero_one(2), 1) == doctest::Approx(0.5));
  const decide::Costs costs(2, {0, 1, 9, 0});  // missing class 1 is dear
  CHECK(*plots::ideal_threshold(costs, 1) == doctest::Approx(0.1));
  CHECK(*plots::ideal_threshold(costs, 0) == doctest::Approx(0.9));
  CHECK_FALSE(plots::ideal_threshold(decide::Costs(2, {0, -1, 1, 0}), 1));
  CHECK_FALSE(plots::ideal_threshold(decide::Costs::zero_one(3), 1));
}

TEST_CASE("plot cost: more than two classes ask for one of them") {
  const Sample sample = made_sample(90, 2, 3, 13);
  const Fit fit = test::trained(sample, "gaussian");
  CHECK_THROWS_WITH_AS(static_cast<void>(plots::plot("cost", input_of(*fit.model, sample))),
                       doctest::Contains("--class"), Error);
  const auto plot = plots::plot("cost", input_of(*fit.model, sample), {{"class", "c1"}});
  // Errors by the cheapest threshold of c1, counted: the row's class, or the likeliest other one.
  const std::vector<double> p = test::posteriors_of(*fit.model, sample);
  const NamedArray& cheapest = test::array_of(plot, "cheapest");
  double least = 1e9;
  for (const double threshold : p) {
    double errors = 0.0;
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const double* const row = p.data() + 3 * r;
      const std::size_t decision = row[1] >= threshold ? 1 : row[2] > row[0] ? 2 : 0;
      errors += decision == sample.label(r) ? 0.0 : 1.0;
    }
    least = std::min(least, errors / 90.0);
  }
  CHECK(cheapest.values[1] == doctest::Approx(least).epsilon(1e-12));
}

TEST_CASE(
    "plot cost: where costs differ thirtyfold the axis is logarithmic, and the least is seen") {
  const Sample sample = made_sample(400, 2, 2, 13);
  const Fit fit = test::trained(sample, "gaussian");
  const auto height = [&](const std::string& cost) {
    const auto plot = plots::plot("cost", input_of(*fit.model, sample), {{"cost", cost}});
    const auto marks = test::marks_of<draw::Symbols>(plot.drawing, "cheapest");
    const auto curves = test::marks_of<draw::Path>(plot.drawing, "curves");
    REQUIRE(marks.size() == 1);
    REQUIRE(curves.size() == 3);
    double top = 1e9;
    double bottom = 0.0;
    bool finite = true;
    for (const draw::Path& path : curves) {
      for (const draw::Point& point : path.lines.front()) {
        finite = finite && std::isfinite(point.y);
        top = std::min(top, point.y);
        bottom = std::max(bottom, point.y);
      }
    }
    CHECK(finite);
    CHECK(bottom <= plot.drawing.height);
    const bool said = std::ranges::any_of(plot.drawing.foot, [](const std::string& line) {
      return line.find("logarithmic") != std::string::npos;
    });
    return std::pair{said, (bottom - marks[0].places[0].y) / (bottom - top)};
  };
  CHECK_FALSE(height("c0:c1=1,c1:c0=1").first);
  const auto [said, share] = height("c0:c1=1000,c1:c0=1");
  CHECK(said);
  CHECK(share > 0.05);  // of the height of the curves
}
