// Sums of chosen rows, against the plain loop.
#include <cstdint>

#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

TEST_CASE("kernels: sums of chosen rows are those of the plain loop, to the last bit") {
  for (const std::size_t stride : {8U, 16U, 24U, 32U, 40U, 72U}) {
    const std::size_t rows = 57;
    const auto table = normal_values(rows * stride);
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 300U}) {
      CAPTURE(stride);
      CAPTURE(count);
      std::vector<std::uint32_t> chosen;
      for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(static_cast<std::uint32_t>(generator()() % rows));
      }
      const auto factors = positive_values(count);
      const auto start = normal_values(stride);
      for (const double* weights : {static_cast<const double*>(nullptr), factors.data()}) {
        auto expected = start;
        reference::add_rows(table.data(), stride, chosen.data(), weights, count, expected.data());
        for_each_level([&] {
          auto found = start;
          add_rows(table.data(), stride, chosen.data(), weights, count, found.data());
          CHECK(found == expected);
        });
      }
    }
  }
}
