#include "kernels/logistic.hpp"

#include <algorithm>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

TEST_CASE("logistic_add: as the reference, at every level and shape") {
  for_each_shape([](const Rows& rows) {
    const auto center = normal_values(rows.d, 0.5);
    const auto theta = normal_values(rows.d);
    const auto weights = positive_values(rows.n);
    std::vector<std::int32_t> labels(rows.n);
    for (std::size_t r = 0; r < rows.n; ++r) { labels[r] = static_cast<std::int32_t>(r % 3 == 0); }
    const LogisticMap map{rows.d, center.data(), theta.data(), 0.3};
    for (const double* const w : {static_cast<const double*>(nullptr), weights.data()}) {
      std::vector<double> expected(rows.d + 1, 0.5);
      const double loss = reference::logistic_add(rows.first(), rows.n, rows.stride, map,
                                                  labels.data(), w, expected.data());
      for_each_level([&] {
        std::vector<double> gradient(rows.d + 1, 0.5);
        const double found =
            logistic_add(rows.first(), rows.n, rows.stride, map, labels.data(), w, gradient.data());
        const double unit = 100.0 * kEpsilon * static_cast<double>(rows.n + 1);
        CHECK(std::abs(found - loss) <= unit * (1.0 + loss));
        for (std::size_t i = 0; i <= rows.d; ++i) {
          CHECK(std::abs(gradient[i] - expected[i]) <= 10.0 * unit * static_cast<double>(rows.d));
        }
      });
    }
  });
}

TEST_CASE("logistic_add: log odds of thousands neither overflow nor cost digits") {
  for_each_level([] {
    const std::vector<double> rows{-3000.0, 3000.0, 800.0, -1e-9};
    const std::vector<std::int32_t> labels{0, 1, 0, 1};
    const double zero = 0.0;
    const double one = 1.0;
    const LogisticMap map{1, &zero, &one, 0.0};
    std::vector<double> gradient(2, 0.0);
    const double loss =
        logistic_add(rows.data(), 4, 1, map, labels.data(), nullptr, gradient.data());
    CHECK(loss == doctest::Approx(800.0 + std::log(2.0)).epsilon(1e-12));
    CHECK(gradient[0] == doctest::Approx(800.0).epsilon(1e-9));
    CHECK(gradient[1] == doctest::Approx(0.5).epsilon(1e-8));
  });
}
