#include "models/naive_bayes/columns/drawing.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace logodds;
using namespace logodds::models::naive_bayes::columns;

namespace {

constexpr int kDraws = 40000;

/// Mean and variance of many draws, within 5 standard errors; `fourth`: E (x - mean)^4.
void check_moments(const std::function<double(random::RowDraws&)>& draw, double mean,
                   double variance, double fourth) {
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    random::RowDraws draws(17, static_cast<std::uint64_t>(i));
    const double x = draw(draws);
    sum += x - mean;
    squares += (x - mean) * (x - mean);
  }
  CHECK(std::fabs(sum / kDraws) < 5.0 * std::sqrt(variance / kDraws));
  CHECK(std::fabs(squares / kDraws - variance) <
        5.0 * std::sqrt((fourth - variance * variance) / kDraws));
}

}  // namespace

TEST_CASE("portable_exp agrees with exp") {
  for (double x = -700.0; x < 700.0; x += 0.7321) {
    CHECK(portable_exp(x) == doctest::Approx(std::exp(x)).epsilon(1e-15));
  }
  CHECK(portable_exp(0.0) == 1.0);
  CHECK(portable_exp(-1e9) == 0.0);
}

TEST_CASE("gamma draws have the moments of their shape") {
  for (const double shape : {0.05, 0.6, 1.0, 3.7, 250.0, 1e7}) {
    CAPTURE(shape);
    check_moments([&](random::RowDraws& draws) { return draw_gamma(shape, draws); }, shape, shape,
                  3.0 * shape * shape + 6.0 * shape);
  }
  random::RowDraws draws(1, 1);
  CHECK(draw_gamma(1e-6, draws) > 0.0);
}

TEST_CASE("Poisson draws have the moments of their mean") {
  for (const double mean : {0.0, 0.3, 7.0, 15.9, 16.1, 120.0, 1e5, 1e12}) {
    CAPTURE(mean);
    check_moments([&](random::RowDraws& draws) { return draw_poisson(mean, draws); }, mean,
                  mean == 0.0 ? 1e-300 : mean, mean == 0.0 ? 1e-299 : mean + 3.0 * mean * mean);
  }
}

TEST_CASE("Poisson draws of a mean beyond the simple method have its probabilities") {
  constexpr double kMean = 20.0;
  std::vector<double> counts(100, 0.0);
  for (int i = 0; i < kDraws; ++i) {
    random::RowDraws draws(23, static_cast<std::uint64_t>(i));
    counts[static_cast<std::size_t>(draw_poisson(kMean, draws))] += 1.0;
  }
  double probability = std::exp(-kMean);
  for (std::size_t x = 0; x < 60; ++x) {
    const double expected = probability * kDraws;
    CHECK(std::fabs(counts[x] - expected) < 5.0 * std::sqrt(expected) + 3.0);
    probability *= kMean / static_cast<double>(x + 1);
  }
}

TEST_CASE("a choice follows its weights and never takes what weighs nothing") {
  const random::Shares choice(std::vector<double>{0.0, 1.0, 0.0, 3.0, 0.0});
  std::vector<double> counts(5, 0.0);
  for (int i = 0; i < kDraws; ++i) {
    random::RowDraws draws(29, static_cast<std::uint64_t>(i));
    counts[choice.draw(draws)] += 1.0;
  }
  CHECK(counts[0] + counts[2] + counts[4] == 0.0);
  CHECK(std::fabs(counts[1] - 0.25 * kDraws) < 5.0 * std::sqrt(0.25 * 0.75 * kDraws));
}
