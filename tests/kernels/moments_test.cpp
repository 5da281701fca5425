#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

TEST_CASE("all_finite finds a single bad value anywhere, and only inside the rows") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t gap : {0UL, 2UL}) {
    Rows rows(5, 19, gap);
    rows.values[3] = std::numeric_limits<double>::max();
    rows.values[4] = std::numeric_limits<double>::denorm_min();
    for_each_level([&] {
      CHECK(all_finite(rows.first(), rows.n, rows.d, rows.stride));
      CHECK(all_finite(rows.first(), 0, rows.d, rows.stride));
      for (std::size_t i = 0; i < rows.values.size(); ++i) {
        for (const double bad : {infinity, -infinity, nan}) {
          Rows spoilt = rows;
          spoilt.values[i] = bad;
          const bool inside = i >= 1 && (i - 1) % rows.stride < rows.d;
          CHECK(all_finite(spoilt.first(), rows.n, rows.d, rows.stride) == !inside);
        }
      }
    });
  }
}
