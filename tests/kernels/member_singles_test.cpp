#include "kernels/member_singles.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

void check_members(const Rows& rows, const std::vector<std::uint32_t>& members) {
  const std::size_t d = rows.d;
  const auto center = normal_values(d, 0.5);
  const auto scale = positive_values(d);
  const std::size_t n = members.size();
  std::vector<double> sums(d, 0.25);
  std::vector<double> scatter(d * d, 0.5);
  reference::member_singles(rows.first(), members.data(), n, d, rows.stride, center.data(),
                            scale.data(), sums.data(), scatter.data());
  double size = 1.0;
  for (std::size_t i = 0; i < d; ++i) { size = std::max(size, scatter[i * d + i]); }
  for_each_level([&] {
    std::vector<double> found(d, 0.25);
    std::vector<double> products(d * d, 0.5);
    member_singles(rows.first(), members.data(), n, d, rows.stride, center.data(), scale.data(),
                   found.data(), products.data());
    for (std::size_t i = 0; i < d; ++i) {
      CHECK(std::abs(found[i] - sums[i]) <= 1e-5 * (size + static_cast<double>(n)));
      for (std::size_t j = 0; j < d; ++j) {
        const double expected = scatter[i * d + j];
        CHECK(std::abs(products[i * d + j] - expected) <= (j <= i ? 1e-5 * size : 0.0));
      }
    }
  });
}

}  // namespace

TEST_CASE("member_singles: as the reference, at every level and shape") {
  for_each_shape([](const Rows& rows) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t r = 0; r < rows.n; ++r) {
      for (std::uint32_t times = 0; times < r % 3; ++times) { members.push_back(r); }
    }
    check_members(rows, members);
  });
}

TEST_CASE("member_singles: more rows than are added up as floats, from the last to the first") {
  std::vector<std::uint32_t> members;
  for (std::uint32_t r = 700; r > 0; --r) { members.push_back(r - 1); }
  check_members(Rows(700, 37, 2), members);
  check_members(Rows(700, 1, 0), members);
}
