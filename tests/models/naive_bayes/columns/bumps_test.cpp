#include "models/naive_bayes/columns/bumps.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <numbers>
#include <random>

using namespace logodds::models::naive_bayes::columns;

namespace {

std::mt19937_64& generator() {
  static std::mt19937_64 state(11);
  return state;
}

double uniform() { return std::uniform_real_distribution<double>()(generator()); }
double normal() { return std::normal_distribution<double>()(generator()); }

template <class Draw>
std::vector<double> drawn(std::size_t n, const Draw& draw) {
  std::vector<double> values(n);
  for (double& value : values) { value = draw(); }
  return values;
}

/// Weights are quarters, so that their sum is exact.
Sample sample_of(const std::vector<double>& values, bool weighted) {
  std::map<double, double> weights;
  for (const double value : values) {
    weights[value] += weighted ? 0.25 * static_cast<double>(1U << (generator()() % 12)) : 1.0;
  }
  Sample sample;
  for (const auto& [value, weight] : weights) {
    sample.values.push_back(value);
    sample.weights.push_back(weight);
    sample.weight += weight;
  }
  sample.count = sample.weight;
  return sample;
}

/// ln p, and the size of the terms it is a sum of.
struct Expected {
  long double log;
  double size;
};

/// The sum term by term, with mantissas of 64 bits.
Expected plain_log_density(const Sample& sample, double width, double place) {
  const auto h = static_cast<long double>(width);
  const auto x = static_cast<long double>(place);
  long double nearest = std::numeric_limits<long double>::infinity();
  for (const double value : sample.values) {
    nearest = std::min(nearest, std::fabs((x - static_cast<long double>(value)) / h));
  }
  long double sum = 0.0L;
  for (std::size_t v = 0; v < sample.values.size(); ++v) {
    const long double z = (x - static_cast<long double>(sample.values[v])) / h;
    sum += static_cast<long double>(sample.weights[v]) *
           std::exp(-0.5L * (z - nearest) * (z + nearest));
  }
  const long double constant = -std::log(static_cast<long double>(sample.weight)) - std::log(h) -
                               0.5L * std::log(2.0L * std::numbers::pi_v<long double>);
  const long double fall = 0.5L * nearest * nearest;
  return {std::log(sum) - fall + constant, static_cast<double>(fall + std::fabs(constant))};
}

/// Right to 1e-14 of the density, and to roundings of the logarithm's terms.
void check_at(const Bumps& bumps, const Sample& sample, double x) {
  const Expected expected = plain_log_density(sample, bumps.width(), x);
  const double found = bumps.log_density(x);
  CAPTURE(x);
  CAPTURE(found);
  CHECK(std::fabs(static_cast<double>(static_cast<long double>(found) - expected.log)) <=
        1e-14 + 7e-16 * expected.size);
}

/// Among the values, between them, at their ends and far beyond.
std::vector<double> questions(const Sample& sample, double h) {
  const double low = sample.values.front();
  const double high = sample.values.back();
  std::vector<double> x = drawn(40, [&] { return low + (high - low) * uniform(); });
  for (int i = 0; i < 40; ++i) {
    x.push_back(sample.values[generator()() % sample.values.size()] + 3.0 * h * normal());
  }
  for (const double z :
       {0.0, 1.0, 4.0, 4.9, 5.1, 6.0, 8.3, 12.0, 29.0, 31.0, 40.0, 77.0, 1e3, 1e6}) {
    x.insert(x.end(), {low - z * h, high + z * h});
  }
  return x;
}

void check_density(const std::vector<double>& values, double h) {
  for (const bool weighted : {false, true}) {
    CAPTURE(weighted);
    const Sample sample = sample_of(values, weighted);
    const Bumps bumps(sample, h);
    for (const double x : questions(sample, h)) { check_at(bumps, sample, x); }
  }
}

}  // namespace

TEST_CASE("kernel density: the plain sum, for few and many values of any shape") {
  for (const std::size_t n : {1UL, 2UL, 40UL, 300UL, 1000UL, 6000UL}) {
    const double h = 0.9 * std::pow(static_cast<double>(n), -0.2);
    CAPTURE(n);
    check_density(drawn(n, normal), h);
    check_density(drawn(n, uniform), 0.29 * h);
    check_density(drawn(n, [] { return std::exp(normal()); }), h);
    check_density(drawn(n, [] { return std::pow(uniform(), -2.0); }), h);
  }
}

TEST_CASE("kernel density: the plain sum, between clusters and over ties") {
  constexpr double kWidth = 0.05;
  for (const double gap : {0.3, 0.45, 0.6, 1.0, 5.0, 1e4}) {
    CAPTURE(gap);
    check_density(drawn(3000, [&] { return uniform() + (uniform() < 0.5 ? gap + 1.0 : 0.0); }),
                  kWidth);
  }
  check_density(drawn(4000, [] { return std::round(10.0 * normal()); }), 1.0);
  check_density(drawn(4000, [] { return std::round(1000.0 * normal()); }), 100.0);
  check_density(std::vector<double>(500, 3.5), 0.1);
}

TEST_CASE("kernel density: the plain sum, shifted and scaled, of tiny and huge bandwidths") {
  const auto values = drawn(2000, normal);
  const auto moved = [&](double shift, double scale) {
    std::vector<double> result = values;
    for (double& value : result) { value = shift + scale * value; }
    return result;
  };
  constexpr double kWidth = 0.2;
  check_density(moved(1e8, 1.0), kWidth);
  check_density(moved(-1e8, 1e-5), 1e-5 * kWidth);
  check_density(moved(0.0, 1e-12), 1e-12 * kWidth);
  check_density(moved(1.0, 1e-12), 1e-12 * kWidth);
  check_density(moved(0.0, 1e-290), 1e-290 * kWidth);
  check_density(moved(0.0, 1e300), 1e300 * kWidth);
  check_density(values, 1e-9);
  check_density(values, 1e5);
}

TEST_CASE("kernel density: a light value among heavy ones, at a distance") {
  Sample sample = sample_of(drawn(2000, normal), false);
  for (double& weight : sample.weights) { weight = 1e12; }
  sample.values.push_back(sample.values.back() + 1.5);
  sample.weights.push_back(1.0);
  sample.weight = 2000.0 * 1e12 + 1.0;
  const Bumps bumps(sample, 0.2);
  for (int i = -20; i <= 45; ++i) { check_at(bumps, sample, sample.values.back() + 0.1 * i); }
}

TEST_CASE("kernel density: finite and falling however far") {
  const Bumps bumps(sample_of(drawn(3000, normal), false), 0.1);
  double last = bumps.log_density(10.0);
  for (const double x : {20.0, 1e3, 1e9, 1e100, 1e140}) {
    CHECK(bumps.log_density(x) < last);
    last = bumps.log_density(x);
  }
  CHECK(std::isfinite(bumps.log_density(1e308)));
  CHECK(std::isfinite(bumps.log_density(-1e308)));
}

TEST_CASE("kernel density: an integral of 1, and a trace between 1 and n") {
  const Bumps bumps(sample_of(drawn(5000, normal), true), 0.1);
  double mass = 0.0;
  for (int i = -8000; i < 8000; ++i) { mass += 0.001 * std::exp(bumps.log_density(0.001 * i)); }
  CHECK(std::fabs(mass - 1.0) < 1e-12);
  CHECK(bumps.effective_parameters() > 20.0);
  CHECK(bumps.effective_parameters() < 200.0);
}
