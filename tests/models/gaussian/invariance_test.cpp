// Units and zero points of the columns, and for full covariances any invertible affine map, change
// no posterior.
#include <doctest/doctest.h>

#include <random>

#include "support/definitions.hpp"
#include "support/shared_data.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

const std::vector<OptionMap>& structures() {
  static const std::vector<OptionMap> all{{{"covariance", "shared"}},
                                          {{"covariance", "own"}},
                                          {{"covariance", "groups"}, {"groups", "c0+c2"}},
                                          {{"covariance", "diagonal"}},
                                          {{"covariance", "shared-diagonal"}}};
  return all;
}

Sample mapped(Sample sample, double scale, double shift) {
  for (auto& value : sample.values) { value = scale * value + shift; }
  return sample;
}

double change(const Sample& one, const Sample& other, const OptionMap& options) {
  return largest_error(posteriors_of(*fit(other, options).model, other),
                       posteriors_of(*fit(one, options).model, one));
}

/// Q diag(1, ..., 1/100) R with random rotations: condition number 100.
WideMatrix random_map(Eigen::Index d, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto rotation = [&] {
    WideMatrix raw(d, d);
    for (Eigen::Index e = 0; e < d * d; ++e) { raw(e / d, e % d) = wide(normal(random)); }
    return WideMatrix(Eigen::HouseholderQR<WideMatrix>(raw).householderQ());
  };
  WideVector stretch(d);
  for (Eigen::Index i = 0; i < d; ++i) {
    stretch(i) = std::pow(100.0L, -static_cast<Wide>(i) / static_cast<Wide>(d - 1));
  }
  return rotation() * stretch.asDiagonal() * rotation();
}

}  // namespace

TEST_CASE("invariance: columns shifted by 1e8, or scaled by 1e-6 or 1e6, change no posterior") {
  // 5000 rows are five blocks in as many lanes, whose means differ.
  for (const Sample& sample :
       {made_sample(5000, 4, 3, 91), weighted(made_sample(300, 4, 3, 92), 1)}) {
    for (const auto& options : structures()) {
      CAPTURE(options.at("covariance"));
      CHECK(change(sample, mapped(sample, 1.0, 1e8), options) < 1e-6);
      CHECK(change(sample, mapped(sample, 1.0, -1e8), options) < 1e-6);
      CHECK(change(sample, mapped(sample, 1e-6, 0.0), options) < 1e-6);
      CHECK(change(sample, mapped(sample, 1e6, 0.0), options) < 1e-6);
      CHECK(change(sample, mapped(sample, 1e6, 1e14), options) < 1e-6);
    }
  }
}

TEST_CASE("invariance: one column alone in other units, and rows that lack values") {
  const Sample sample = with_gaps(made_sample(400, 3, 3, 93), 0.1, 94);
  Sample other = sample;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    other.values[3 * r] = 1e6 * sample.at(r, 0);
    other.values[3 * r + 1] = sample.at(r, 1) + 1e8;
    other.values[3 * r + 2] = 1e-6 * sample.at(r, 2);
  }
  for (const auto& options : structures()) {
    CAPTURE(options.at("covariance"));
    CHECK(change(sample, other, options) < 1e-6);
  }
}

TEST_CASE("invariance: forgetting is as good far from 0") {
  const Sample sample = mapped(made_sample(600, 3, 3, 95), 1.0, 1e8);
  const Sample rest = sample.part(200, 600);
  for (const auto& options : structures()) {
    const auto left = forget(*fit(sample, options).model, *open_matrix(sample.part(0, 200).data()));
    CHECK(largest_error(posteriors_of(*left.model, rest),
                        posteriors_of(*fit(rest, options).model, rest)) < 1e-6);
  }
}

TEST_CASE("invariance: an affine map of all columns changes no posterior of full covariances") {
  const Sample sample = made_sample(400, 5, 3, 96);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const WideMatrix map = random_map(5, seed);
    Sample moved = sample;
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const WideVector x = map * row_of(sample, r);
      for (std::size_t i = 0; i < 5; ++i) {
        moved.values[5 * r + i] = static_cast<double>(x(index_of(i))) + 10.0;
      }
    }
    CHECK(change(sample, moved, {{"covariance", "shared"}}) < 1e-8);
    CHECK(change(sample, moved, {{"covariance", "own"}}) < 1e-8);
    CHECK(change(sample, moved, {{"covariance", "diagonal"}}) > 1e-3);  // as it must
  }
}

TEST_CASE("invariance: iris with one column times 1e6 keeps its accuracy of 0.96") {
  const auto path = shared_data("iris/iris.csv");
  if (!path) { return; }
  const auto source = open_csv(*path, {.target = "Species"});
  std::vector<double> values;
  std::vector<std::int64_t> labels;
  RowBuffer buffer;
  while (source->take(buffer)) {
    source->parse(buffer);
    const RowBlock block = buffer.view();
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double* const row = block.numeric + r * block.numeric_stride;
      values.insert(values.end(), row, row + 4);
      labels.push_back(block.labels[r]);
    }
  }
  Sample iris{.columns = 4, .classes = 3, .values = values, .labels = labels, .weights = {}};
  for (std::size_t column = 0; column <= 4; ++column) {
    Sample scaled = iris;
    for (std::size_t r = 0; r < iris.rows() && column < 4; ++r) {
      scaled.values[4 * r + column] *= 1e6;
    }
    const auto model = fit(scaled, {{"covariance", "diagonal"}}).model;
    const auto rows = open_matrix(scaled.data(), model->schema());
    CHECK(evaluate(*model, *rows).measures.accuracy() == doctest::Approx(0.96).epsilon(1e-12));
  }
}
