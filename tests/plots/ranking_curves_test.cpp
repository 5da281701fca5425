#include <doctest/doctest.h>

#include <cmath>

#include "logodds/error.hpp"
#include "logodds/measure/ranking.hpp"
#include "logodds/measure/report.hpp"
#include "plots/arrays.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using test::area_below;
using test::input_of;
using test::made_sample;
using test::Sample;

namespace {

/// Posteriors of one class, and whose truth it is.
struct ClassRows {
  std::vector<double> values;
  std::vector<std::uint8_t> positive;
  std::vector<double> weights;
};

ClassRows class_rows(const Classifier& model, const Sample& sample, std::size_t k) {
  const std::vector<double> p = test::posteriors_of(model, sample);
  ClassRows rows{{}, {}, sample.weights};
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    rows.values.push_back(p[r * model.labels().size() + k]);
    rows.positive.push_back(sample.label(r) == k ? 1 : 0);
  }
  return rows;
}

/// How many rows of the class, and of others, reach a threshold.
struct Decided {
  int hits = 0;
  int alarms = 0;
};
std::vector<Decided> steps_of(const ClassRows& rows) {
  std::vector<Decided> steps{{}};
  for (const double threshold : rows.values) {
    Decided& step = steps.emplace_back();
    for (std::size_t r = 0; r < rows.values.size(); ++r) {
      if (rows.values[r] >= threshold) { ++(rows.positive[r] != 0 ? step.hits : step.alarms); }
    }
  }
  return steps;
}

/// P(at least h of n), each with probability p between 0 and 1.
double at_least(int n, int h, double p) {
  double sum = 0.0;
  for (int j = h; j <= n; ++j) {
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(j + 1.0) - std::lgamma(n - j + 1.0) +
                    j * std::log(p) + (n - j) * std::log1p(-p));
  }
  return sum;
}

/// Clopper and Pearson's interval of h of n: at its ends a tail has 2.5 %.
bool is_exact(int n, int h, double lower, double upper) {
  const auto is_tail = [](double tail) { return std::abs(tail - 0.025) < 1e-7; };
  return (h == 0 ? lower == 0.0 : lower > 0.0 && is_tail(at_least(n, h, lower))) &&
         (h == n ? upper == 1.0 : upper < 1.0 && is_tail(1.0 - at_least(n, h + 1, upper)));
}

}  // namespace

TEST_CASE("plot roc and pr: the areas below the curves are AUC and average precision") {
  for (const bool with_weights : {false, true}) {
    const Sample plain = made_sample(300, 2, 3, 7);
    const Sample sample = with_weights ? test::weighted(plain, 8) : plain;
    const Fit fit = test::trained(sample, "gaussian");
    const auto roc = plots::plot("roc", input_of(*fit.model, sample));
    const auto pr = plots::plot("pr", input_of(*fit.model, sample));
    for (std::size_t k = 0; k < 3; ++k) {
      const ClassRows rows = class_rows(*fit.model, sample, k);
      const measure::Scores scores{rows.values, rows.positive, rows.weights};
      const std::string curve = "curve " + fit.model->labels()[k];
      CHECK(area_below(test::array_of(roc, curve)) ==
            doctest::Approx(measure::roc_auc(scores).value).epsilon(2e-4));
      CHECK(area_below(test::array_of(pr, curve)) ==
            doctest::Approx(measure::average_precision(scores).value).epsilon(2e-4));
      const auto interval = measure::roc_auc(scores, 0.95);
      const NamedArray& areas = test::array_of(roc, "AUC");
      CHECK(areas.values[3 * k] == doctest::Approx(interval.value));
      CHECK(areas.values[3 * k + 1] == doctest::Approx(interval.lower));
      CHECK(areas.values[3 * k + 2] == doctest::Approx(interval.upper));
    }
  }
}

TEST_CASE("plot roc and pr: the dot is where decisions stand") {
  const Sample sample = made_sample(400, 2, 2, 3);
  const Fit fit = test::trained(sample, "gaussian");
  const std::vector<double> p = test::posteriors_of(*fit.model, sample);
  for (const double threshold : {0.5, 0.8}) {
    double hits = 0.0;
    double alarms = 0.0;
    double positives = 0.0;
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const bool decided = p[2 * r + 1] >= threshold;
      positives += sample.label(r) == 1 ? 1.0 : 0.0;
      (sample.label(r) == 1 ? hits : alarms) += decided ? 1.0 : 0.0;
    }
    const std::map<std::string, std::string> options{
        {"thresholds", "c1=" + format_number(threshold)}};
    const auto roc = plots::plot("roc", input_of(*fit.model, sample), options);
    const NamedArray& at = test::array_of(roc, "decisions c1");
    CHECK(at.values[0] == doctest::Approx(alarms / (400.0 - positives)));
    CHECK(at.values[1] == doctest::Approx(hits / positives));
    const auto pr = plots::plot("pr", input_of(*fit.model, sample), options);
    CHECK(test::array_of(pr, "decisions c1").values[0] == doctest::Approx(hits / positives));
    CHECK(test::array_of(pr, "decisions c1").values[1] == doctest::Approx(hits / (hits + alarms)));
  }
}

TEST_CASE("plot roc: one curve has a band of exact intervals") {
  const Sample sample = made_sample(200, 2, 2, 5);
  const Fit fit = test::trained(sample, "gaussian");
  const auto plot = plots::plot("roc", input_of(*fit.model, sample));
  const NamedArray& band = test::array_of(plot, "band c1");
  REQUIRE(band.shape[0] > 10);
  const ClassRows rows = class_rows(*fit.model, sample, 1);
  const std::vector<Decided> steps = steps_of(rows);
  const auto positives = static_cast<int>(std::ranges::count(rows.positive, 1));
  const double negatives = 200.0 - positives;
  for (std::size_t i = 0; i < band.shape[0]; ++i) {
    const double* const at = band.values.data() + 3 * i;
    CHECK(std::ranges::any_of(steps, [&](const Decided& step) {
      return std::abs(at[0] - step.alarms / negatives) < 1e-12 &&
             is_exact(positives, step.hits, at[1], at[2]);
    }));
    if (i > 0) { CHECK(at[0] >= at[-3]); }
  }
}

TEST_CASE("plot roc: of many classes the worst are named, and many rows make a small picture") {
  const Sample sample = made_sample(3000, 2, 12, 9);
  const Fit fit = test::trained(sample, "gaussian");
  const auto plot = plots::plot("roc", input_of(*fit.model, sample));
  REQUIRE(plot.notes.size() == 1);
  CHECK(plot.notes[0] == "of 12 classes the 8 with the least AUC are named");
  std::size_t points = 0;
  for (const NamedArray& array : plot.arrays) { points += array.shape[0]; }
  CHECK(points < 12 * 600);
}

TEST_CASE("plot roc: rows of one class, and a class that there is not") {
  const Sample sample = made_sample(60, 2, 2, 5);
  const Fit fit = test::trained(sample, "gaussian");
  Sample same = sample;
  for (auto& label : same.labels) { label = 1; }
  CHECK_THROWS_WITH_AS(static_cast<void>(plots::plot("roc", input_of(*fit.model, same))),
                       doctest::Contains("all of one kind"), Error);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(plots::plot("pr", input_of(*fit.model, sample), {{"class", "c9"}})),
      doctest::Contains("no class 'c9'"), Error);
}
