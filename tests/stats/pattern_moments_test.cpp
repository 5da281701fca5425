#include "logodds/stats/pattern_moments.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "logodds/modelfile/container.hpp"
#include "stats/sub_block.hpp"
#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

PatternMoments moments_of(const Sample& sample, SecondMoments second = SecondMoments::full) {
  std::vector<std::int32_t> codes;
  PatternMoments moments(second);
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

std::string bytes_of(const PatternMoments& moments) {
  modelfile::Writer writer;
  moments.save(writer);
  return writer.bytes();
}

/// The rows of one class that have just these values, and only these columns.
Sample rows_with(const Sample& sample, const PatternMoments::Key& key) {
  Sample found{.columns = 0, .classes = 1, .values = {}, .labels = {}, .weights = {}};
  std::vector<std::int32_t> codes;
  const RowBlock block = sample.block(codes);
  for (const char mark : key.observed) { found.columns += mark == '1' ? 1U : 0U; }
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.label(r) != key.label || pattern_of(block, r) != key.observed) { continue; }
    for (std::size_t i = 0; i < sample.columns; ++i) {
      if (key.observed[i] == '1') { found.values.push_back(sample.at(r, i)); }
    }
    found.labels.push_back(0);
    found.weights.push_back(sample.weight(r));
  }
  return found;
}

/// Every pattern holds weight, mean and scatter of its rows.
void check_patterns(const PatternMoments& moments, const Sample& sample) {
  double weight = 0.0;
  for (const auto& [key, part] : moments.incomplete()) {
    CAPTURE(key.observed);
    const Sample rows = rows_with(sample, key);
    REQUIRE(rows.rows() > 0);
    CHECK(part.weight() ==
          doctest::Approx(static_cast<double>(class_weight(rows, 0))).epsilon(1e-14));
    weight += part.weight();
    const WideVector mean = class_mean(rows, 0);
    const WideMatrix scatter = class_scatter(rows, 0);
    for (std::size_t i = 0; i < rows.columns; ++i) {
      CHECK(part.mean(0, i) ==
            doctest::Approx(static_cast<double>(mean(index_of(i)))).epsilon(1e-12));
      for (std::size_t j = 0; j <= i; ++j) {
        const auto expected = static_cast<double>(scatter(index_of(i), index_of(j)));
        CHECK(std::abs(part.scatter(0, i, j) - expected) <= 1e-12 * (1.0 + std::abs(expected)));
      }
    }
  }
  CHECK(weight + moments.complete().weight() == doctest::Approx(moments.weight()).epsilon(1e-14));
}

}  // namespace

TEST_CASE("pattern moments of complete rows are the class moments, bit for bit") {
  const Sample sample = weighted(made_sample(200, 3, 3, 1), 2);
  std::vector<std::int32_t> codes;
  ClassMoments plain(SecondMoments::full);
  plain.add(sample.block(codes), sample.shape());
  const PatternMoments moments = moments_of(sample);
  CHECK(moments.incomplete().empty());
  CHECK(moments.rows_incomplete() == 0);
  for (std::size_t e = 0; e < plain.scatters().size(); ++e) {
    REQUIRE(moments.complete().scatters()[e] == plain.scatters()[e]);
  }
  // With incomplete rows among them, the complete ones are summed as if they were alone.
  Sample more = sample;
  for (std::size_t r = 0; r < 20; ++r) { more.append(with_gaps(sample, 1.0, 3), r); }
  const PatternMoments both = moments_of(more);
  CHECK(both.rows_incomplete() == 20);
  for (std::size_t e = 0; e < plain.scatters().size(); ++e) {
    REQUIRE(both.complete().scatters()[e] == doctest::Approx(plain.scatters()[e]).epsilon(1e-14));
  }
}

TEST_CASE("pattern moments: every pattern holds the sums of its rows, whatever the blocks") {
  const Sample sample = with_gaps(weighted(made_sample(300, 4, 3, 4), 5), 0.3, 6);
  check_patterns(moments_of(sample), sample);
  std::vector<std::int32_t> codes;
  PatternMoments blocks(SecondMoments::full);
  PatternMoments lane(SecondMoments::full);
  for (std::size_t r = 0; r < 300; r += 10) {
    const Sample part = sample.part(r, r + 10);
    (r % 20 == 0 ? blocks : lane).add(part.block(codes), part.shape());
  }
  REQUIRE(blocks.compatible(lane));
  blocks.merge(lane);
  check_patterns(blocks, sample);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(blocks.weight(k) ==
          doctest::Approx(static_cast<double>(class_weight(sample, k))).epsilon(1e-14));
  }
}

TEST_CASE("pattern moments: a row without any value counts in its class and nowhere else") {
  Sample sample = weighted(made_sample(20, 2, 2, 7), 8);
  for (std::size_t i = 0; i < 2; ++i) { sample.values[2 * 4 + i] = kNone; }
  const PatternMoments moments = moments_of(sample);
  REQUIRE(moments.incomplete().size() == 1);
  const auto& [key, part] = *moments.incomplete().begin();
  CHECK(key == PatternMoments::Key{sample.label(4), "00"});
  CHECK(part.weight() == sample.weight(4));
  CHECK(part.columns().empty());
  CHECK(moments.weight() ==
        doctest::Approx(static_cast<double>(class_weight(sample, 0) + class_weight(sample, 1))));
}

TEST_CASE("pattern moments: read back, they are the same bytes, and merge like the original") {
  Sample sample = with_gaps(made_sample(200, 3, 2, 9), 0.3, 10);
  for (std::size_t i = 0; i < 3; ++i) { sample.values[i] = kNone; }
  for (const auto second : {SecondMoments::full, SecondMoments::diagonal}) {
    const std::string bytes = bytes_of(moments_of(sample, second));
    const modelfile::Reader reader(bytes, "memory");
    PatternMoments loaded = PatternMoments::load(reader, schema_of(sample), second);
    CHECK(bytes_of(loaded) == bytes);
    PatternMoments twice = moments_of(sample, second);
    twice.merge(moments_of(sample, second));
    loaded.merge(moments_of(sample, second));
    CHECK(bytes_of(loaded) == bytes_of(twice));
  }
}

TEST_CASE("pattern moments: recoding moves classes and levels inside the patterns, too") {
  // One number and a column of three levels; the number is missing in rows 0 and 2.
  const std::vector<double> numbers{kNone, 2, kNone, 4};
  const std::vector<std::int32_t> levels{0, 1, 2, kMissingCode};
  const std::vector<std::int32_t> labels{0, 0, 0, 1};
  const std::vector<const std::int32_t*> columns{levels.data()};
  PatternMoments moments(SecondMoments::full);
  moments.add({.rows = 4,
               .numeric = numbers.data(),
               .numeric_columns = 1,
               .numeric_stride = 1,
               .codes = columns,
               .labels = labels.data()},
              {.classes = 2, .numeric = 1, .levels = {3}});
  Recoding recoding;
  recoding.shape = {.classes = 3, .numeric = 1, .levels = {4}};
  recoding.labels = {2, 0};
  recoding.levels = {{3, 0, 1}};
  moments.recode(recoding);
  CHECK(moments.weight(2) == 3.0);
  CHECK(moments.weight(0) == 1.0);
  const ClassMoments& no_number = moments.incomplete().at({2, "01"});
  REQUIRE(no_number.columns().size() == 4);
  CHECK(no_number.mean(0, 0) == 0.0);
  CHECK(no_number.mean(0, 1) == 0.5);
  CHECK(no_number.mean(0, 3) == 0.5);
  CHECK(no_number.scatter(0, 3, 1) == doctest::Approx(-0.5));
  CHECK(moments.incomplete().at({0, "10"}).mean(0, 0) == 4.0);
  CHECK(moments.complete().mean(2, 1) == 1.0);  // the complete row has the old level 1
}

TEST_CASE("pattern moments: rows are taken out of their own pattern, which may vanish") {
  const Sample sample = with_gaps(made_sample(120, 3, 2, 11), 0.3, 12);
  const Schema schema = schema_of(sample);
  PatternMoments rest = moments_of(sample);
  rest.unmerge(moments_of(sample.part(0, 60)), schema);
  check_patterns(rest, sample.part(60, 120));
  CHECK(rest.incomplete().size() == moments_of(sample.part(60, 120)).incomplete().size());

  Sample stray = sample.part(0, 1);
  stray.values = {kNone, kNone, 0.0};
  PatternMoments complete = moments_of(made_sample(120, 3, 2, 11));
  std::string message;
  try {
    complete.unmerge(moments_of(stray), schema);
  } catch (const Error& error) { message = error.what(); }
  CHECK(contains(message, "no row that lacks the same values"));
  // The message names the right column although its pattern lacks those before it.
  PatternMoments own = moments_of(sample);
  Sample far = sample.part(0, 1);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (std::isnan(sample.at(r, 0)) && !std::isnan(sample.at(r, 1)) &&
        !std::isnan(sample.at(r, 2))) {
      far = sample.part(r, r + 1);
    }
  }
  far.values[2] += 1e3;
  try {
    own.unmerge(moments_of(far), schema);
  } catch (const Error& error) { message = error.what(); }
  CHECK(contains(message, "'x3'"));
  CHECK(contains(message, "class 'c" + std::to_string(far.labels[0]) + "'"));
}

TEST_CASE("pattern moments: a class that is left with incomplete rows only remains") {
  Sample sample = made_sample(40, 2, 2, 13);
  Sample gone{.columns = 2, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  bool first = true;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.labels[r] != 1) { continue; }
    if (first) {
      sample.values[2 * r] = kNone;
      first = false;
    } else {
      gone.append(sample, r);
    }
  }
  PatternMoments rest = moments_of(sample);
  rest.unmerge(moments_of(gone), schema_of(sample));
  CHECK(rest.complete().weight(1) == 0.0);
  CHECK(rest.weight(1) == 1.0);
  CHECK(rest.remaining(schema_of(sample)).labels == std::vector<std::string>{"c0", "c1"});
}
