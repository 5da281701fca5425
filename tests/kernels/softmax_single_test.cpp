#include "kernels/softmax_single.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/sample.hpp"
#include "memory/large_array.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

constexpr double kSingleEpsilon = 0x1p-23;

void check_shape(const Rows& rows, std::size_t k) {
  const auto center = normal_values(rows.d, 0.5);
  const auto scale = positive_values(rows.d);
  const auto theta = normal_values(rows.d * k);
  const auto bias = normal_values(k);
  const auto weights = positive_values(rows.n);
  std::vector<std::int32_t> labels(rows.n);
  for (std::size_t r = 0; r < rows.n; ++r) { labels[r] = static_cast<std::int32_t>(r * r % k); }
  const SingleMap map{rows.d, k, center.data(), scale.data(), theta.data(), bias.data()};
  for (const double* const w : {static_cast<const double*>(nullptr), weights.data()}) {
    std::vector<double> expected((rows.d + 1) * k, 0.5);
    const double loss = reference::softmax_add_single(rows.first(), rows.n, rows.stride, map,
                                                      labels.data(), w, expected.data());
    for_each_level([&] {
      std::vector<double> gradient((rows.d + 1) * k, 0.5);
      const double found = softmax_add_single(rows.first(), rows.n, rows.stride, map, labels.data(),
                                              w, gradient.data());
      const double unit = 100.0 * kSingleEpsilon * static_cast<double>(rows.n + 1);
      CHECK(std::abs(found - loss) <= unit * (1.0 + loss));
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        CHECK(std::abs(gradient[i] - expected[i]) <= unit * static_cast<double>(rows.d + 1));
      }
    });
  }
}

}  // namespace

TEST_CASE("softmax_add_single: as the reference, at every level and shape") {
  for_each_shape([](const Rows& rows) {
    for (const std::size_t k : {3U, 10U}) { check_shape(rows, k); }
  });
}

TEST_CASE("softmax_add_single: any number of classes, rows over several tiles and sums") {
  for (const std::size_t k : {1U, 2U, 4U, 5U, 6U, 7U, 11U, 16U, 33U}) {
    check_shape(Rows(2117, 6, 3), k);
    check_shape(Rows(131, 5, 0), k);
  }
  check_shape(Rows(70, 133, 0), 4);
}

TEST_CASE("softmax_add_single: rows that are kept give the same bits as rows that are read") {
  const std::size_t k = 4;
  for (const std::size_t n : {1U, 64U, 131U, 2117U}) {
    const Rows rows(n, 6, 3);
    const auto center = normal_values(rows.d, 0.5);
    const auto scale = positive_values(rows.d);
    const auto theta = normal_values(rows.d * k);
    const auto bias = normal_values(k);
    std::vector<std::int32_t> labels(rows.n);
    for (std::size_t r = 0; r < rows.n; ++r) { labels[r] = static_cast<std::int32_t>(r % k); }
    const SingleMap map{rows.d, k, center.data(), scale.data(), theta.data(), bias.data()};
    for_each_level([&] {
      const std::size_t room = (rows.n + kMostTileRows - 1) / kMostTileRows * kMostTileRows;
      auto kept = logodds::memory::LargeArray<float>::for_overwrite(room * rows.d);
      const auto add = [&](const SingleTiles& tiles) {
        std::vector<double> sums((rows.d + 1) * k, 0.0);
        sums.push_back(softmax_add_single(rows.first(), rows.n, rows.stride, map, labels.data(),
                                          nullptr, sums.data(), tiles));
        return sums;
      };
      const auto read = add({});
      CHECK(add({kept.data(), false}) == read);
      CHECK(add({kept.data(), true}) == read);
    });
  }
}

TEST_CASE("softmax_add_single: scores of thousands neither overflow nor cost digits") {
  for_each_level([] {
    const std::vector<double> rows{-3000.0, 3000.0, 800.0};
    const std::vector<std::int32_t> labels{0, 2, 0};
    const double zero = 0.0;
    const double one = 1.0;
    const std::vector<double> theta{-1.0, 0.0, 1.0};
    const std::vector<double> bias(3, 0.0);
    const SingleMap map{1, 3, &zero, &one, theta.data(), bias.data()};
    std::vector<double> gradient(6, 0.0);
    const double loss =
        softmax_add_single(rows.data(), 3, 1, map, labels.data(), nullptr, gradient.data());
    CHECK(loss == doctest::Approx(1600.0).epsilon(1e-6));
    CHECK(gradient[0] == doctest::Approx(-800.0).epsilon(1e-6));
    CHECK(std::abs(gradient[1]) < 1e-30);
    CHECK(gradient[2] == doctest::Approx(800.0).epsilon(1e-6));
    CHECK(gradient[3] == doctest::Approx(-1.0).epsilon(1e-6));
    CHECK(gradient[5] == doctest::Approx(1.0).epsilon(1e-6));
  });
}

TEST_CASE("softmax_add_single: what no float can hold shows in the loss") {
  for_each_level([] {
    const std::vector<double> rows{1e60, 1.0, -1.0};
    const std::vector<std::int32_t> labels{0, 1, 2};
    const double zero = 0.0;
    const double one = 1.0;
    const std::vector<double> theta{-1.0, 0.0, 1.0};
    const std::vector<double> bias(3, 0.0);
    const SingleMap map{1, 3, &zero, &one, theta.data(), bias.data()};
    std::vector<double> gradient(6, 0.0);
    CHECK_FALSE(std::isfinite(
        softmax_add_single(rows.data(), 3, 1, map, labels.data(), nullptr, gradient.data())));
  });
}
