#include "kernels/row_losses.hpp"

#include <limits>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Losses {
  explicit Losses(std::size_t n) : own(n), log_loss(n), brier(n), wrong(n) {}
  [[nodiscard]] RowLosses view() {
    return {own.data(), log_loss.data(), brier.data(), wrong.data()};
  }
  std::vector<double> own, log_loss, brier, wrong;
};

Losses losses_of(const std::vector<double>& scores, std::size_t k,
                 const std::vector<std::int32_t>& truths) {
  Losses found(truths.size());
  CHECK(row_losses(scores.data(), truths.size(), k, truths.data(), found.view()));
  return found;
}

void check_close(const std::vector<double>& found, const std::vector<double>& expected) {
  for (std::size_t r = 0; r < expected.size(); ++r) {
    CHECK(std::abs(found[r] - expected[r]) <= 20.0 * kEpsilon * (1.0 + std::abs(expected[r])));
  }
}

}  // namespace

TEST_CASE("row_losses agrees with the plain loops for any number of rows and classes") {
  for (const std::size_t k : {1UL, 2UL, 3UL, 10UL, 70UL}) {
    for (const std::size_t n : {1UL, 3UL, 8UL, 33UL}) {
      CAPTURE(k);
      CAPTURE(n);
      const auto scores = normal_values(n * k, 0.0, 30.0);
      std::vector<std::int32_t> truths(n);
      for (std::size_t r = 0; r < n; ++r) { truths[r] = static_cast<std::int32_t>(r * r % k); }
      Losses expected(n);
      REQUIRE(reference::row_losses(scores.data(), n, k, truths.data(), expected.view()));
      for_each_level([&] {
        const Losses found = losses_of(scores, k, truths);
        check_close(found.own, expected.own);
        check_close(found.log_loss, expected.log_loss);
        check_close(found.brier, expected.brier);
        CHECK(found.wrong == expected.wrong);
      });
    }
  }
}

TEST_CASE("row_losses by hand: ties go to the first class, a class ruled out costs 708.4") {
  for_each_level([] {
    const Losses found =
        losses_of({0.0, 0.0, 0.0, 0.0, 0.0, -kInfinity, 800.0, 0.0}, 2, {0, 1, 1, 1});
    CHECK(found.own == std::vector<double>{0.5, 0.5, 0.0, 0.0});
    CHECK(found.wrong == std::vector<double>{0.0, 1.0, 1.0, 1.0});
    CHECK(found.brier == std::vector<double>{0.5, 0.5, 2.0, 2.0});
    CHECK(found.log_loss[0] == doctest::Approx(std::log(2.0)).epsilon(1e-15));
    CHECK(found.log_loss[2] == doctest::Approx(708.39641853226408).epsilon(1e-15));
    CHECK(found.log_loss[3] == doctest::Approx(708.39641853226408).epsilon(1e-15));
  });
}

TEST_CASE("row_losses says where a row has no scores to go by") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for_each_level([&] {
    for (const std::size_t place : {0UL, 1UL, 2UL, 20UL, 31UL}) {
      std::vector<std::int32_t> truths(16, 0);
      Losses found(16);
      for (const double bad : {nan, kInfinity}) {
        std::vector<double> scores(32, 1.0);
        scores[place] = bad;
        CHECK_FALSE(row_losses(scores.data(), 16, 2, truths.data(), found.view()));
      }
      std::vector<double> scores(32, 1.0);
      scores[place / 2 * 2] = scores[place / 2 * 2 + 1] = -kInfinity;
      CHECK_FALSE(row_losses(scores.data(), 16, 2, truths.data(), found.view()));
    }
  });
}
