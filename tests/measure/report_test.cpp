#include "logodds/measure/report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "logodds/error.hpp"
#include "measure/drawn_rows.hpp"

using namespace logodds;
using namespace logodds::measure;

namespace {

constexpr MeasureOptions kKeep{.bins = 10, .keep_rows = true};

/// Every estimate of a report by name: "auc", "class 2: recall".
std::map<std::string, Estimate> all_of(const Report& found) {
  std::map<std::string, Estimate> all;
  for (const auto& named : overall_measures()) {
    all[std::string(named.key)] = found.*named.estimate;
  }
  for (std::size_t k = 0; k < found.classes.size(); ++k) {
    for (const auto& named : class_measures()) {
      all["class " + std::to_string(k) + ": " + std::string(named.key)] =
          found.classes[k].*named.estimate;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("measures of a two by two table, worked by hand") {
  Measures measures(2, kKeep);
  const std::vector<double> first{0.8, 0.2};
  const std::vector<double> second{0.3, 0.7};
  for (int i = 0; i < 40; ++i) { measures.add(0, first); }   // right
  for (int i = 0; i < 10; ++i) { measures.add(0, second); }  // missed
  for (int i = 0; i < 5; ++i) { measures.add(1, first); }    // false alarm
  for (int i = 0; i < 45; ++i) { measures.add(1, second); }  // right
  const Report found = report(measures);
  CHECK(found.accuracy.value == doctest::Approx(0.85));
  CHECK(found.balanced_accuracy.value == doctest::Approx(0.85));
  CHECK(found.classes[0].recall.value == doctest::Approx(0.8));
  CHECK(found.classes[0].precision.value == doctest::Approx(40.0 / 45.0));
  CHECK(found.classes[0].f1.value == doctest::Approx(80.0 / 95.0));
  CHECK(found.kappa.value == doctest::Approx(0.7));
  CHECK(found.matthews.value ==
        doctest::Approx((40.0 * 45.0 - 10.0 * 5.0) / std::sqrt(45.0 * 50.0 * 50.0 * 55.0)));
  CHECK(found.auc.value == doctest::Approx(0.85));
  // Fleiss, Cohen & Everitt (Psychological Bulletin 72, 1969): 0.126225 / 25, and n / (n - 1).
  const double margin = std::atanh(found.kappa.upper) - std::atanh(found.kappa.value);
  const double error = margin * (1.0 - 0.49) / 1.9842169515;  // Student's quantile, 99 degrees
  CHECK(error == doctest::Approx(std::sqrt(0.126225 / 25.0 * 100.0 / 99.0)).epsilon(1e-8));
  CHECK(found.accuracy.method == IntervalMethod::exact);
  CHECK(found.auc.method == IntervalMethod::delong);
  CHECK(found.log_loss.method == IntervalMethod::jackknife);
}

TEST_CASE("the parts of the Brier score sum to it, and are Murphy's where bins are single values") {
  Measures measures(2, kKeep);
  const std::vector<double> low{0.25, 0.75};
  const std::vector<double> high{0.65, 0.35};
  for (int i = 0; i < 12; ++i) { measures.add(i < 2 ? 0 : 1, low); }
  for (int i = 0; i < 8; ++i) { measures.add(i < 6 ? 0 : 1, high); }
  const Report found = report(measures);
  const double share = 8.0 / 20.0;
  CHECK(found.uncertainty.value == doctest::Approx(2.0 * share * (1.0 - share)));
  CHECK(found.reliability.value ==
        doctest::Approx(
            2.0 * (12.0 * std::pow(0.25 - 2.0 / 12.0, 2) + 8.0 * std::pow(0.65 - 0.75, 2)) / 20.0));
  CHECK(found.within_bins.value == doctest::Approx(0.0).scale(1.0));
  CHECK(found.calibration_error.value ==
        doctest::Approx((12.0 * std::abs(0.75 - 10.0 / 12.0) + 8.0 * 0.1) / 20.0));

  Measures drawn(3, kKeep);
  test::add_drawn_rows(drawn, 500, 4, true);
  const Report other = report(drawn);
  CHECK(other.brier.value == doctest::Approx(other.reliability.value - other.resolution.value +
                                             other.uncertainty.value + other.within_bins.value)
                                 .epsilon(1e-13));
}

TEST_CASE("a curve's bins take their upper edge") {
  CHECK(Calibration::bin_of(0.0, 10) == 0);
  CHECK(Calibration::bin_of(0.1, 10) == 0);
  CHECK(Calibration::bin_of(std::nextafter(0.1, 1.0), 10) == 1);
  CHECK(Calibration::bin_of(0.3, 10) == 2);
  CHECK(Calibration::bin_of(1.0, 10) == 9);
  CHECK(Calibration::bin_of(1.0 + 1e-7, 10) == 9);
}

TEST_CASE("merged measures report what all rows together do") {
  Measures whole(3, kKeep);
  test::add_drawn_rows(whole, 700, 11, true);
  Measures merged(3, kKeep);
  const std::size_t classes = 3;
  Measures part(3, kKeep);
  std::size_t count = 0;
  for (const KeptRows::Chunk& chunk : whole.kept_rows()->chunks()) {
    for (std::size_t r = 0; r < chunk.truths.size(); ++r) {
      part.add(static_cast<std::size_t>(chunk.truths[r]),
               {chunk.posteriors.data() + r * classes, classes}, chunk.weights[r]);
      if (++count % 97 == 0) {
        merged.merge(part);
        part = Measures(3, kKeep);
      }
    }
  }
  merged.merge(part);
  CHECK(merged.rows() == 700);
  const auto expected = all_of(report(whole));
  for (const auto& [name, estimate] : all_of(report(merged))) {
    CAPTURE(name);
    CHECK(estimate.value == doctest::Approx(expected.at(name).value).epsilon(1e-12));
    CHECK(estimate.lower == doctest::Approx(expected.at(name).lower).epsilon(1e-9));
    CHECK(estimate.upper == doctest::Approx(expected.at(name).upper).epsilon(1e-9));
  }
}

TEST_CASE("rows of weight 2 measure as rows twice, but are not more rows") {
  Measures doubled(2, kKeep);
  Measures twice(2, kKeep);
  for (int i = 0; i < 30; ++i) {
    const double p = (i * 7 % 30 + 0.5) / 30.0;
    const std::vector<double> posteriors{p, 1.0 - p};
    const std::size_t truth = i % 3 == 0 || i % 7 == 0 ? 0 : 1;
    doubled.add(truth, posteriors, 2.0);
    twice.add(truth, posteriors);
    twice.add(truth, posteriors);
  }
  const auto expected = all_of(report(twice));
  for (const auto& [name, estimate] : all_of(report(doubled))) {
    CAPTURE(name);
    CHECK(estimate.value == doctest::Approx(expected.at(name).value).epsilon(1e-12));
    CHECK(estimate.upper - estimate.lower > expected.at(name).upper - expected.at(name).lower);
  }
}

TEST_CASE("rows beyond the limit are not kept; sums go on, and what needs rows is not there") {
  Measures measures(3, {.bins = 10, .keep_rows = true, .most_kept_bytes = 4000});
  test::add_drawn_rows(measures, 200, 1);
  CHECK(measures.too_many_to_keep());
  CHECK(measures.kept_rows() == nullptr);
  const Report found = report(measures);
  CHECK(std::isnan(found.auc.value));
  CHECK(found.calibration_error.value > 0.0);
  CHECK(found.calibration_error.method == IntervalMethod::none);
  CHECK(found.log_loss.method == IntervalMethod::jackknife);
  CHECK_THROWS_AS(static_cast<void>(report(measures, {.bootstrap = 10})), Error);
}

TEST_CASE("a class without rows, and one that is never decided for, have no value") {
  Measures measures(3, kKeep);
  for (int i = 0; i < 20; ++i) {
    const double p = 0.3 + 0.02 * i;
    measures.add(i % 2 == 0 ? 0 : 1, std::vector<double>{p, 0.95 - p, 0.05});
  }
  const Report found = report(measures);
  CHECK(std::isnan(found.classes[2].recall.value));
  CHECK(std::isnan(found.classes[2].precision.value));
  CHECK(std::isnan(found.classes[2].auc.value));
  CHECK(found.balanced_accuracy.value ==
        doctest::Approx(0.5 * (found.classes[0].recall.value + found.classes[1].recall.value)));
  CHECK(found.auc.value > 0.0);
}

TEST_CASE("the bootstrap finds about the intervals of the jackknife, for any threads [threads]") {
  Measures measures(3, kKeep);
  test::add_drawn_rows(measures, 800, 21, true);
  const auto jackknife = all_of(report(measures));
  const ReportOptions drawn{.bootstrap = 400};
  const auto one = all_of(report(measures, drawn, {.threads = 1, .seed = 5}));
  const auto two = all_of(report(measures, drawn, {.threads = 2, .seed = 5}));
  for (const auto& [name, estimate] : one) {
    CAPTURE(name);
    CHECK(estimate.lower == two.at(name).lower);
    CHECK(estimate.upper == two.at(name).upper);
    const Estimate& other = jackknife.at(name);
    if (other.method == IntervalMethod::exact || other.method == IntervalMethod::delong) {
      CHECK(estimate.method == other.method);
      continue;
    }
    CHECK(estimate.method == IntervalMethod::bootstrap);
    const double ratio = (estimate.upper - estimate.lower) / (other.upper - other.lower);
    CHECK(ratio > 0.8);
    CHECK(ratio < 1.25);
  }
}

// The true value is that of very many rows. What is made of bins with a bias (the mean of |x| is
// above |mean x|) is covered where the posteriors are clearly wrong, as they are here.
TEST_CASE("95 % intervals hold the true value in 93 to 97 of 100 samples") {
  constexpr std::size_t kSamples = 1500;
  constexpr std::size_t kRows = 600;
  Measures many(3, kKeep);
  test::add_drawn_rows(many, 300000, 1000000);
  const auto truth = all_of(report(many));
  std::map<std::string, double> covered;
  for (std::size_t sample = 0; sample < kSamples; ++sample) {
    Measures measures(3, kKeep);
    test::add_drawn_rows(measures, kRows, sample, sample % 2 == 1);
    for (const auto& [name, estimate] : all_of(report(measures))) {
      const double value = truth.at(name).value;
      covered[name] += estimate.lower <= value && value <= estimate.upper ? 1.0 : 0.0;
    }
  }
  for (const auto& [name, count] : covered) {
    CAPTURE(name);
    CHECK(count / kSamples >= 0.93);
    CHECK(count / kSamples <= 0.97);
  }
}
