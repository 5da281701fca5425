#include <cstdint>

#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

constexpr std::size_t kClasses = 3;

std::vector<std::int32_t> random_classes(std::size_t n) {
  std::uniform_int_distribution<std::int32_t> law(0, kClasses - 1);
  std::vector<std::int32_t> classes(n);
  for (std::int32_t& value : classes) { value = law(generator()); }
  return classes;
}

/// Sums of |w (x - shift)| and |w (x - shift)^2|, on top of |start|: the scale of the rounding
/// error.
void check_class_sums(const Rows& rows, const std::vector<double>& weights) {
  const double* w = weights.empty() ? nullptr : weights.data();
  const std::vector<std::int32_t> classes = random_classes(rows.n);
  const std::vector<double> shifts = normal_values(kClasses * rows.d);
  const std::vector<double> start = normal_values(kClasses * rows.d);
  std::vector<double> sums = start, squares = start;
  reference::class_sums(rows.first(), rows.n, rows.d, rows.stride, classes.data(), w, shifts.data(),
                        sums.data(), squares.data());
  std::vector<double> sum_scale = absolute(start), square_scale = sum_scale;
  for (std::size_t r = 0; r < rows.n; ++r) {
    for (std::size_t i = 0; i < rows.d; ++i) {
      const std::size_t cell = static_cast<std::size_t>(classes[r]) * rows.d + i;
      const double deviation = std::fabs(rows.at(r, i) - shifts[cell]);
      const double weight = w != nullptr ? std::fabs(w[r]) : 1.0;
      sum_scale[cell] += weight * deviation;
      square_scale[cell] += weight * deviation * deviation;
    }
  }
  for_each_level([&] {
    std::vector<double> actual_sums = start, actual_squares = start;
    class_sums(rows.first(), rows.n, rows.d, rows.stride, classes.data(), w, shifts.data(),
               actual_sums.data(), actual_squares.data());
    check_within(actual_sums, sums, rounding_bound(sum_scale, rows.n + 3));
    check_within(actual_squares, squares, rounding_bound(square_scale, rows.n + 4));
  });
}

}  // namespace

TEST_CASE("class_sums agrees with the plain loops") {
  for_each_shape([](const Rows& rows) {
    check_class_sums(rows, {});
    check_class_sums(rows, normal_values(rows.n));
  });
}

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
