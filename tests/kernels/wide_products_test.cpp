// Products in 106 bits: the plain loop to the last bit, and exact where plain doubles are not.
#include "kernels/wide_products.hpp"

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

TEST_CASE("kernels: products in 106 bits are those of the plain loop, to the last bit") {
  for_each_shape([](const Rows& rows) {
    const auto weights = positive_values(rows.n);
    const auto start = normal_values(rows.d * rows.d);
    for (const double* given : {static_cast<const double*>(nullptr), weights.data()}) {
      auto high = start;
      std::vector<double> low(start.size(), 1e-20);
      reference::wide_products_add(rows.first(), rows.n, rows.d, rows.stride, given, high.data(),
                                   low.data());
      for_each_level([&] {
        auto found = start;
        std::vector<double> rest(start.size(), 1e-20);
        wide_products_add(rows.first(), rows.n, rows.d, rows.stride, given, found.data(),
                          rest.data());
        CHECK(found == high);
        CHECK(rest == low);
      });
    }
  });
}

TEST_CASE("kernels: products in 106 bits keep what doubles lose") {
  // a b - a (b - 1) = a, while the products have 80 bits.
  const std::size_t pairs = 150;
  std::vector<double> rows;
  double expected = 0.0;
  for (std::size_t r = 0; r < pairs; ++r) {
    const double a = 0x1p40 + static_cast<double>(7 * r + 1);
    const double b = 0x1p40 - static_cast<double>(3 * r + 5);
    rows.insert(rows.end(), {a, b, a, 1.0 - b});
    expected += a;
  }
  for_each_level([&] {
    std::vector<double> high(4, 0.0);
    std::vector<double> low(4, 0.0);
    wide_products_add(rows.data(), 2 * pairs, 2, 2, nullptr, high.data(), low.data());
    CHECK(high[2] + low[2] == expected);
    CHECK(high[1] == 0.0);  // above the diagonal
  });
}
