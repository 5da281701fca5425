#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

void check_affine(const Rows& rows, std::size_t k) {
  const std::vector<double> center = normal_values(rows.d), bias = normal_values(k);
  const std::vector<double> coefficients = normal_values(rows.d * k);
  std::vector<double> expected(rows.n * k), scale(rows.n * k);
  reference::affine_scores(rows.first(), rows.n, rows.d, rows.stride, center.data(),
                           coefficients.data(), bias.data(), k, expected.data());
  for (std::size_t r = 0; r < rows.n; ++r) {
    for (std::size_t c = 0; c < k; ++c) {
      scale[r * k + c] = std::fabs(bias[c]);
      for (std::size_t i = 0; i < rows.d; ++i) {
        scale[r * k + c] += std::fabs((rows.at(r, i) - center[i]) * coefficients[i * k + c]);
      }
    }
  }
  for_each_level([&] {
    std::vector<double> actual(rows.n * k);
    affine_scores(rows.first(), rows.n, rows.d, rows.stride, center.data(), coefficients.data(),
                  bias.data(), k, actual.data());
    check_within(actual, expected, rounding_bound(scale, rows.d + 2));
  });
}

void check_diagonal(const Rows& rows, std::size_t k) {
  const std::vector<double> means = normal_values(k * rows.d), bias = normal_values(k);
  const std::vector<double> precisions = positive_values(k * rows.d);
  std::vector<double> expected(rows.n * k), scale(rows.n * k);
  reference::diagonal_scores(rows.first(), rows.n, rows.d, rows.stride, means.data(),
                             precisions.data(), bias.data(), k, expected.data());
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const double half_sum = bias[i % k] - expected[i];
    scale[i] = std::fabs(bias[i % k]) + std::fabs(half_sum);
  }
  for_each_level([&] {
    std::vector<double> actual(rows.n * k);
    diagonal_scores(rows.first(), rows.n, rows.d, rows.stride, means.data(), precisions.data(),
                    bias.data(), k, actual.data());
    check_within(actual, expected, rounding_bound(scale, rows.d + 5));
  });
}

}  // namespace

TEST_CASE("affine_scores agrees with the plain loops") {
  for (const std::size_t k : {1UL, 2UL, 3UL, 7UL, 8UL, 10UL, 26UL}) {
    CAPTURE(k);
    for_each_shape([k](const Rows& rows) { check_affine(rows, k); });
  }
}

TEST_CASE("diagonal_scores agrees with the plain loops") {
  for (const std::size_t k : {1UL, 2UL, 3UL, 7UL, 8UL, 10UL, 26UL}) {
    CAPTURE(k);
    for_each_shape([k](const Rows& rows) { check_diagonal(rows, k); });
  }
}

TEST_CASE("diagonal_scores is exact where the deviations are, however far from zero") {
  const std::vector<double> row{1e15 + 1.0}, means{1e15}, precisions{2.0}, bias{0.0};
  for_each_level([&] {
    double score = 0.0;
    diagonal_scores(row.data(), 1, 1, 1, means.data(), precisions.data(), bias.data(), 1, &score);
    CHECK(score == -1.0);
  });
}
