#include "kernels/gram.hpp"

#include <algorithm>

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
    const double largest = reference::gram_add(x, v.data(), width, expected.data());
    reference::transposed_product(x, v.data(), width, expected_product.data());
    for_each_level([&] {
      std::vector<double> out(kRows * width, 0.25);
      std::vector<double> product(4 * width, 9.0);
      CHECK(std::abs(gram_add(x, v.data(), width, out.data()) - largest) <= 1e-13);
      transposed_product(x, v.data(), width, product.data());
      for (std::size_t i = 0; i < out.size(); ++i) {
        CHECK(std::abs(out[i] - expected[i]) <= 1e-13);
      }
      for (std::size_t i = 0; i < product.size(); ++i) {
        CHECK(std::abs(product[i] - expected_product[i]) <= 1e-13);
      }
      const double found =
          std::abs(*std::ranges::max_element(product, {}, [](double p) { return std::abs(p); }));
      CHECK(std::abs(found - largest) <= 1e-13);
    });
  }
}

TEST_CASE("gram_add of floats: as that of doubles, to the digits of floats") {
  constexpr std::size_t kRows = 9;
  const std::vector<std::size_t> starts{0, 4, 5, 5, 8};  // the third column is empty
  const std::vector<std::uint32_t> rows{0, 2, 5, 8, 7, 1, 2, 8};
  const auto values = normal_values(rows.size());
  const std::vector<float> floats(values.begin(), values.end());
  const SparseColumns x{4, starts.data(), rows.data(), values.data()};
  const FloatColumns f{4, starts.data(), rows.data(), floats.data()};
  for (const std::size_t width : {1UL, 8UL, 16UL, 24UL, 40UL}) {
    CAPTURE(width);
    const auto v = normal_values(kRows * width);
    const std::vector<float> v_floats(v.begin(), v.end());
    std::vector<double> expected(kRows * width, 0.25);
    const double largest = reference::gram_add(x, v.data(), width, expected.data());
    for_each_level([&] {
      std::vector<float> out(kRows * width, 0.25F);
      const double found = gram_add(f, v_floats.data(), width, out.data());
      CHECK(std::abs(found - largest) <= 1e-5);
      for (std::size_t i = 0; i < out.size(); ++i) {
        CHECK(std::abs(static_cast<double>(out[i]) - expected[i]) <= 1e-5);
      }
    });
  }
}

TEST_CASE("mixed_dots: as the reference, whatever the length") {
  for (const std::size_t n : {0UL, 3UL, 16UL, 31UL, 70UL}) {
    CAPTURE(n);
    const auto a = normal_values(n);
    const auto b = normal_values(2 * n);
    const std::vector<float> floats(b.begin(), b.end());
    const std::vector<const float*> tables{floats.data(), floats.data() + n};
    std::vector<double> expected(2, 9.0);
    reference::mixed_dots(a.data(), n, tables.data(), 2, expected.data());
    for_each_level([&] {
      std::vector<double> sums(2, 9.0);
      mixed_dots(a.data(), n, tables.data(), 2, sums.data());
      CHECK(std::abs(sums[0] - expected[0]) <= 1e-12);
      CHECK(std::abs(sums[1] - expected[1]) <= 1e-12);
    });
  }
}
