#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

void check_scatter(const Rows& rows, const std::vector<double>& weights) {
  const double* w = weights.empty() ? nullptr : weights.data();
  const std::vector<double> start = normal_values(rows.d * rows.d);
  std::vector<double> expected = start;
  reference::scatter_add(rows.first(), rows.n, rows.d, rows.stride, w, expected.data());
  Rows positive = rows;
  positive.values = absolute(rows.values);
  const std::vector<double> positive_weights = absolute(weights);
  std::vector<double> bound = absolute(start);
  reference::scatter_add(positive.first(), rows.n, rows.d, rows.stride,
                         w != nullptr ? positive_weights.data() : nullptr, bound.data());
  bound = rounding_bound(bound, rows.n + 3);
  for (std::size_t i = 0; i < rows.d; ++i) {
    for (std::size_t j = i + 1; j < rows.d; ++j) { bound[i * rows.d + j] = 0.0; }
  }
  for_each_level([&] {
    std::vector<double> actual = start;
    scatter_add(rows.first(), rows.n, rows.d, rows.stride, w, actual.data());
    check_within(actual, expected, bound);
  });
}

void check_outer(const Rows& rows, std::size_t k) {
  const std::vector<double> center = normal_values(rows.d);
  const std::vector<double> residuals = normal_values(rows.n * k);
  const std::vector<double> start = normal_values(rows.d * k);
  std::vector<double> expected = start;
  reference::outer_add(rows.first(), rows.n, rows.d, rows.stride, center.data(), residuals.data(),
                       k, expected.data());
  std::vector<double> bound = absolute(start);
  for (std::size_t r = 0; r < rows.n; ++r) {
    for (std::size_t i = 0; i < rows.d; ++i) {
      for (std::size_t c = 0; c < k; ++c) {
        bound[i * k + c] += std::fabs((rows.at(r, i) - center[i]) * residuals[r * k + c]);
      }
    }
  }
  bound = rounding_bound(bound, rows.n + 3);
  for_each_level([&] {
    std::vector<double> actual = start;
    outer_add(rows.first(), rows.n, rows.d, rows.stride, center.data(), residuals.data(), k,
              actual.data());
    check_within(actual, expected, bound);
  });
}

}  // namespace

TEST_CASE("scatter_add agrees with the plain loops and leaves the upper triangle alone") {
  for_each_shape([](const Rows& rows) {
    check_scatter(rows, {});
    check_scatter(rows, normal_values(rows.n));
  });
}

TEST_CASE("scatter_add handles rows wider than a packed chunk") {
  check_scatter(Rows(40, 203, 1), {});
}

TEST_CASE("outer_add agrees with the plain loops") {
  for (const std::size_t k : {1UL, 2UL, 3UL, 8UL, 10UL, 27UL}) {
    CAPTURE(k);
    for_each_shape([k](const Rows& rows) { check_outer(rows, k); });
  }
}
