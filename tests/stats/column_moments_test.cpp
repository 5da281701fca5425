// Moments of single columns: exact for whole numbers, and no digits lost to shifts and outliers.
#include "stats/column_moments.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "logodds/error.hpp"

using namespace logodds;

namespace {

const std::vector<std::string> kLabels{"a", "b"};
const std::vector<std::string> kColumns{"x"};

/// One column of numbers with labels, added in blocks of `size` rows.
ColumnMoments moments_of(const std::vector<double>& x, const std::vector<std::int32_t>& labels,
                         std::size_t size = 100, const std::vector<double>& weights = {}) {
  ColumnMoments moments;
  for (std::size_t first = 0; first < x.size(); first += size) {
    RowBlock block;
    block.rows = std::min(size, x.size() - first);
    block.numeric = x.data() + first;
    block.numeric_columns = block.numeric_stride = 1;
    block.labels = labels.data() + first;
    block.weights = weights.empty() ? nullptr : weights.data() + first;
    moments.add(block, group_by_class(block, 2));
  }
  return moments;
}

std::vector<std::int32_t> alternating(std::size_t rows) {
  std::vector<std::int32_t> labels(rows);
  for (std::size_t r = 0; r < rows; ++r) { labels[r] = static_cast<std::int32_t>(r % 2); }
  return labels;
}

/// Mean and scatter of class k in long double, by two passes.
std::pair<double, double> by_two_passes(const std::vector<double>& x,
                                        const std::vector<std::int32_t>& labels, std::int32_t k) {
  long double sum = 0.0L;
  long double count = 0.0L;
  for (std::size_t r = 0; r < x.size(); ++r) {
    if (labels[r] != k || std::isnan(x[r])) { continue; }
    sum += static_cast<long double>(x[r]);
    count += 1.0L;
  }
  const long double mean = sum / count;
  long double scatter = 0.0L;
  for (std::size_t r = 0; r < x.size(); ++r) {
    if (labels[r] != k || std::isnan(x[r])) { continue; }
    const long double off = static_cast<long double>(x[r]) - mean;
    scatter += off * off;
  }
  return {static_cast<double>(mean), static_cast<double>(scatter)};
}

std::string refusal(const ColumnMoments& all, const ColumnMoments& gone) {
  ColumnMoments rest = all;
  try {
    rest.unmerge(gone, kLabels, kColumns);
  } catch (const Error& error) { return error.what(); }
  return "accepted";
}

}  // namespace

TEST_CASE("column moments: shifts, scales, trends and outliers cost no digits") {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const auto labels = alternating(5000);
  for (const double shift : {0.0, 1e8, -1e12}) {
    for (const double scale : {1e-6, 1.0, 1e6}) {
      for (const bool trend : {false, true}) {
        std::vector<double> x;
        for (std::size_t r = 0; r < labels.size(); ++r) {
          x.push_back(shift * scale +
                      scale * (normal(random) + (trend ? 0.01 : 0.0) * static_cast<double>(r)));
        }
        x[3] = std::nan("");
        x[0] += 1e4 * scale;  // the first row is the worst to begin with
        const ColumnMoments moments = moments_of(x, labels);
        for (const std::int32_t k : {0, 1}) {
          const auto [mean, scatter] = by_two_passes(x, labels, k);
          const auto at = static_cast<std::size_t>(k);
          CAPTURE(shift);
          CAPTURE(scale);
          CHECK(moments.mean(at, 0) == doctest::Approx(mean).epsilon(1e-14));
          CHECK(moments.scatter(at, 0) == doctest::Approx(scatter).epsilon(1e-11));
        }
        CHECK(moments.weight(1, 0) == 2499.0);
      }
    }
  }
}

TEST_CASE("column moments of whole numbers do not depend on the way that rows came") {
  std::mt19937_64 random(8);
  std::vector<double> x;
  for (int r = 0; r < 3000; ++r) { x.push_back(static_cast<double>(random() % 100000)); }
  const auto labels = alternating(x.size());
  const ColumnMoments whole = moments_of(x, labels);
  ColumnMoments parts = moments_of({x.begin() + 1000, x.end()}, alternating(2000), 37);
  parts.merge(moments_of({x.begin(), x.begin() + 1000}, alternating(1000), 64));
  ColumnMoments more = whole;
  const ColumnMoments extra = moments_of({99999.0, 0.0, 31.0}, {0, 1, 1});
  more.merge(extra);
  more.unmerge(extra, kLabels, kColumns);
  for (const std::size_t k : {0U, 1U}) {
    CHECK(parts.sum(k, 0) == whole.sum(k, 0));
    CHECK(parts.mean(k, 0) == whole.mean(k, 0));
    CHECK(parts.scatter(k, 0) == whole.scatter(k, 0));
    CHECK(more.mean(k, 0) == whole.mean(k, 0));
    CHECK(more.scatter(k, 0) == whole.scatter(k, 0));
    CHECK(more.weight(k, 0) == whole.weight(k, 0));
  }
}

TEST_CASE("column moments: what an outlier has swallowed is not made up") {
  std::vector<double> x;
  for (int r = 0; r < 200; ++r) { x.push_back(std::sin(r)); }
  ColumnMoments all = moments_of(x, alternating(x.size()));
  const ColumnMoments far = moments_of({1e9}, {0});
  all.merge(far);
  CHECK(refusal(all, far).find("lost in rounding") != std::string::npos);
  ColumnMoments near = moments_of(x, alternating(x.size()));
  const ColumnMoments row = moments_of({3.5}, {1});
  const double before = near.scatter(1, 0);
  near.merge(row);
  near.unmerge(row, kLabels, kColumns);
  CHECK(near.scatter(1, 0) == doctest::Approx(before).epsilon(1e-12));
}

TEST_CASE("column moments: rows that were never there are refused") {
  const ColumnMoments all = moments_of({1.0, 2.0, 3.0, 4.0}, {0, 0, 0, 1});
  CHECK(refusal(all, moments_of({9.0}, {0})).find("spread") != std::string::npos);
  CHECK(refusal(all, moments_of({4.0, 4.0}, {1, 1})).find("there is only 1") != std::string::npos);
  CHECK(refusal(all, moments_of({5.0}, {1})).find("spread") != std::string::npos);
  CHECK(refusal(all, moments_of({4.0}, {1})) == "accepted");
}

TEST_CASE("column moments: counts are told from other numbers, and keep sum ln x!") {
  const ColumnMoments counts =
      moments_of({0.0, 1.0, 5.0, 300.0}, {0, 0, 0, 1}, 4, {1.0, 1.0, 2.0, 1.0});
  CHECK(counts.counts_only(0));
  CHECK(counts.log_factorials(0, 0) == doctest::Approx(2.0 * std::log(120.0)));
  CHECK(counts.log_factorials(1, 0) == doctest::Approx(std::lgamma(301.0)));
  CHECK_FALSE(moments_of({0.0, 1.5}, {0, 1}).counts_only(0));
  CHECK_FALSE(moments_of({0.0, -1.0}, {0, 1}).counts_only(0));
  CHECK(moments_of({1e308, -1e308}, {0, 0}).overflows(0));
  CHECK_FALSE(counts.overflows(0));
}
