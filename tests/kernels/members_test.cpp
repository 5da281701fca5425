// Sums and scatters over some of the rows: the kernels that class moments are made of.
#include <cstdint>

#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

/// Every third row or so, in their order.
std::vector<std::uint32_t> random_members(std::size_t n) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t r = 0; r < n; ++r) {
    if (generator()() % 3 != 0) { members.push_back(r); }
  }
  return members;
}

/// The reference on |x - shift| and |w|: the scale of the rounding error.
struct Scales {
  std::vector<double> sums, squares, scatter;
};

Scales scales_of(const Rows& rows, const std::vector<std::uint32_t>& members,
                 const std::vector<double>& weights, const std::vector<double>& shift,
                 const std::vector<double>& start) {
  const std::size_t d = rows.d;
  Scales scales{absolute(start), absolute(start), absolute(start)};
  for (const std::uint32_t r : members) {
    const double weight = weights.empty() ? 1.0 : std::fabs(weights[r]);
    for (std::size_t i = 0; i < d; ++i) {
      const double deviation = std::fabs(rows.at(r, i) - shift[i]);
      scales.sums[i] += weight * deviation;
      scales.squares[i] += weight * deviation * deviation;
      for (std::size_t j = 0; j <= i; ++j) {
        scales.scatter[i * d + j] += weight * deviation * std::fabs(rows.at(r, j) - shift[j]);
      }
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i + 1; j < d; ++j) { scales.scatter[i * d + j] = 0.0; }
  }
  return scales;
}

void check_members(const Rows& rows, const std::vector<double>& weights) {
  const double* w = weights.empty() ? nullptr : weights.data();
  const std::size_t d = rows.d;
  const auto members = random_members(rows.n);
  const std::size_t n = members.size();
  const std::vector<double> shift = normal_values(d), start = normal_values(d * d);
  std::vector<double> sums = start, squares = start, scatter = start;
  reference::member_sums(rows.first(), members.data(), n, d, rows.stride, w, shift.data(),
                         sums.data(), squares.data());
  std::vector<double> same = start;
  reference::member_scatter(rows.first(), members.data(), n, d, rows.stride, w, shift.data(),
                            same.data(), scatter.data());
  CHECK(same == sums);
  const Scales scales = scales_of(rows, members, weights, shift, start);
  for_each_level([&] {
    std::vector<double> actual = start, actual_squares = start, actual_scatter = start;
    member_sums(rows.first(), members.data(), n, d, rows.stride, w, shift.data(), actual.data(),
                actual_squares.data());
    check_within(actual, sums, rounding_bound(scales.sums, n + 3));
    check_within(actual_squares, squares, rounding_bound(scales.squares, n + 4));
    actual = start;
    member_scatter(rows.first(), members.data(), n, d, rows.stride, w, shift.data(), actual.data(),
                   actual_scatter.data());
    check_within(actual, sums, rounding_bound(scales.sums, n + 3));
    check_within(actual_scatter, scatter, rounding_bound(scales.scatter, n + 4));
    actual = start;
    member_sums(rows.first(), members.data(), n, d, rows.stride, w, shift.data(), actual.data(),
                nullptr);
    check_within(actual, sums, rounding_bound(scales.sums, n + 3));
  });
}

/// Against a loop over each column by itself.
void check_observed(const Rows& rows, const std::vector<double>& weights) {
  const std::size_t d = rows.d;
  const auto members = random_members(rows.n);
  const std::vector<double> shift = normal_values(d), start = normal_values(3 * d);
  std::vector<double> expected = start, scale = absolute(start);
  for (std::size_t i = 0; i < d; ++i) {
    for (const std::uint32_t r : members) {
      if (std::isnan(rows.at(r, i))) { continue; }
      const double weight = weights.empty() ? 1.0 : weights[r];
      const double deviation = rows.at(r, i) - shift[i];
      const double terms[] = {weight, weight * deviation, weight * deviation * deviation};
      for (std::size_t t = 0; t < 3; ++t) {
        expected[t * d + i] += terms[t];
        scale[t * d + i] += std::fabs(terms[t]);
      }
    }
  }
  const double* w = weights.empty() ? nullptr : weights.data();
  for_each_level([&] {
    std::vector<double> actual = start;
    observed_sums(rows.first(), members.data(), members.size(), d, rows.stride, w, shift.data(),
                  actual.data(), actual.data() + d, actual.data() + 2 * d);
    check_within(actual, expected, rounding_bound(scale, members.size() + 4));
  });
}

}  // namespace

TEST_CASE("sums and scatters of members agree with the plain loops") {
  for_each_shape([](const Rows& rows) {
    check_members(rows, {});
    check_members(rows, normal_values(rows.n));
  });
}

TEST_CASE("more members than are packed at a time, in rows that are wide") {
  check_members(Rows(900, 9, 0), {});
  check_members(Rows(400, 203, 1), normal_values(400));
}

TEST_CASE("observed_sums counts what is there, and NaN nowhere") {
  for_each_shape([](const Rows& complete) {
    Rows rows = complete;
    for (double& value : rows.values) {
      if (generator()() % 5 == 0) { value = std::numeric_limits<double>::quiet_NaN(); }
    }
    check_observed(rows, {});
    check_observed(rows, normal_values(rows.n));
  });
}

TEST_CASE("columns that are equal to the shift leave no sum and no scatter") {
  const std::vector<double> rows(50 * 3, 0.1), shift(3, 0.1);
  const auto members = random_members(50);
  for_each_level([&] {
    std::vector<double> sums(3, 0.0), scatter(9, 0.0);
    member_scatter(rows.data(), members.data(), members.size(), 3, 3, nullptr, shift.data(),
                   sums.data(), scatter.data());
    CHECK(sums == std::vector<double>(3, 0.0));
    CHECK(scatter == std::vector<double>(9, 0.0));
  });
}

TEST_CASE("rank_one_add agrees with the plain loops and leaves the upper triangle alone") {
  for (const std::size_t d : {1UL, 2UL, 3UL, 7UL, 8UL, 13UL, 32UL, 41UL}) {
    const std::vector<double> x = normal_values(d), start = normal_values(d * d);
    std::vector<double> expected = start, scale = absolute(start);
    reference::rank_one_add(x.data(), d, -0.7, expected.data());
    reference::rank_one_add(absolute(x).data(), d, 0.7, scale.data());
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = i + 1; j < d; ++j) { scale[i * d + j] = 0.0; }
    }
    for_each_level([&] {
      std::vector<double> actual = start;
      rank_one_add(x.data(), d, -0.7, actual.data());
      check_within(actual, expected, rounding_bound(scale, 2));
    });
  }
}
