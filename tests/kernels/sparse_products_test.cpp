#include "kernels/sparse_products.hpp"

#include <algorithm>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

/// Lines of many lengths, some of them longer than what is fetched ahead, of seventeen places; the
/// values of another line stand before the first one.
struct Lines {
  static constexpr std::size_t kPlaces = 17;
  static constexpr std::size_t kLines = 7;
  std::vector<std::size_t> starts{5, 45, 45, 46, 48, 61, 102, 105};
  std::vector<std::uint32_t> places;
  std::vector<double> values = normal_values(starts.back());
  std::vector<float> floats{values.begin(), values.end()};

  Lines() {
    for (std::size_t i = 0; i < starts.back(); ++i) {
      places.push_back(static_cast<std::uint32_t>(i * i % kPlaces));
    }
  }
  [[nodiscard]] SparseLines doubles() const {
    return {kLines, starts.data(), places.data(), values.data()};
  }
  [[nodiscard]] FloatLines as_floats() const {
    return {kLines, starts.data(), places.data(), floats.data()};
  }
};

const std::vector<std::size_t> kWidths{1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 56, 76};

}  // namespace

TEST_CASE("sparse_product: as the reference, for every width") {
  const Lines lines;
  for (const std::size_t width : kWidths) {
    CAPTURE(width);
    const auto v = normal_values(Lines::kPlaces * width);
    std::vector<double> expected(Lines::kLines * width, 9.0);
    reference::sparse_product(lines.doubles(), v.data(), width, expected.data());
    for_each_level([&] {
      std::vector<double> out(Lines::kLines * width, 9.0);
      sparse_product(lines.doubles(), v.data(), width, out.data());
      for (std::size_t i = 0; i < out.size(); ++i) {
        CHECK(std::abs(out[i] - expected[i]) <= 1e-12);
      }
    });
  }
}

TEST_CASE("sparse_product of floats: as that of doubles, to the digits of floats") {
  const Lines lines;
  for (const std::size_t width : kWidths) {
    CAPTURE(width);
    const auto v = normal_values(Lines::kPlaces * width);
    const std::vector<float> v_floats(v.begin(), v.end());
    std::vector<double> expected(Lines::kLines * width, 9.0);
    reference::sparse_product(lines.doubles(), v.data(), width, expected.data());
    for_each_level([&] {
      std::vector<float> out(Lines::kLines * width, 9.0F);
      sparse_product(lines.as_floats(), v_floats.data(), width, out.data());
      for (std::size_t i = 0; i < out.size(); ++i) {
        CHECK(std::abs(static_cast<double>(out[i]) - expected[i]) <= 3e-5);
      }
    });
  }
}

TEST_CASE("sparse_product: lines without values give zeros") {
  const std::vector<std::size_t> starts{0, 0, 0};
  for_each_level([&] {
    std::vector<double> out(16, 9.0);
    const std::vector<double> v(8, 1.0);
    sparse_product(SparseLines{2, starts.data(), nullptr, nullptr}, v.data(), 8, out.data());
    CHECK(std::ranges::all_of(out, [](double value) { return value == 0.0; }));
  });
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
