#include <doctest/doctest.h>

#include <bit>

#include "models/gaussian/test_densities.hpp"
#include "models/gaussian/uses.hpp"

using namespace logodds;
using namespace logodds::models::gaussian;
using namespace logodds::models::gaussian::testing;

namespace {

struct Drawn {
  std::vector<std::int32_t> labels;
  std::vector<double> values;
  friend bool operator==(const Drawn&, const Drawn&) = default;
};

Drawn drawn(const Densities& model, std::uint64_t seed, std::size_t first, std::size_t rows) {
  Drawn result{std::vector<std::int32_t>(rows), std::vector<double>(rows * model.size)};
  draw(model, seed, first, result.labels, result.values);
  return result;
}

void append(Drawn& whole, const Drawn& part) {
  whole.labels.insert(whole.labels.end(), part.labels.begin(), part.labels.end());
  whole.values.insert(whole.values.end(), part.values.begin(), part.values.end());
}

/// FNV-1a of the bytes, least significant first.
std::uint64_t checksum(const Drawn& rows) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&hash](std::uint64_t word, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      hash = (hash ^ ((word >> (8 * i)) & 0xffU)) * 0x100000001b3U;
    }
  };
  for (const std::int32_t label : rows.labels) { add(static_cast<std::uint32_t>(label), 4); }
  for (const double value : rows.values) { add(std::bit_cast<std::uint64_t>(value), 8); }
  return hash;
}

/// The textbook's two Gaussians.
Densities textbook() {
  return densities({0.7, 0.3}, {{2.0, 1.0}, {1.0, 2.0}},
                   {cholesky({{1.0, 0.25}, {0.25, 0.5}}), diagonal({0.5, 2.0})});
}

}  // namespace

TEST_CASE("The sequence of a seed is the same however it is cut") {
  const Densities model = textbook();
  const Drawn whole = drawn(model, 3, 0, 1000);
  for (const std::size_t step : {1UL, 7UL, 512UL}) {
    Drawn parts;
    for (std::size_t first = 0; first < 1000; first += step) {
      append(parts, drawn(model, 3, first, std::min(step, 1000 - first)));
    }
    CHECK(parts == whole);
  }
  CHECK_FALSE(drawn(model, 4, 0, 1000) == whole);
}

TEST_CASE("The drawn bytes are these, on every machine") {
  CHECK(checksum(drawn(textbook(), 1, 0, 5000)) == 2743945278871398239U);
  CHECK(checksum(drawn(textbook(), 0xfedcba9876543210U, std::size_t{1} << 40U, 5000)) ==
        6389556471172284989U);
}

TEST_CASE("Classes come by their priors, values by their densities") {
  const Densities model = textbook();
  constexpr std::size_t kRows = 200000;
  const Drawn rows = drawn(model, 11, 0, kRows);
  for (std::size_t k = 0; k < 2; ++k) {
    double count = 0.0;
    double mean[2] = {};
    double product[2][2] = {};
    for (std::size_t r = 0; r < kRows; ++r) {
      if (rows.labels[r] != static_cast<std::int32_t>(k)) { continue; }
      count += 1.0;
      for (std::size_t i = 0; i < 2; ++i) {
        const double deviation = rows.values[r * 2 + i] - model.mean(k)[i];
        mean[i] += deviation;
        for (std::size_t j = 0; j < 2; ++j) {
          product[i][j] += deviation * (rows.values[r * 2 + j] - model.mean(k)[j]);
        }
      }
    }
    const double prior = std::exp(model.log_priors[k]);
    CHECK(std::fabs(count / kRows - prior) < 4.0 * std::sqrt(prior * (1.0 - prior) / kRows));
    for (std::size_t i = 0; i < 2; ++i) {
      const double variance = covariance(model.factor(k), i, i);
      CHECK(std::fabs(mean[i] / count) < 4.0 * std::sqrt(variance / count));
      for (std::size_t j = 0; j < 2; ++j) {
        const double expected = covariance(model.factor(k), i, j);
        const double other = covariance(model.factor(k), j, j);
        const double error = std::sqrt((variance * other + expected * expected) / count);
        CHECK(std::fabs(product[i][j] / count - expected) < 4.0 * error);
      }
    }
  }
}

TEST_CASE("A last bit in a log prior does not change what is drawn") {
  Densities model = densities({0.25, 0.25, 0.5}, {{0.0}, {1.0}, {2.0}}, {diagonal({1.0})});
  const Drawn rows = drawn(model, 8, 0, 20000);
  model.log_priors[0] = std::nextafter(model.log_priors[0], 0.0);
  model.log_priors[2] = std::nextafter(model.log_priors[2], -1.0);
  CHECK(drawn(model, 8, 0, 20000) == rows);
}
