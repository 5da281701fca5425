#include "kernels/common_axes.hpp"

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

struct Models {
  Models(std::size_t size, std::size_t classes, std::size_t models)
      : d(size),
        k(classes),
        m(models),
        means(normal_values(k * d)),
        axes(normal_values(k * d * d, 0.0, 0.5)),
        halves(normal_values(k * d * m)),
        bias(normal_values(k * m)) {}
  [[nodiscard]] CommonAxes view() const {
    return {d, k, m, means.data(), axes.data(), halves.data(), bias.data()};
  }
  std::size_t d, k, m;
  std::vector<double> means, axes, halves, bias;
};

/// |bias| + sum_t |half_t| (sum_i |x_i - mean_i| |W_ti|)^2, every term in full.
std::vector<double> sums_of_absolutes(const Rows& rows, const Models& models) {
  std::vector<double> sums(models.m * rows.n * models.k);
  const std::size_t d = models.d;
  for (std::size_t r = 0; r < rows.n; ++r) {
    for (std::size_t c = 0; c < models.k; ++c) {
      for (std::size_t p = 0; p < models.m; ++p) {
        double sum = std::fabs(models.bias[c * models.m + p]);
        for (std::size_t t = 0; t < d; ++t) {
          double length = 0.0;
          for (std::size_t i = 0; i < d; ++i) {
            length += std::fabs((rows.at(r, i) - models.means[c * d + i]) *
                                models.axes[(c * d + i) * d + t]);
          }
          sum += std::fabs(models.halves[(c * d + t) * models.m + p]) * length * length;
        }
        sums[(p * rows.n + r) * models.k + c] = sum;
      }
    }
  }
  return sums;
}

void check(const Rows& rows, std::size_t k, std::size_t m) {
  const Models models(rows.d, k, m);
  std::vector<double> expected(m * rows.n * k);
  reference::common_axes_scores(rows.first(), rows.n, rows.stride, models.view(), expected.data());
  // d + 1 roundings in z, twice in its square, and those of the sum over the axes.
  const auto bound = rounding_bound(sums_of_absolutes(rows, models), 3 * (rows.d + 2));
  for_each_level([&] {
    std::vector<double> actual(m * rows.n * k);
    common_axes_scores(rows.first(), rows.n, rows.stride, models.view(), actual.data());
    check_within(actual, expected, bound);
  });
}

}  // namespace

TEST_CASE("common_axes_scores agrees with plain sums, model by model and class by class") {
  for (const std::size_t m : {1UL, 4UL, 20UL}) {
    CAPTURE(m);
    for_each_shape([m](const Rows& rows) { check(rows, m == 4 ? 10 : 3, m); });
  }
}

TEST_CASE("common_axes_losses are those of the scores, bit for bit") {
  const Rows rows(37, 5, 2);
  const Models models(rows.d, 3, 4);
  std::vector<std::int32_t> truths(rows.n);
  for (std::size_t r = 0; r < rows.n; ++r) { truths[r] = static_cast<std::int32_t>(r % 3); }
  const std::size_t all = models.m * rows.n;
  const auto view = [all](std::vector<double>& values) {
    return RowLosses{values.data(), values.data() + all, values.data() + 2 * all,
                     values.data() + 3 * all};
  };
  for_each_level([&] {
    std::vector<double> scores(all * models.k);
    common_axes_scores(rows.first(), rows.n, rows.stride, models.view(), scores.data());
    std::vector<double> found(4 * all);
    std::vector<double> expected(4 * all);
    CHECK(common_axes_losses(rows.first(), rows.n, rows.stride, models.view(), truths.data(),
                             view(found)));
    for (std::size_t p = 0; p < models.m; ++p) {
      CHECK(row_losses(scores.data() + p * rows.n * models.k, rows.n, models.k, truths.data(),
                       view(expected).from(p * rows.n)));
    }
    CHECK(found == expected);
  });
}

TEST_CASE("common_axes_scores along the coordinates is a sum of squares by hand") {
  const std::vector<double> row{3.0, 4.0}, means{1.0, 1.0}, axes{1.0, 0.0, 0.0, 2.0};
  const std::vector<double> halves{-0.5, -1.0, -0.25, 0.0}, bias{10.0, 1.0};
  for_each_level([&] {
    std::vector<double> out(2);
    common_axes_scores(row.data(), 1, 2,
                       {2, 1, 2, means.data(), axes.data(), halves.data(), bias.data()},
                       out.data());
    // z = (2, 6): 10 - 4 / 2 - 36 / 4, and 1 - 4.
    CHECK(out == std::vector<double>{-1.0, -3.0});
  });
}
