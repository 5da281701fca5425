#include "logodds/stats/fourth_moments.hpp"

#include <doctest/doctest.h>

#include "logodds/modelfile/container.hpp"
#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

FourthMoments moments_of(const Sample& sample) {
  std::vector<std::int32_t> codes;
  FourthMoments moments;
  moments.add(sample.block(codes), sample.shape());
  return moments;
}

/// sum_n w_n y_i^p y_j^p about the mean of the class, p = 1 or 2.
double direct_sum(const Sample& sample, std::size_t k, std::size_t i, std::size_t j, int power) {
  const WideVector mean = class_mean(sample, k);
  Wide sum = 0.0L;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.label(r) != k) { continue; }
    const WideVector y = row_of(sample, r) - mean;
    const Wide product = y(index_of(i)) * y(index_of(j));
    sum += wide(sample.weight(r)) * (power == 1 ? product : product * product);
  }
  return static_cast<double>(sum);
}

/// Largest error of any sum in units of the diagonal ones.
double worst_error(const FourthMoments& moments, const Sample& sample) {
  double worst = 0.0;
  for (std::size_t k = 0; k < sample.classes; ++k) {
    for (std::size_t i = 0; i < sample.columns; ++i) {
      for (std::size_t j = 0; j < sample.columns; ++j) {
        const auto unit = [&](int power) {
          return std::sqrt(direct_sum(sample, k, i, i, power) * direct_sum(sample, k, j, j, power));
        };
        const double second = moments.second(k, i, j) - direct_sum(sample, k, i, j, 1);
        const double fourth = moments.fourth(k, i, j) - direct_sum(sample, k, i, j, 2);
        worst = std::max({worst, std::abs(second) / unit(1), std::abs(fourth) / unit(2)});
      }
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("fourth moments are the direct sums, weighted or not, in one block or in many") {
  for (const Sample& sample : {made_sample(300, 4, 3, 1), weighted(made_sample(300, 4, 3, 2), 3)}) {
    CHECK(worst_error(moments_of(sample), sample) < 1e-13);
    std::vector<std::int32_t> codes;
    FourthMoments blocks;
    for (std::size_t r = 0; r < sample.rows(); r += 7) {
      const Sample part = sample.part(r, std::min(r + 7, sample.rows()));
      blocks.add(part.block(codes), part.shape());
    }
    CHECK(worst_error(blocks, sample) < 1e-13);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(blocks.weight(k) == static_cast<double>(class_weight(sample, k)));
    }
  }
}

TEST_CASE("fourth moments keep their digits when the columns stand far from 0") {
  Sample sample = made_sample(300, 3, 2, 4);
  for (auto& value : sample.values) { value += 1e6; }
  CHECK(worst_error(moments_of(sample), sample) < 1e-8);
}

TEST_CASE("fourth moments of parts merge to those of the whole, and can be taken out again") {
  const Sample sample = weighted(made_sample(240, 3, 2, 5), 6);
  FourthMoments moments = moments_of(sample.part(0, 100));
  moments.merge(moments_of(sample.part(100, 240)));
  CHECK(worst_error(moments, sample) < 1e-13);
  moments.unmerge(moments_of(sample.part(0, 100)));
  CHECK(worst_error(moments, sample.part(100, 240)) < 1e-11);
  FourthMoments empty;
  empty.merge(moments_of(sample));
  CHECK(worst_error(empty, sample) < 1e-13);
}

TEST_CASE("fourth moments: when all rows of a class go, nothing is left, odd weights or not") {
  Sample sample = made_sample(3, 2, 1, 7);
  sample.weights = {0.1, 0.2, 0.3};  // 0.1 + 0.2 + 0.3 - 0.1 - 0.2 - 0.3 is 1.1e-16
  FourthMoments moments = moments_of(sample);
  for (std::size_t r = 0; r < 3; ++r) { moments.unmerge(moments_of(sample.part(r, r + 1))); }
  CHECK(moments.weight(0) == 0.0);
  CHECK(moments.fourth(0, 1, 1) == 0.0);
}

TEST_CASE("fourth moments: a late level was 0 before, and recoding moves or drops") {
  const std::vector<double> numbers{1, 2, 4, 7};
  const std::vector<std::int32_t> labels{0, 0, 0, 0};
  const std::vector<std::int32_t> levels{0, 0, 1, 1};
  FourthMoments moments;
  for (const std::size_t begin : {std::size_t{0}, std::size_t{2}}) {
    const std::vector<const std::int32_t*> columns{levels.data() + begin};
    moments.add({.rows = 2,
                 .numeric = numbers.data() + begin,
                 .numeric_columns = 1,
                 .numeric_stride = 1,
                 .codes = columns,
                 .labels = labels.data()},
                {.classes = 1, .numeric = 1, .levels = {begin == 0 ? 1U : 2U}});
  }
  // y of the number: -2.5, -1.5, 0.5, 3.5; of either indicator +-1/2.
  const std::size_t late = moments.position({.position = 0, .level = 1});
  CHECK(moments.second(0, 0, late) == doctest::Approx(4.0).epsilon(1e-14));
  CHECK(moments.fourth(0, 0, late) == doctest::Approx(21.0 / 4.0).epsilon(1e-14));
  CHECK(moments.fourth(0, 0, 0) == doctest::Approx(194.25).epsilon(1e-14));

  Recoding recoding;
  recoding.shape = {.classes = 2, .numeric = 1, .levels = {1}};
  recoding.labels = {1};
  recoding.levels = {{-1, 0}};
  moments.recode(recoding);
  CHECK(moments.weight(0) == 0.0);
  CHECK(moments.weight(1) == 4.0);
  CHECK(moments.position({.position = 0, .level = 0}) == 1);
  CHECK(moments.second(1, 0, 1) == doctest::Approx(4.0).epsilon(1e-14));
  CHECK(moments.fourth(1, 1, 1) == doctest::Approx(0.25).epsilon(1e-14));
}

TEST_CASE("fourth moments: a class without rows can be dropped, the others keep theirs") {
  Sample sample = made_sample(40, 2, 3, 9);
  for (auto& label : sample.labels) { label = label == 0 ? 1 : label; }
  FourthMoments moments = moments_of(sample);
  Recoding recoding;
  recoding.shape = {.classes = 2, .numeric = 2, .levels = {}};
  recoding.labels = {-1, 1, 0};
  moments.recode(recoding);
  for (auto& label : sample.labels) { label = label == 2 ? 0 : 1; }
  sample.classes = 2;
  CHECK(worst_error(moments, sample) < 1e-13);
}

TEST_CASE("fourth moments: what is read back is what was written, and goes on as if never saved") {
  const Sample sample = made_sample(90, 3, 2, 8);
  const FourthMoments first = moments_of(sample.part(0, 50));
  modelfile::Writer writer;
  first.save(writer);
  const std::string bytes = writer.bytes();
  Schema schema;
  schema.columns.assign(3, {.name = "x", .kind = ColumnKind::real, .levels = {}});
  schema.labels = {"c0", "c1"};
  FourthMoments loaded = FourthMoments::load(modelfile::Reader(bytes, "memory"), schema);
  modelfile::Writer again;
  loaded.save(again);
  CHECK(again.bytes() == bytes);
  loaded.merge(moments_of(sample.part(50, 90)));
  CHECK(worst_error(loaded, sample) < 1e-13);
}
