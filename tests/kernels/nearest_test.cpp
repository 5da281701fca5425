#include "kernels/nearest.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

/// Rows and centers as floats, and the margin that their lengths ask for.
struct Floats {
  Floats(std::size_t rows, std::size_t columns, std::size_t clusters)
      : n(rows), d(columns), k(clusters) {
    const auto rows_as_doubles = normal_values(n * d);
    const auto centers = normal_values(k * d);
    x.assign(rows_as_doubles.begin(), rows_as_doubles.end());
    values.resize(k * d);
    half_norms.assign(k, 0.0F);
    double longest = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
      double square = 0.0;
      for (std::size_t i = 0; i < d; ++i) {
        values[i * k + c] = static_cast<float>(centers[c * d + i]);
        square += centers[c * d + i] * centers[c * d + i];
      }
      half_norms[c] = static_cast<float>(0.5 * square);
      longest = std::max(longest, std::sqrt(square));
    }
    for (std::size_t r = 0; r < n; ++r) {
      lengths.push_back(static_cast<float>(std::sqrt(square_of_row(r)) * (1.0 + 1e-6)));
    }
    const double unit = (static_cast<double>(d) + 6.0) * 0x1p-24;
    margin = {static_cast<float>(unit * longest * longest), static_cast<float>(unit * longest)};
  }

  [[nodiscard]] double square_of_row(std::size_t r) const {
    double square = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      square += static_cast<double>(x[r * d + i]) * static_cast<double>(x[r * d + i]);
    }
    return square;
  }
  [[nodiscard]] std::vector<double> distances(std::size_t r) const {
    std::vector<double> result(k, 0.0);
    for (std::size_t c = 0; c < k; ++c) {
      for (std::size_t i = 0; i < d; ++i) {
        const double off =
            static_cast<double>(x[r * d + i]) - static_cast<double>(values[i * k + c]);
        result[c] += off * off;
      }
      result[c] = std::sqrt(result[c]);
    }
    return result;
  }
  /// What is left of a gap between two distances: (d2^2 - d1^2 - 4 e) / (d2 + d1 + 2 q), where e is
  /// the margin, and q what is added under the square roots.
  [[nodiscard]] double gap_at_least(std::size_t r, double gap, double sum) const {
    const double length = static_cast<double>(lengths[r]);
    const double error = 1.1 * (static_cast<double>(margin.constant) +
                                static_cast<double>(margin.per_length) * length);
    const double added =
        std::sqrt(2.0 * static_cast<double>(kGapSlack) * length * length + 4.0 * error);
    return (1.0 - 1e-4) * (gap * sum - 8.0 * error) / (sum + 2.0 * added);
  }
  [[nodiscard]] FloatCenters centers() const { return {values.data(), half_norms.data(), k, d}; }

  std::size_t n, d, k;
  std::vector<float> x, values, half_norms, lengths;
  FloatMargin margin{};
};

}  // namespace

TEST_CASE("nearest_centers: the nearest one, and a gap that is none too large") {
  for (const std::size_t d : {1UL, 2UL, 5UL, 8UL, 32UL, 41UL}) {
    for (const std::size_t k : {2UL, 3UL, 6UL, 7UL, 13UL, 50UL}) {
      CAPTURE(d);
      CAPTURE(k);
      const Floats data(61, d, k);
      std::vector<std::uint32_t> members(data.n);
      std::iota(members.begin(), members.end(), 0U);
      std::ranges::reverse(members);
      for_each_level([&] {
        std::vector<std::int32_t> nearest(data.n);
        std::vector<float> gaps(data.n);
        std::size_t told = 0;
        nearest_centers(data.x.data(), data.lengths.data(), members.data(), data.n, data.centers(),
                        data.margin, nearest.data(), gaps.data());
        for (std::size_t m = 0; m < data.n; ++m) {
          if (!(gaps[m] > 0.0F)) { continue; }
          ++told;
          std::vector<double> distances = data.distances(members[m]);
          const auto best = std::ranges::min_element(distances);
          REQUIRE(nearest[m] == best - distances.begin());
          const double least = *best;
          *best = 1e30;
          const double second = *std::ranges::min_element(distances);
          const double gap = second - least;
          REQUIRE(static_cast<double>(gaps[m]) <= gap);
          REQUIRE(static_cast<double>(gaps[m]) >=
                  data.gap_at_least(members[m], gap, least + second));
        }
        CHECK(told >= data.n - 3);
      });
    }
  }
}

TEST_CASE("nearest_centers: equal centers and one alone") {
  const Floats two(3, 4, 1);
  std::vector<float> values;
  std::vector<float> half_norms(2, two.half_norms[0]);
  for (const float value : two.values) { values.insert(values.end(), 2, value); }
  const std::vector<std::uint32_t> members{0, 1, 2};
  for_each_level([&] {
    std::vector<std::int32_t> nearest(3, -1);
    std::vector<float> gaps(3, 1.0F);
    nearest_centers(two.x.data(), two.lengths.data(), members.data(), 3,
                    {values.data(), half_norms.data(), 2, 4}, two.margin, nearest.data(),
                    gaps.data());
    for (const float gap : gaps) { CHECK(!(gap > 0.0F)); }
    nearest_centers(two.x.data(), two.lengths.data(), members.data(), 3, two.centers(), two.margin,
                    nearest.data(), gaps.data());
    for (const float gap : gaps) { CHECK(gap == std::numeric_limits<float>::max()); }
    CHECK(nearest == std::vector<std::int32_t>{0, 0, 0});
  });
}

TEST_CASE("unsettled_rows: those whose limit is reached, in order") {
  const std::vector<float> sums{1.0F, 2.0F, 3.0F};
  for (const std::size_t n : {0UL, 1UL, 7UL, 8UL, 16UL, 45UL}) {
    std::vector<std::int32_t> labels(n);
    std::vector<float> limits(n);
    std::vector<std::uint32_t> expected;
    for (std::size_t r = 0; r < n; ++r) {
      labels[r] = static_cast<std::int32_t>(r % 3);
      limits[r] = static_cast<float>((r * 7) % 5);
      if (r % 11 == 0) { limits[r] = -std::numeric_limits<float>::infinity(); }
      if (!(sums[r % 3] < limits[r])) { expected.push_back(static_cast<std::uint32_t>(r)); }
    }
    for_each_level([&] {
      std::vector<std::uint32_t> out(n + kUnsettledRoom);
      out.resize(unsettled_rows(labels.data(), limits.data(), n, sums.data(), out.data()));
      CHECK(out == expected);
    });
  }
}
