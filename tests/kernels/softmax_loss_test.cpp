#include "kernels/softmax_loss.hpp"

#include <algorithm>

#include "kernels/sample.hpp"
#include "kernels/softmax_turned.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

using Add = double (*)(const double*, std::size_t, std::size_t, const SoftmaxMap&,
                       const std::int32_t*, const double*, double*);

void check_shape(const Rows& rows, std::size_t k, Add add = softmax_add) {
  const auto center = normal_values(rows.d, 0.5);
  const auto theta = normal_values(rows.d * k);
  const auto bias = normal_values(k);
  const auto weights = positive_values(rows.n);
  std::vector<std::int32_t> labels(rows.n);
  for (std::size_t r = 0; r < rows.n; ++r) { labels[r] = static_cast<std::int32_t>(r * r % k); }
  const SoftmaxMap map{rows.d, k, center.data(), theta.data(), bias.data()};
  for (const double* const w : {static_cast<const double*>(nullptr), weights.data()}) {
    std::vector<double> expected((rows.d + 1) * k, 0.5);
    const double loss = reference::softmax_add(rows.first(), rows.n, rows.stride, map,
                                               labels.data(), w, expected.data());
    for_each_level([&] {
      std::vector<double> gradient((rows.d + 1) * k, 0.5);
      const double found =
          add(rows.first(), rows.n, rows.stride, map, labels.data(), w, gradient.data());
      const double unit = 100.0 * kEpsilon * static_cast<double>(rows.n + 1);
      CHECK(std::abs(found - loss) <= unit * (1.0 + loss));
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        CHECK(std::abs(gradient[i] - expected[i]) <= 10.0 * unit * static_cast<double>(rows.d));
      }
    });
  }
}

}  // namespace

TEST_CASE("softmax_add: as the reference, at every level and shape") {
  for_each_shape([](const Rows& rows) {
    for (const std::size_t k : {3U, 10U}) { check_shape(rows, k); }
  });
}

TEST_CASE("softmax_add_turned: as the reference, at every level and shape") {
  for_each_shape([](const Rows& rows) {
    for (const std::size_t k : {3U, 10U}) { check_shape(rows, k, softmax_add_turned); }
  });
  for (const std::size_t k : {1U, 2U, 4U, 5U, 6U, 9U, 16U, 33U}) {
    check_shape(Rows(131, 17, 3), k, softmax_add_turned);
    check_shape(Rows(259, 8, 0), k, softmax_add_turned);
  }
}

TEST_CASE("softmax_add: any number of classes, and rows over several tiles") {
  const Rows rows(131, 17, 3);
  const Rows packed(131, 17, 0);
  for (const std::size_t k : {1U, 2U, 4U, 5U, 8U, 9U, 12U, 13U, 17U, 24U, 25U, 33U, 70U}) {
    check_shape(rows, k);
    check_shape(packed, k);
  }
}

TEST_CASE("softmax_add: scores of thousands neither overflow nor cost digits") {
  for_each_level([] {
    const std::vector<double> rows{-3000.0, 3000.0, 800.0};
    const std::vector<std::int32_t> labels{0, 2, 0};
    const double zero = 0.0;
    const std::vector<double> theta{-1.0, 0.0, 1.0};
    const std::vector<double> bias(3, 0.0);
    const SoftmaxMap map{1, 3, &zero, theta.data(), bias.data()};
    std::vector<double> gradient(6, 0.0);
    const double loss =
        softmax_add(rows.data(), 3, 1, map, labels.data(), nullptr, gradient.data());
    CHECK(loss == doctest::Approx(1600.0).epsilon(1e-12));
    CHECK(gradient[0] == doctest::Approx(-800.0).epsilon(1e-12));
    CHECK(std::abs(gradient[1]) < 1e-200);
    CHECK(gradient[2] == doctest::Approx(800.0).epsilon(1e-12));
    CHECK(gradient[3] == doctest::Approx(-1.0).epsilon(1e-12));
    CHECK(gradient[5] == doctest::Approx(1.0).epsilon(1e-12));
  });
}
