#include "logodds/posterior/calibration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/posterior/shares.hpp"
#include "random/row_draws.hpp"

using namespace logodds::posterior;

namespace {

/// Scores whose true posteriors are softmax(true_inverse * score).
ValidationRows drawn(std::size_t classes, std::size_t rows, double true_inverse) {
  ValidationRows result{.classes = classes};
  for (std::size_t n = 0; n < rows; ++n) {
    logodds::random::RowDraws draws(5, n);
    std::vector<double> scores(classes);
    std::vector<double> truth(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      scores[k] = 2.0 * draws.normal();
      truth[k] = true_inverse * scores[k];
    }
    to_log_posteriors(scores, classes);
    to_log_posteriors(truth, classes);
    double left = draws.uniform();
    std::size_t label = 0;
    while (label + 1 < classes && (left -= std::exp(truth[label])) > 0.0) { ++label; }
    result.labels.push_back(static_cast<std::int32_t>(label));
    result.weights.push_back(1.0 + static_cast<double>(n % 3));
    result.log_posteriors.insert(result.log_posteriors.end(), scores.begin(), scores.end());
  }
  return result;
}

double log_loss(const ValidationRows& rows, const std::vector<double>& log_posteriors) {
  double sum = 0.0;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    sum -= rows.weights[n] *
           log_posteriors[n * rows.classes + static_cast<std::size_t>(rows.labels[n])];
  }
  return sum;
}

std::vector<double> applied(const Calibration& calibration, const ValidationRows& rows) {
  std::vector<double> values = rows.log_posteriors;
  calibration.apply(values, rows.classes);
  return values;
}

double fact(const Calibration& calibration) {
  return std::get<double>(calibration.describe({}).facts.front().second);
}

}  // namespace

TEST_CASE("log odds that are far too large get a temperature that is as large") {
  ValidationRows rows = drawn(2, 4000, 1.0);
  for (double& value : rows.log_posteriors) { value *= 1e6; }
  std::vector<std::string> notes;
  const auto calibration = fit_calibration("temperature", rows, notes);
  CHECK(fact(*calibration) == doctest::Approx(1e6).epsilon(0.1));
  CHECK(notes.empty());
}

TEST_CASE("the temperature is the one that the labels were drawn with, and the best") {
  std::vector<std::string> notes;
  for (const std::size_t classes : {2U, 5U}) {
    const ValidationRows rows = drawn(classes, 20000, 0.4);
    const auto calibration = fit_calibration("temperature", rows, notes);
    const double t = fact(*calibration);
    CHECK(t == doctest::Approx(2.5).epsilon(0.05));
    const double best = log_loss(rows, applied(*calibration, rows));
    for (const double other : {0.99 * t, 1.01 * t}) {
      std::vector<double> values = rows.log_posteriors;
      for (double& value : values) { value /= other; }
      to_log_posteriors(values, classes);
      CHECK(log_loss(rows, values) > best);
    }
  }
  CHECK(notes.empty());
}

TEST_CASE("calibrated posteriors sum to 1, and ruled out classes stay so or become possible") {
  std::vector<std::string> notes;
  for (const std::size_t classes : {2U, 4U}) {
    const ValidationRows rows = drawn(classes, 500, 0.5);
    for (const std::string& method : calibration_methods()) {
      const auto calibration = fit_calibration(method, rows, notes);
      std::vector<double> values = applied(*calibration, rows);
      std::vector<double> certain(classes, -std::numeric_limits<double>::infinity());
      certain[0] = 0.0;
      calibration->apply(certain, classes);
      values.insert(values.end(), certain.begin(), certain.end());
      for (std::size_t n = 0; n < values.size() / classes; ++n) {
        double sum = 0.0;
        for (std::size_t k = 0; k < classes; ++k) { sum += std::exp(values[n * classes + k]); }
        CHECK(sum == doctest::Approx(1.0).epsilon(1e-12));
      }
      CHECK(log_loss(rows, applied(*calibration, rows)) <= log_loss(rows, rows.log_posteriors));
    }
  }
}

TEST_CASE("a calibration is the same after a journey through a file") {
  std::vector<std::string> notes;
  const ValidationRows rows = drawn(3, 300, 0.5);
  for (const std::string& method : calibration_methods()) {
    const auto calibration = fit_calibration(method, rows, notes);
    logodds::modelfile::Writer writer;
    calibration->save(writer);
    const std::string bytes = writer.bytes();
    const logodds::modelfile::Reader reader(bytes, "test");
    const auto again = load_calibration(reader, 3);
    REQUIRE(again != nullptr);
    CHECK(again->method() == method);
    CHECK(applied(*again, rows) == applied(*calibration, rows));
    if (method != "temperature") {
      CHECK_THROWS_AS((void)load_calibration(reader, 4), logodds::Error);
    }
  }
}

TEST_CASE("rows that tell nothing are refused") {
  std::vector<std::string> notes;
  ValidationRows rows = drawn(2, 10, 1.0);
  std::ranges::fill(rows.labels, 1);
  CHECK_THROWS_AS((void)fit_calibration("platt", rows, notes), logodds::Error);
  CHECK_THROWS_AS((void)fit_calibration("plat", drawn(2, 10, 1.0), notes), logodds::Error);
}

TEST_CASE("shares of classes among rows without labels") {
  // Two classes with densities N(-1, 1) and N(1, 1); posteriors under equal priors.
  constexpr std::size_t kRows = 40000;
  constexpr double kShare = 0.15;
  std::vector<double> posteriors;
  for (std::size_t n = 0; n < kRows; ++n) {
    logodds::random::RowDraws draws(2, n);
    const double x = draws.normal() + (draws.uniform() < kShare ? 1.0 : -1.0);
    const double p = 1.0 / (1.0 + std::exp(-2.0 * x));
    posteriors.push_back(1.0 - p);
    posteriors.push_back(p);
  }
  const std::vector<double> priors{0.5, 0.5};
  const ShareEstimate found = estimate_shares(posteriors, priors);
  CHECK(found.converged);
  CHECK(found.shares[1] == doctest::Approx(kShare).epsilon(0.05));
  CHECK(found.shares[0] + found.shares[1] == doctest::Approx(1.0).epsilon(1e-12));
  // A fixed point of EM.
  double next = 0.0;
  for (std::size_t n = 0; n < kRows; ++n) {
    const double a = posteriors[2 * n] * found.shares[0];
    const double b = posteriors[2 * n + 1] * found.shares[1];
    next += b / (a + b) / kRows;
  }
  CHECK(next == doctest::Approx(found.shares[1]).epsilon(1e-10));
}

TEST_CASE("platt: log odds of posteriors that are rounded to 1, and a start that is flat") {
  for (const double factor : {1.0, 20.0, 100.0}) {
    CAPTURE(factor);
    ValidationRows rows = drawn(2, 3000, 1.0);
    for (std::size_t n = 0; n < rows.rows(); ++n) {
      double* const row = rows.log_posteriors.data() + 2 * n;
      const double odds = factor * (row[1] - row[0]);
      row[0] = odds;  // scores, up to what both have in common
      row[1] = 0.0;
      std::swap(row[0], row[1]);
      to_log_posteriors(std::span(row, 2), 2);
    }
    std::vector<std::string> notes;
    const auto calibration = fit_calibration("platt", rows, notes);
    const auto table = calibration->describe({"a", "b"}).tables.front();
    CHECK(std::get<double>(table.rows.front()[1]) == doctest::Approx(1.0 / factor).epsilon(0.1));
  }
}
