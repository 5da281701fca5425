#include "kernels/linear_maps.hpp"

#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

void check(const Rows& rows, std::size_t k, std::size_t m) {
  const auto center = normal_values(rows.d, 0.5);
  const auto coefficients = normal_values(m * rows.d * k);
  const auto bias = normal_values(m * k);
  const LinearMaps maps{rows.d, k, m, center.data(), coefficients.data(), bias.data()};
  std::vector<std::int32_t> truths(rows.n);
  for (std::size_t r = 0; r < rows.n; ++r) { truths[r] = static_cast<std::int32_t>(r * r % k); }
  for_each_level([&] {
    // Bit for bit what each map says by itself.
    std::vector<double> together(m * rows.n * k);
    std::vector<double> alone(m * rows.n * k);
    linear_maps_scores(rows.first(), rows.n, rows.stride, maps, together.data());
    std::vector<double> losses(4 * m * rows.n);
    std::vector<double> expected(4 * m * rows.n);
    const auto view = [&](std::vector<double>& values) {
      const std::size_t n = m * rows.n;
      return RowLosses{values.data(), values.data() + n, values.data() + 2 * n,
                       values.data() + 3 * n};
    };
    for (std::size_t p = 0; p < m; ++p) {
      double* const own = alone.data() + p * rows.n * k;
      affine_scores(rows.first(), rows.n, rows.d, rows.stride, center.data(),
                    coefficients.data() + p * rows.d * k, bias.data() + p * k, k, own);
      CHECK(row_losses(own, rows.n, k, truths.data(), view(expected).from(p * rows.n)));
    }
    CHECK(together == alone);
    CHECK(linear_maps_losses(rows.first(), rows.n, rows.stride, maps, truths.data(), view(losses)));
    CHECK(losses == expected);
  });
}

}  // namespace

TEST_CASE("linear maps together say what each says by itself, of scores and of losses") {
  for (const std::size_t m : {1UL, 4UL}) {
    CAPTURE(m);
    for_each_shape([m](const Rows& rows) { check(rows, m == 4 ? 10 : 3, m); });
  }
}
