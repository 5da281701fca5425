#include "logodds/stats/class_moments.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace logodds;

namespace {

/// Rows of numbers with labels and, if wanted, weights, and a view of a range of them.
struct Rows {
  std::size_t columns = 0;
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;

  [[nodiscard]] RowBlock view(std::size_t begin, std::size_t end) const {
    return {.first_row = begin,
            .rows = end - begin,
            .numeric = values.data() + begin * columns,
            .numeric_columns = columns,
            .numeric_stride = columns,
            .codes = {},
            .labels = labels.data() + begin,
            .weights = weights.empty() ? nullptr : weights.data() + begin};
  }
};

Rows made_rows(std::size_t n, std::size_t d, std::size_t classes, double offset, bool weighted) {
  std::mt19937_64 random(n * 31 + d);
  std::normal_distribution<double> normal;
  Rows rows{.columns = d, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = 0; r < n; ++r) {
    rows.labels.push_back(static_cast<std::int32_t>(random() % classes));
    if (weighted) { rows.weights.push_back(0.5 + static_cast<double>(random() % 5)); }
    for (std::size_t i = 0; i < d; ++i) { rows.values.push_back(offset + normal(random)); }
  }
  return rows;
}

/// Two passes in long double: the definition.
long double reference_scatter(const Rows& rows, std::int32_t k, std::size_t i, std::size_t j) {
  long double weight = 0;
  long double mean_i = 0;
  long double mean_j = 0;
  const auto value = [&](std::size_t r, std::size_t c) {
    return static_cast<long double>(rows.values[r * rows.columns + c]);
  };
  const auto w = [&](std::size_t r) {
    return rows.labels[r] != k    ? 0.0L
           : rows.weights.empty() ? 1.0L
                                  : static_cast<long double>(rows.weights[r]);
  };
  for (std::size_t r = 0; r < rows.labels.size(); ++r) {
    weight += w(r);
    mean_i += w(r) * value(r, i);
    mean_j += w(r) * value(r, j);
  }
  mean_i /= weight;
  mean_j /= weight;
  long double sum = 0;
  for (std::size_t r = 0; r < rows.labels.size(); ++r) {
    sum += w(r) * (value(r, i) - mean_i) * (value(r, j) - mean_j);
  }
  return sum;
}

ClassMoments moments_of(const Rows& rows, SecondMoments second, std::size_t classes,
                        std::size_t step) {
  ClassMoments moments(second);
  const Shape shape{.classes = classes, .numeric = rows.columns, .levels = {}};
  for (std::size_t begin = 0; begin < rows.labels.size(); begin += step) {
    moments.add(rows.view(begin, std::min(begin + step, rows.labels.size())), shape);
  }
  return moments;
}

void check_against_definition(const Rows& rows, SecondMoments second, double tolerance) {
  const auto moments = moments_of(rows, second, 3, 100);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < rows.columns; ++i) {
      for (std::size_t j = second == SecondMoments::full ? 0 : i; j <= i; ++j) {
        const auto expected =
            static_cast<double>(reference_scatter(rows, static_cast<std::int32_t>(k), i, j));
        const double scale = std::sqrt(moments.scatter(k, i, i) * moments.scatter(k, j, j));
        CHECK(std::abs(moments.scatter(k, i, j) - expected) <= tolerance * scale);
      }
    }
  }
}

}  // namespace

TEST_CASE("class moments are those of the definition, weighted or not, block by block") {
  for (const bool weighted : {false, true}) {
    const Rows rows = made_rows(1000, 5, 3, 0.0, weighted);
    check_against_definition(rows, SecondMoments::full, 1e-13);
    check_against_definition(rows, SecondMoments::diagonal, 1e-13);
  }
}

TEST_CASE("class moments keep their digits when the columns stand far from 0") {
  // A mean of 1e8 is a multiple of 1.5e-8, so the distance between the means of two blocks, which
  // enters times the weight, is known to that much of a standard deviation and no better.
  const Rows rows = made_rows(1000, 3, 3, 1e8, false);
  check_against_definition(rows, SecondMoments::full, 3e-8);
  check_against_definition(rows, SecondMoments::diagonal, 3e-8);
}

TEST_CASE("merging two halves gives the whole") {
  const Rows rows = made_rows(900, 4, 3, 10.0, true);
  const Shape shape{.classes = 3, .numeric = 4, .levels = {}};
  for (const auto second : {SecondMoments::full, SecondMoments::diagonal}) {
    const auto whole = moments_of(rows, second, 3, 900);
    ClassMoments first(second);
    ClassMoments rest(second);
    first.add(rows.view(0, 300), shape);
    rest.add(rows.view(300, 900), shape);
    REQUIRE(first.compatible(rest));
    first.merge(rest);
    CHECK(first.weight() == doctest::Approx(whole.weight()).epsilon(1e-14));
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(first.mean(k, i) == doctest::Approx(whole.mean(k, i)).epsilon(1e-13));
        CHECK(first.scatter(k, i, i) == doctest::Approx(whole.scatter(k, i, i)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("a level that appears late is an indicator that was 0 before") {
  // Two rows without level 1, then two with it; means of the indicators must be those of all four.
  const std::vector<double> numbers{1, 2, 3, 5};
  const std::vector<std::int32_t> labels{0, 0, 0, 0};
  const std::vector<std::int32_t> codes{0, 0, 1, 1};
  ClassMoments moments(SecondMoments::full);
  for (const std::size_t begin : {std::size_t{0}, std::size_t{2}}) {
    const std::vector<const std::int32_t*> columns{codes.data() + begin};
    moments.add({.rows = 2,
                 .numeric = numbers.data() + begin,
                 .numeric_columns = 1,
                 .numeric_stride = 1,
                 .codes = columns,
                 .labels = labels.data()},
                {.classes = 1, .numeric = 1, .levels = {begin == 0 ? 1U : 2U}});
  }
  REQUIRE(moments.columns().size() == 3);
  CHECK(moments.mean(0, 1) == 0.5);
  CHECK(moments.mean(0, 2) == 0.5);
  CHECK(moments.scatter(0, 2, 2) == doctest::Approx(1.0));
  CHECK(moments.scatter(0, 1, 2) == doctest::Approx(-1.0));
  CHECK(moments.scatter(0, 2, 0) == doctest::Approx(2.5));  // sum of (b - 1/2)(x - 11/4)

  SUBCASE("and recoding moves it to its place") {
    Recoding recoding;
    recoding.shape.classes = 2;
    recoding.shape.numeric = 1;
    recoding.shape.levels.push_back(2);
    recoding.labels = {1};
    recoding.levels = {{1, 0}};
    moments.recode(recoding);
    CHECK(moments.weight(0) == 0.0);
    CHECK(moments.weight(1) == 4.0);
    CHECK(moments.scatter(1, 1, 0) == doctest::Approx(2.5));
    CHECK(moments.scatter(1, 2, 0) == doctest::Approx(-2.5));
  }
}
