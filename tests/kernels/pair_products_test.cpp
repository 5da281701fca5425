#include "kernels/pair_products.hpp"

#include <cmath>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

std::vector<float> singles(const std::vector<double>& values) {
  std::vector<float> result;
  for (const double value : values) { result.push_back(static_cast<float>(value)); }
  return result;
}

void check_shape(std::size_t n, std::size_t d, std::size_t pairs) {
  const std::size_t stride = (d + 3) / 4 * 4;
  const auto z = singles(normal_values(n * stride));
  const auto factors = singles(normal_values(n * pairs));
  std::vector<double> expected(d * (d + 1) / 2 * pairs, 0.5);
  reference::pair_products_add(z.data(), n, d, stride, factors.data(), pairs, expected.data());
  for_each_level([&] {
    std::vector<double> sums(expected.size(), 0.5);
    pair_products_add(z.data(), n, d, stride, factors.data(), pairs, sums.data());
    const double unit = 0x1p-20 * static_cast<double>(n + 1);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      CHECK(std::abs(sums[i] - expected[i]) <= unit);
    }
  });
}

}  // namespace

TEST_CASE("pair_products_add: as the reference, at every level and shape") {
  for (const std::size_t d : {1U, 2U, 3U, 4U, 5U, 9U}) {
    for (const std::size_t pairs : {1U, 3U, 6U, 8U, 10U, 16U, 17U, 45U, 55U}) {
      check_shape(1, d, pairs);
      check_shape(37, d, pairs);
    }
  }
  check_shape(0, 3, 6);
}
