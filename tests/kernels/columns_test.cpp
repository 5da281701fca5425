// One column's share of the scores, and the way to columns and back.
#include <cstdint>
#include <span>

#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// One column of rows and the scores of k classes, which are `stride` >= n apart.
struct Column {
  Column(std::size_t count, std::size_t k)
      : n(count),
        stride(count + count % 3),
        x(normal_values(count, 2.0)),
        start(normal_values(k == 0 ? 0 : (k - 1) * stride + count)) {
    for (std::size_t r = 0; r < n; ++r) {
      if (generator()() % 4 == 0) { x[r] = kMissing; }
    }
  }
  [[nodiscard]] std::vector<double> bound(const std::vector<double>& terms) const {
    std::vector<double> scale = absolute(start);
    for (std::size_t i = 0; i < scale.size(); ++i) { scale[i] += terms[i]; }
    return rounding_bound(scale, 6);
  }

  std::size_t n, stride;
  std::vector<double> x, start;
};

template <class Check>
void for_each_size(const Check& check) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 3UL, 7UL, 8UL, 33UL, 64UL, 101UL}) {
    for (const std::size_t k : {1UL, 2UL, 3UL, 5UL, 8UL, 13UL}) {
      CAPTURE(n);
      CAPTURE(k);
      check(n, k);
    }
  }
}

void check_gaussian(std::size_t n, std::size_t k) {
  const Column column(n, k);
  const std::vector<double> means = normal_values(k), precisions = positive_values(k),
                            bias = normal_values(k);
  std::vector<double> expected = column.start, terms(column.start.size(), 0.0);
  reference::gaussian_column_add(column.x.data(), n, means.data(), precisions.data(), bias.data(),
                                 k, column.stride, expected.data());
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      const double deviation = std::isnan(column.x[r]) ? 0.0 : column.x[r] - means[c];
      terms[c * column.stride + r] =
          std::fabs(bias[c]) + 0.5 * precisions[c] * deviation * deviation;
    }
  }
  for_each_level([&] {
    std::vector<double> actual = column.start;
    gaussian_column_add(column.x.data(), n, means.data(), precisions.data(), bias.data(), k,
                        column.stride, actual.data());
    check_within(actual, expected, column.bound(terms));
  });
}

void check_linear(std::size_t n, std::size_t k) {
  const Column column(n, k);
  const std::vector<double> slopes = normal_values(k), intercepts = normal_values(k);
  std::vector<double> expected = column.start, terms(column.start.size(), 0.0);
  reference::linear_column_add(column.x.data(), n, slopes.data(), intercepts.data(), k,
                               column.stride, expected.data());
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      const double x = std::isnan(column.x[r]) ? 0.0 : column.x[r];
      terms[c * column.stride + r] = std::fabs(intercepts[c]) + std::fabs(slopes[c] * x);
    }
  }
  for_each_level([&] {
    std::vector<double> actual = column.start;
    linear_column_add(column.x.data(), n, slopes.data(), intercepts.data(), k, column.stride,
                      actual.data());
    check_within(actual, expected, column.bound(terms));
  });
}

void check_levels(std::size_t n, std::size_t k, std::size_t levels) {
  const Column column(n, k);
  const std::size_t width = levels + 2;
  std::vector<double> table = normal_values(k * width);
  for (std::size_t c = 0; c < k; ++c) { table[c * width + 1] = 0.0; }
  table[0] = -std::numeric_limits<double>::infinity();
  std::vector<std::int32_t> codes(n);
  for (auto& code : codes) { code = static_cast<std::int32_t>(generator()() % width) - 2; }
  std::vector<double> expected = column.start;
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      expected[c * column.stride + r] += table[c * width + static_cast<std::size_t>(codes[r] + 2)];
    }
  }
  for_each_level([&] {
    std::vector<double> actual = column.start;
    level_column_add(codes.data(), n, table.data(), width, k, column.stride, actual.data());
    CHECK(actual == expected);  // one addition each
  });
}

}  // namespace

TEST_CASE("gaussian_column_add and linear_column_add agree with the plain loops") {
  for_each_size([](std::size_t n, std::size_t k) {
    check_gaussian(n, k);
    check_linear(n, k);
  });
}

TEST_CASE("level_column_add adds the table's entry, of missing and unseen levels too") {
  for_each_size([](std::size_t n, std::size_t k) {
    for (const std::size_t levels : {1UL, 2UL, 9UL, 50UL}) { check_levels(n, k, levels); }
  });
}

TEST_CASE("what a row gets does not depend on its place") {
  const std::vector<double> x = normal_values(37), means = normal_values(3),
                            precisions = positive_values(3), bias = normal_values(3);
  for_each_level([&] {
    std::vector<double> together(3 * 37, 0.0);
    gaussian_column_add(x.data(), 37, means.data(), precisions.data(), bias.data(), 3, 37,
                        together.data());
    linear_column_add(x.data(), 37, means.data(), bias.data(), 3, 37, together.data());
    for (std::size_t r = 0; r < 37; ++r) {
      std::vector<double> alone(3, 0.0);
      gaussian_column_add(&x[r], 1, means.data(), precisions.data(), bias.data(), 3, 1,
                          alone.data());
      linear_column_add(&x[r], 1, means.data(), bias.data(), 3, 1, alone.data());
      for (std::size_t c = 0; c < 3; ++c) { CHECK(together[c * 37 + r] == alone[c]); }
    }
  });
}

TEST_CASE("transpose_columns and store_scores move every value and nothing else") {
  for_each_shape([](const Rows& rows) {
    const std::size_t stride_out = rows.n + 1;
    const std::vector<double> before(rows.d * stride_out, -7.0);
    std::vector<double> expected = before;
    for (std::size_t r = 0; r < rows.n; ++r) {
      for (std::size_t i = 0; i < rows.d; ++i) { expected[i * stride_out + r] = rows.at(r, i); }
    }
    for_each_level([&] {
      std::vector<double> columns = before;
      transpose_columns(rows.first(), rows.n, rows.d, rows.stride, columns.data(), stride_out);
      CHECK(columns == expected);
      std::vector<double> back(rows.n * rows.d);
      store_scores(columns.data(), rows.n, rows.d, stride_out, back.data());
      bool same = true;
      for (std::size_t r = 0; r < rows.n; ++r) {
        for (std::size_t i = 0; i < rows.d; ++i) {
          same = same && back[r * rows.d + i] == rows.at(r, i);
        }
      }
      CHECK(same);
    });
  });
}

TEST_CASE("kernel_sum agrees with the plain loop, near and far") {
  for (const std::size_t n : {0UL, 1UL, 2UL, 5UL, 8UL, 31UL, 64UL, 257UL}) {
    const std::vector<double> values = normal_values(n, 1.0, 2.0), weights = positive_values(n);
    for (const double x : {0.7, -3.0, 40.0}) {
      double nearest = 1e300;
      for (const double value : values) { nearest = std::min(nearest, std::fabs(value - x)); }
      const double inverse_h = 3.0;
      const double shift = n == 0 ? 0.0 : 0.5 * nearest * nearest * inverse_h * inverse_h;
      const double expected =
          reference::kernel_sum(values.data(), weights.data(), n, x, inverse_h, shift);
      // an exponent has three roundings of itself, a term two more, the sum one a term
      const double bound = (10.0 * (shift + 800.0) + static_cast<double>(n)) * kEpsilon * expected;
      for_each_level([&] {
        const double actual = kernel_sum(values.data(), weights.data(), n, x, inverse_h, shift);
        CHECK(std::fabs(actual - expected) <= bound);
        CHECK((n == 0 || actual > 0.0));
      });
    }
  }
}

TEST_CASE("all_within finds a single value that is outside or not whole, and lets NaN be") {
  for (const std::size_t n : {0UL, 1UL, 2UL, 7UL, 8UL, 9UL, 40UL, 67UL}) {
    std::vector<double> x(n);
    for (std::size_t r = 0; r < n; ++r) { x[r] = r % 3 == 0 ? kMissing : static_cast<double>(r); }
    for_each_level([&] {
      CHECK(all_within(x.data(), n, 0.0, 66.0, true));
      for (std::size_t r = 0; r < n; ++r) {
        std::vector<double> changed = x;
        for (const double wrong : {-1.0, 66.5, 1e300, 0.5}) {
          changed[r] = wrong;
          CHECK_FALSE(all_within(changed.data(), n, 0.0, 66.0, true));
          CHECK(all_within(changed.data(), n, 0.0, 66.0, false) == (wrong == 0.5));
        }
        changed[r] = 0x1p53;
        CHECK(all_within(changed.data(), n, 0.0, 1e300, true));
      }
    });
  }
}
