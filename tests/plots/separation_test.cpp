#include "plots/separation.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

namespace logodds::plots {

TEST_CASE("separation: between over within, by hand") {
  // Column 1: class means 2 and 8, overall 5, between 4 * 9 = 36, within 4 * 1 = 4.
  // Column 2 is the same for both classes; column 3 is a point for each; one value is missing.
  const double nan = std::nan("");
  const std::array<double, 15> rows{1, 1, 0, 3, 3, 0, 7, 1, 1, 9, 3, 1, 100, 100, nan};
  const std::array<std::int32_t, 5> classes{0, 0, 1, 1, -1};
  ColumnSeparation separation(3, 2);
  RowBlock block;
  block.rows = 5;
  block.numeric = rows.data();
  block.numeric_columns = block.numeric_stride = 3;
  separation.add(block, classes);
  const auto ratios = separation.ratios();
  CHECK(ratios[0] == doctest::Approx(9.0));
  CHECK(ratios[1] == 0.0);
  CHECK(ratios[2] == std::numeric_limits<double>::infinity());
}

}  // namespace logodds::plots
