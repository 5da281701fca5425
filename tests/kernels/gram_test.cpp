#include "kernels/gram.hpp"

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

TEST_CASE("gram_add and transposed_product: as the reference, for every width") {
  constexpr std::size_t kRows = 17;
  const std::vector<std::size_t> starts{0, 3, 3, 4, 9};  // the second column is empty
  const std::vector<std::uint32_t> rows{0, 5, 16, 7, 1, 2, 5, 9, 16};
  const auto values = normal_values(rows.size());
  const SparseColumns x{4, starts.data(), rows.data(), values.data()};
  for (const std::size_t width : {1UL, 8UL, 16UL, 24UL, 32UL, 40UL, 56UL}) {
    CAPTURE(width);
    const auto v = normal_values(kRows * width);
    std::vector<double> expected(kRows * width, 0.25);
    std::vector<double> expected_product(4 * width, 9.0);
    reference::gram_add(x, v.data(), width, expected.data());
    reference::transposed_product(x, v.data(), width, expected_product.data());
    for_each_level([&] {
      std::vector<double> out(kRows * width, 0.25);
      std::vector<double> product(4 * width, 9.0);
      gram_add(x, v.data(), width, out.data());
      transposed_product(x, v.data(), width, product.data());
      for (std::size_t i = 0; i < out.size(); ++i) {
        CHECK(std::abs(out[i] - expected[i]) <= 1e-13);
      }
      for (std::size_t i = 0; i < product.size(); ++i) {
        CHECK(std::abs(product[i] - expected_product[i]) <= 1e-13);
      }
    });
  }
}
