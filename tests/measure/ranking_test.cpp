#include "logodds/measure/ranking.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "logodds/error.hpp"
#include "measure/ranked_rows.hpp"

using namespace logodds::measure;

namespace {

struct Sample {
  std::vector<double> values;
  std::vector<std::uint8_t> positive;
  std::vector<double> weights;
  [[nodiscard]] Scores scores() const { return {values, positive, weights}; }
};

Sample random_sample(std::size_t rows, bool ties, bool weighted, unsigned seed) {
  std::mt19937_64 random(seed);
  Sample sample;
  for (std::size_t r = 0; r < rows; ++r) {
    const bool positive = random() % 3 == 0;
    const double value = static_cast<double>(random() % (ties ? 12 : 1000003)) + (positive ? 3 : 0);
    sample.values.push_back(value);
    sample.positive.push_back(positive ? 1 : 0);
    if (weighted) { sample.weights.push_back(0.25 * static_cast<double>(1 + random() % 8)); }
  }
  return sample;
}

double weight(const Sample& sample, std::size_t r) {
  return sample.weights.empty() ? 1.0 : sample.weights[r];
}

/// Every positive against every negative.
double pairs_won(const Sample& sample) {
  double won = 0.0;
  double pairs = 0.0;
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    for (std::size_t j = 0; j < sample.values.size(); ++j) {
      if (sample.positive[i] == 0 || sample.positive[j] != 0) { continue; }
      const double w = weight(sample, i) * weight(sample, j);
      pairs += w;
      won += sample.values[i] > sample.values[j]    ? w
             : sample.values[i] == sample.values[j] ? 0.5 * w
                                                    : 0.0;
    }
  }
  return won / pairs;
}

/// The derivative of a measure by the weight of every row, by differences.
template <class Measure>
std::vector<double> differences(Sample sample, Measure measure) {
  constexpr double kStep = 1e-5;
  if (sample.weights.empty()) { sample.weights.assign(sample.values.size(), 1.0); }
  std::vector<double> slopes;
  for (double& w : sample.weights) {
    const double before = w;
    w = before + kStep;
    const double above = measure(sample.scores()).value;
    w = before - kStep;
    const double below = measure(sample.scores()).value;
    w = before;
    slopes.push_back((above - below) / (2.0 * kStep));
  }
  return slopes;
}

}  // namespace

TEST_CASE("AUC is the share of pairs in the right order, ties half, weights multiplied") {
  for (const bool ties : {false, true}) {
    for (const bool weighted : {false, true}) {
      const Sample sample = random_sample(120, ties, weighted, 5);
      CHECK(roc_auc(sample.scores()).value == doctest::Approx(pairs_won(sample)).epsilon(1e-13));
    }
  }
}

TEST_CASE("influences on AUC and average precision are derivatives by the weights") {
  const Sample sample = random_sample(60, true, true, 9);
  const RankedRows rows(sample.scores(), 1);
  std::vector<double> influences(60, 0.0);
  double variance = 0.0;
  const Spread precision = average_precision_spread(rows, influences);
  const auto slopes = differences(sample, [](const Scores& s) { return average_precision(s); });
  for (std::size_t r = 0; r < 60; ++r) {
    CHECK(influences[r] == doctest::Approx(slopes[r]).epsilon(1e-8).scale(1.0));
    variance += std::pow(sample.weights[r] * influences[r], 2);
  }
  const double n = rows.positive_rows();
  CHECK(precision.variance == doctest::Approx(variance * n / (n - 1.0)).epsilon(1e-12));

  std::vector<double> of_auc(60, 0.0);
  const Spread auc = auc_spread(rows, of_auc);
  const auto auc_slopes = differences(sample, [](const Scores& s) { return roc_auc(s); });
  double auc_variance = 0.0;
  for (std::size_t r = 0; r < 60; ++r) {
    const double m = sample.positive[r] != 0 ? rows.positive_rows() : rows.negative_rows();
    CHECK(of_auc[r] ==
          doctest::Approx(auc_slopes[r] * std::sqrt(m / (m - 1.0))).epsilon(1e-8).scale(1.0));
    auc_variance += std::pow(sample.weights[r] * of_auc[r], 2);
  }
  CHECK(auc.variance == doctest::Approx(auc_variance).epsilon(1e-12));
}

TEST_CASE("DeLong's variance, worked by hand") {
  // Positives 3, 2 and negatives 1, 2.5, 0: placements of the positives 1 and 2/3, of the negatives
  // 1, 1/2 and 1; AUC 5/6.
  const Sample sample{{3.0, 2.0, 1.0, 2.5, 0.0}, {1, 1, 0, 0, 0}, {}};
  const RankedRows rows(sample.scores(), 1);
  const Spread found = auc_spread(rows);
  CHECK(found.value == doctest::Approx(5.0 / 6.0).epsilon(1e-15));
  const double positives = 2.0 * (1.0 / 36.0) / 1.0;
  const double negatives = (2.0 * (1.0 / 36.0) + 1.0 / 9.0) / 2.0;
  CHECK(found.variance == doctest::Approx(positives / 2.0 + negatives / 3.0).epsilon(1e-14));
}

TEST_CASE("perfect order has an exact bound; one kind of rows has no AUC") {
  const Sample perfect{{0.9, 0.8, 0.7, 0.3, 0.2}, {1, 1, 1, 0, 0}, {}};
  const Estimate found = roc_auc(perfect.scores());
  CHECK(found.value == 1.0);
  CHECK(found.upper == 1.0);
  CHECK(found.lower == doctest::Approx(std::pow(0.025, 0.5)).epsilon(1e-12));  // two pairs
  CHECK(found.method == IntervalMethod::exact);
  const Sample one{{0.9, 0.8}, {1, 1}, {}};
  CHECK(std::isnan(roc_auc(one.scores()).value));
}

TEST_CASE("a score that is no number is refused, with its row") {
  const Sample sample{{0.9, std::nan("")}, {1, 0}, {}};
  CHECK_THROWS_WITH_AS(static_cast<void>(roc_auc(sample.scores())),
                       "the score of row 2 is not a number; leave such rows out", logodds::Error);
}

TEST_CASE("any number of threads gives the same AUC [threads]") {
  const Sample sample = random_sample(300000, true, true, 3);
  const Estimate one = roc_auc(sample.scores(), 0.95, {.threads = 1});
  const Estimate three = roc_auc(sample.scores(), 0.95, {.threads = 3});
  CHECK(one.value == three.value);
  CHECK(one.lower == three.lower);
}

TEST_CASE("the ROC curve goes from none to all") {
  const Sample sample{{3.0, 2.0, 2.0, 1.0}, {1, 1, 0, 0}, {}};
  const RocCurve curve = roc_curve(sample.scores());
  CHECK(curve.thresholds == std::vector<double>{HUGE_VAL, 3.0, 2.0, 1.0});
  CHECK(curve.true_positive_rates == std::vector<double>{0.0, 0.5, 1.0, 1.0});
  CHECK(curve.false_positive_rates == std::vector<double>{0.0, 0.0, 0.5, 1.0});
  CHECK(curve.precisions[2] == doctest::Approx(2.0 / 3.0));
}
