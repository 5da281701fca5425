#include <algorithm>
#include <cstdint>

#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Posteriors and log sum of one row in long double.
struct Exact {
  explicit Exact(const double* scores, std::size_t k) {
    top = *std::max_element(scores, scores + k);
    const auto shift = static_cast<long double>(top);
    long double sum = 0.0L;
    for (std::size_t c = 0; c < k; ++c) {
      posteriors.push_back(std::exp(static_cast<long double>(scores[c]) - shift));
      sum += posteriors.back();
    }
    for (long double& value : posteriors) { value /= sum; }
    log_of_sum = std::log(sum);
  }
  std::vector<long double> posteriors;
  double top;
  long double log_of_sum;
};

/// Roundings: |a - top| / 2 units from the shift, 1 from exp, k from the sum, 2 from the division.
void check_row(const double* scores, const double* posteriors, double log_sum, std::size_t k) {
  const Exact exact(scores, k);
  const auto terms = static_cast<double>(k);
  for (std::size_t c = 0; c < k; ++c) {
    const double expected = static_cast<double>(exact.posteriors[c]);
    const double units = 4.0 + terms + std::fabs(scores[c] - exact.top);
    CHECK(std::fabs(posteriors[c] - expected) <=
          units * kEpsilon * expected + std::numeric_limits<double>::denorm_min());
  }
  const double log_part = static_cast<double>(exact.log_of_sum);
  const double expected =
      static_cast<double>(static_cast<long double>(exact.top) + exact.log_of_sum);
  CHECK(std::fabs(log_sum - expected) <=
        kEpsilon * (std::fabs(expected) + 4.0 * log_part + terms + 2.0));
}

void check_softmax(const std::vector<double>& scores, std::size_t n, std::size_t k) {
  for_each_level([&] {
    std::vector<double> posteriors = scores, log_sums(n);
    softmax_rows(posteriors.data(), n, k, log_sums.data());
    for (std::size_t r = 0; r < n; ++r) {
      check_row(&scores[r * k], &posteriors[r * k], log_sums[r], k);
    }
    std::vector<double> again = scores;
    softmax_rows(again.data(), n, k, nullptr);
    CHECK(again == posteriors);
  });
}

/// The posteriors of one row at the level in use.
std::vector<double> softmax(std::vector<double> scores, double* log_sum) {
  softmax_rows(scores.data(), 1, scores.size(), log_sum);
  return scores;
}

}  // namespace

TEST_CASE("softmax_rows agrees with long double arithmetic to a few units") {
  for (const std::size_t k : {1UL, 2UL, 3UL, 7UL, 8UL, 9UL, 10UL, 17UL, 33UL, 64UL, 65UL, 101UL}) {
    for (const std::size_t n : {0UL, 1UL, 5UL, 64UL, 67UL, 130UL}) {
      for (const double scale : {0.01, 3.0, 200.0}) {
        CAPTURE(n);
        CAPTURE(k);
        CAPTURE(scale);
        check_softmax(normal_values(n * k, -50.0, scale), n, k);
      }
    }
  }
}

TEST_CASE("softmax_rows: equal scores are uniform whatever their size") {
  for_each_level([] {
    for (const double score : {0.0, -1e300, 1e300, 700.0, -800.0, -kInfinity}) {
      for (const std::size_t k : {1UL, 2UL, 3UL, 8UL, 11UL, 64UL, 128UL}) {
        double log_sum = 0.0;
        const auto uniform = softmax(std::vector<double>(k, score), &log_sum);
        for (const double p : uniform) { CHECK(p == 1.0 / static_cast<double>(k)); }
        const double expected = score + std::log(static_cast<double>(k));
        CHECK((log_sum == expected || log_sum == doctest::Approx(expected).epsilon(1e-15)));
      }
    }
  });
}

TEST_CASE("softmax_rows: a class at -infinity has posterior 0, the others share the rest") {
  for_each_level([] {
    double log_sum = 0.0;
    CHECK(softmax({-kInfinity, 3.0, -kInfinity, 3.0}, &log_sum) ==
          std::vector<double>{0.0, 0.5, 0.0, 0.5});
    CHECK(log_sum == doctest::Approx(3.0 + std::log(2.0)).epsilon(1e-15));
    CHECK(softmax({-1e308, 1e308}, &log_sum) == std::vector<double>{0.0, 1.0});
    CHECK(log_sum == 1e308);
  });
}

TEST_CASE("softmax_rows: very small posteriors fade through the subnormal numbers to 0") {
  for_each_level([] {
    const auto p = softmax({0.0, -740.0, -745.0, -760.0}, nullptr);
    CHECK(p[0] == 1.0);
    CHECK(std::fabs(p[1] - std::exp(-740.0)) <= 2 * std::numeric_limits<double>::denorm_min());
    CHECK(p[2] <= 2 * std::numeric_limits<double>::denorm_min());
    CHECK(p[3] == 0.0);
  });
}

TEST_CASE("softmax_rows: a row that is not a number stays in its row") {
  for_each_level([] {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> scores{0.0, 0.0, nan, 1.0, 0.0, 0.0}, log_sums(3);
    softmax_rows(scores.data(), 3, 2, log_sums.data());
    CHECK(std::isnan(log_sums[1]));
    CHECK(log_sums[2] == log_sums[0]);
    CHECK(scores[0] == 0.5);
    CHECK(std::isnan(scores[2]));
    CHECK(std::isnan(scores[3]));
    CHECK(scores[5] == 0.5);
  });
}

TEST_CASE("argmax_rows finds the largest score, and the first of several") {
  for (const std::size_t k : {1UL, 2UL, 3UL, 8UL, 10UL, 33UL, 70UL}) {
    for (const std::size_t n : {0UL, 1UL, 5UL, 31UL, 32UL, 67UL}) {
      std::vector<double> scores = normal_values(n * k);
      for (double& score : scores) { score = std::floor(2.0 * score); }  // many ties
      if (n * k > 3) { scores[3] = -kInfinity; }
      std::vector<std::int32_t> expected(n);
      for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t c = 1; c < k; ++c) {
          if (scores[r * k + c] > scores[r * k + static_cast<std::size_t>(expected[r])]) {
            expected[r] = static_cast<std::int32_t>(c);
          }
        }
      }
      for_each_level([&] {
        std::vector<std::int32_t> actual(n, -1);
        argmax_rows(scores.data(), n, k, actual.data());
        CHECK(actual == expected);
      });
    }
  }
}
