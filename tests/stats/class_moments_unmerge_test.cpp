#include <doctest/doctest.h>

#include <cmath>

#include "logodds/stats/class_moments.hpp"
#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

ClassMoments moments_of(const Sample& sample, SecondMoments second = SecondMoments::full) {
  std::vector<std::int32_t> codes;
  ClassMoments moments(second);
  moments.add(sample.block(codes), sample.shape());
  return moments;
}

Schema schema_of(const Sample& sample) {
  Schema schema;
  for (std::size_t i = 0; i < sample.columns; ++i) {
    schema.columns.push_back(
        {.name = "x" + std::to_string(i + 1), .kind = ColumnKind::real, .levels = {}});
  }
  for (std::size_t k = 0; k < sample.classes; ++k) {
    schema.labels.push_back("c" + std::to_string(k));
  }
  return schema;
}

Sample shifted(Sample sample, double offset) {
  for (auto& value : sample.values) { value += offset; }
  return sample;
}

/// The bound that the header states, in units of the scatter before.
void check_remaining(const Sample& all, std::size_t gone, SecondMoments second) {
  const ClassMoments before = moments_of(all, second);
  ClassMoments rest = before;
  rest.unmerge(moments_of(all.part(0, gone), second), schema_of(all));
  const Sample kept = all.part(gone, all.rows());
  for (std::size_t k = 0; k < all.classes; ++k) {
    CHECK(rest.weight(k) == static_cast<double>(class_weight(kept, k)));
    const WideVector mean = class_mean(kept, k);
    const WideMatrix scatter = class_scatter(kept, k);
    for (std::size_t i = 0; i < all.columns; ++i) {
      CHECK(rest.mean(k, i) ==
            doctest::Approx(static_cast<double>(mean(index_of(i)))).epsilon(1e-13));
      for (std::size_t j = second == SecondMoments::full ? 0 : i; j <= i; ++j) {
        const double unit = std::sqrt(before.scatter(k, i, i) * before.scatter(k, j, j));
        const auto expected = static_cast<double>(scatter(index_of(i), index_of(j)));
        CHECK(std::abs(rest.scatter(k, i, j) - expected) <= kUnmergeTolerance * unit);
      }
    }
  }
}

std::string refusal_of(ClassMoments all, const Sample& gone, SecondMoments second) {
  try {
    all.unmerge(moments_of(gone, second), schema_of(gone));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::input);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("moments: taking rows out leaves the moments of the others, within the stated bound") {
  const Sample sample = made_sample(400, 4, 3, 1);
  for (const auto second : {SecondMoments::full, SecondMoments::diagonal}) {
    for (const std::size_t gone : {std::size_t{1}, std::size_t{50}, std::size_t{200}}) {
      check_remaining(sample, gone, second);
      check_remaining(weighted(sample, 2), gone, second);
    }
    check_remaining(sample, 380, second);  // few are left
  }
}

TEST_CASE("moments: taking out is the inverse of merging, one row at a time as well") {
  const Sample sample = made_sample(60, 3, 2, 3);
  const ClassMoments start = moments_of(sample);
  ClassMoments moments = start;
  const Sample more = weighted(made_sample(200, 3, 2, 4), 5);
  for (std::size_t r = 0; r < more.rows(); ++r) { moments.merge(moments_of(more.part(r, r + 1))); }
  for (std::size_t r = 0; r < more.rows(); ++r) {
    moments.unmerge(moments_of(more.part(r, r + 1)), schema_of(more));
  }
  CHECK(moments.weight() == start.weight());
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(moments.mean(k, i) == doctest::Approx(start.mean(k, i)).epsilon(1e-12));
      CHECK(moments.scatter(k, i, 0) == doctest::Approx(start.scatter(k, i, 0)).epsilon(1e-11));
    }
  }
}

TEST_CASE("moments: columns far from 0 can be forgotten, and what stays is right") {
  const Sample all = shifted(made_sample(300, 3, 2, 6), 1e8);
  ClassMoments rest = moments_of(all);
  rest.unmerge(moments_of(all.part(0, 100)), schema_of(all));
  const Sample kept = all.part(100, 300);
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto expected = static_cast<double>(class_scatter(kept, k)(index_of(i), index_of(i)));
      CHECK(rest.scatter(k, i, i) == doctest::Approx(expected).epsilon(1e-6));
    }
  }
}

TEST_CASE("moments: more weight than there is cannot be taken out") {
  const Sample all = made_sample(40, 2, 2, 7);
  Sample twice = all;
  for (std::size_t r = 0; r < all.rows(); ++r) { twice.append(all, r); }
  const auto message = refusal_of(moments_of(all), twice, SecondMoments::full);
  CHECK(contains(message, "class 'c0': a weight of"));
  CHECK(contains(message, "forget only rows that it was trained on"));
}

TEST_CASE("moments: rows farther out than the spread were never there") {
  const Sample all = made_sample(40, 2, 2, 8);
  for (const auto second : {SecondMoments::full, SecondMoments::diagonal}) {
    Sample stray = all.part(3, 4);
    stray.values[1] += 50.0;
    const auto message = refusal_of(moments_of(all, second), stray, second);
    CHECK(contains(message, "the spread of column 'x2'"));
    CHECK(contains(message, "class 'c" + std::to_string(stray.labels[0]) + "'"));
  }
}

TEST_CASE("moments: rows that fit every column, but not their correlation, were never there") {
  // x2 = x1 to one part in 1000; the stray row has x2 = -x1, well inside both columns.
  Sample all{.columns = 2, .classes = 1, .values = {}, .labels = {}, .weights = {}};
  for (int r = -50; r <= 50; ++r) {
    all.values.insert(all.values.end(), {0.1 * r, 0.1 * r + 0.001 * (r % 3)});
    all.labels.push_back(0);
  }
  Sample stray = all.part(0, 1);
  stray.values = {1.0, -1.0};
  CHECK(contains(refusal_of(moments_of(all), stray, SecondMoments::full),
                 "would not be positive semi-definite"));
  CHECK(refusal_of(moments_of(all, SecondMoments::diagonal), stray, SecondMoments::diagonal) ==
        "accepted");  // squares alone cannot know
}

TEST_CASE("moments: all rows of a class go, but not others in their place") {
  const Sample all = made_sample(60, 2, 3, 9);
  Sample gone{.columns = 2, .classes = 3, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = 0; r < all.rows(); ++r) {
    if (all.labels[r] == 1) { gone.append(all, r); }
  }
  ClassMoments rest = moments_of(all);
  rest.unmerge(moments_of(gone), schema_of(all));
  CHECK(rest.weight(1) == 0.0);
  CHECK(rest.mean(1, 0) == 0.0);
  CHECK(rest.scatter(1, 1, 0) == 0.0);
  CHECK(rest.remaining(schema_of(all)).labels == std::vector<std::string>{"c0", "c2"});

  Sample moved = gone;
  for (auto& value : moved.values) { value += 0.01; }
  CHECK(contains(refusal_of(moments_of(all), moved, SecondMoments::full), "class 'c1'"));
  Sample narrower = gone;
  const WideVector mean = class_mean(gone, 1);
  for (std::size_t e = 0; e < narrower.values.size(); ++e) {
    const auto m = static_cast<double>(mean(index_of(e % 2)));
    narrower.values[e] = m + 0.9 * (narrower.values[e] - m);
  }
  CHECK(contains(refusal_of(moments_of(all), narrower, SecondMoments::full), "class 'c1'"));
}

TEST_CASE("moments: a column that is constant in what stays has no spread left at all") {
  Sample all = made_sample(30, 2, 1, 10);
  for (std::size_t r = 5; r < all.rows(); ++r) { all.values[r * 2] = 0.1; }
  ClassMoments rest = moments_of(all);
  rest.unmerge(moments_of(all.part(0, 5)), schema_of(all));
  CHECK(rest.scatter(0, 0, 0) == 0.0);
  CHECK(rest.scatter(0, 1, 0) == 0.0);
  CHECK(rest.scatter(0, 1, 1) > 0.0);
}

TEST_CASE("moments: levels that no row is left of are not in the remaining schema") {
  const std::vector<std::int32_t> labels{0, 0, 1, 1, 1};
  const std::vector<std::int32_t> levels{0, 2, 1, 1, 0};
  const std::vector<const std::int32_t*> columns{levels.data()};
  Schema schema;
  schema.columns = {{.name = "color", .kind = ColumnKind::categorical, .levels = {"b", "g", "r"}}};
  schema.labels = {"no", "yes"};
  const auto moments = [&](std::size_t begin, std::size_t end) {
    ClassMoments sum(SecondMoments::full);
    const std::vector<const std::int32_t*> part{levels.data() + begin};
    sum.add({.rows = end - begin, .codes = part, .labels = labels.data() + begin},
            shape_of(schema));
    return sum;
  };
  ClassMoments rest = moments(0, 5);
  CHECK(rest.remaining(schema) == schema);
  rest.unmerge(moments(1, 4), schema);  // the only r, and both g
  const Schema left = rest.remaining(schema);
  CHECK(left.columns[0].levels == std::vector<std::string>{"b"});
  CHECK(left.labels == schema.labels);
}
