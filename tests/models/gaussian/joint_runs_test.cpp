// Models of a grid that are scored together say what each says by itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/models/family.hpp"
#include "models/gaussian/gaussian.hpp"
#include "support/sample.hpp"

using namespace logodds;
using logodds::models::gaussian::GaussianDiscriminant;
using logodds::models::gaussian::GaussianFamily;
using logodds::test::OptionMap;
using logodds::test::Sample;

namespace {

struct Models {
  explicit Models(const Sample& sample) : rows(sample) {}

  void add(OptionMap options) {
    options.try_emplace("covariance", "own");
    fits.push_back(test::fit(rows, options));
    discriminants.push_back(
        &static_cast<const FittedClassifier<GaussianFamily>&>(*fits.back().model).discriminant());
  }

  /// The largest difference of a score, of the squared distances that it is made of.
  [[nodiscard]] double largest_off(const JointRun& run) const {
    RowBlock block;
    block.rows = rows.rows();
    block.numeric = rows.values.data();
    block.numeric_columns = block.numeric_stride = rows.columns;
    block.complete = true;
    const std::size_t each = block.rows * fits.front().model->labels().size();
    std::vector<double> together(run.count * each);
    run.scores->log_scores(block, together);
    double off = 0.0;
    std::vector<double> alone(each);
    for (std::size_t m = 0; m < run.count; ++m) {
      discriminants[run.first + m]->log_scores(block, alone);
      for (std::size_t i = 0; i < each; ++i) {
        off = std::max(off, std::abs(together[m * each + i] - alone[i]) / (1 + std::abs(alone[i])));
      }
    }
    return off;
  }

  const Sample& rows;
  std::vector<Fit> fits;
  std::vector<const GaussianDiscriminant*> discriminants;
};

constexpr double kSame = 1e-11;

}  // namespace

TEST_CASE("regularisers that keep the axes are scored together") {
  const Sample sample = test::made_sample(400, 6, 3, 5);
  const std::vector<std::vector<OptionMap>> grids = {
      {{{"ridge", "0"}}, {{"ridge", "0.001"}}, {{"ridge", "0.1"}}, {{"ridge", "10"}}},
      {{{"shrinkage", "0"}}, {{"shrinkage", "0.3"}}, {{"shrinkage", "0.9"}}},
      {{{"blend", "0"}}, {{"blend", "0.2"}}, {{"blend", "0.9"}}},
      {{{"blend", "0.3,0"}}, {{"blend", "0.3,0.1"}}, {{"blend", "0.3,0.8"}}},
      {{{"wishart", "0"}}, {{"wishart", "2"}}, {{"wishart", "50"}}, {{"wishart", "500"}}},
      {{{"priors", "uniform"}}, {{"priors", "ml"}}, {{"priors", "smoothed:1"}}},
      {{{"ridge", "0.1"}, {"shrinkage", "0.5"}},
       {{"ridge", "2"}},
       {{"ridge-relative", "0.3"}, {"shrinkage", "0.1"}}}};
  for (const auto& grid : grids) {
    const std::string first = grid[1].begin()->first;
    CAPTURE(first);
    Models models(sample);
    for (const OptionMap& options : grid) { models.add(options); }
    const auto runs = GaussianFamily::joint_runs(models.discriminants);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].first == 0);
    CHECK(runs[0].count == grid.size());
    CHECK(models.largest_off(runs[0]) < kSame);
  }
}

TEST_CASE("classes that share a covariance in groups are scored together as well") {
  const Sample sample = test::made_sample(300, 4, 3, 6);
  Models models(sample);
  for (const char* ridge : {"0", "0.1", "1"}) {
    models.add({{"covariance", "groups"}, {"groups", "c0+c2"}, {"ridge", ridge}});
  }
  const auto runs = GaussianFamily::joint_runs(models.discriminants);
  REQUIRE(runs.size() == 1);
  CHECK(models.largest_off(runs[0]) < kSame);
}

TEST_CASE("a grid of two regularisers is scored in runs of the last") {
  const Sample sample = test::made_sample(400, 5, 2, 7);
  Models models(sample);
  for (const char* lambda : {"0", "0.3", "0.7"}) {
    for (const char* gamma : {"0", "0.1", "0.5", "0.9"}) {
      models.add({{"blend", std::string(lambda) + "," + gamma}});
    }
  }
  const auto runs = GaussianFamily::joint_runs(models.discriminants);
  REQUIRE(runs.size() == 3);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    CHECK(runs[run].first == 4 * run);
    CHECK(runs[run].count == 4);
    CHECK(models.largest_off(runs[run]) < kSame);
  }
}

TEST_CASE("columns in far-apart units keep their digits") {
  Sample sample = test::made_sample(400, 5, 2, 8);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[r * 5] *= 1e-6;
    sample.values[r * 5 + 1] = 1e5 * sample.values[r * 5 + 1] + 1e8;
  }
  for (const char* option : {"ridge", "shrinkage", "blend"}) {
    CAPTURE(option);
    Models models(sample);
    for (const char* value : {"0", "1e-9", "1e-3", "0.5", "0.9"}) { models.add({{option, value}}); }
    for (const JointRun& run : GaussianFamily::joint_runs(models.discriminants)) {
      CHECK(models.largest_off(run) < kSame);
    }
  }
}

TEST_CASE("what has no axes in common is left to each model") {
  const Sample sample = test::made_sample(200, 4, 2, 9);
  Models projected(sample);
  Models mixed(sample);
  for (const char* ridge : {"0", "1", "2"}) {
    projected.add({{"components", "2"}, {"ridge", ridge}});
    mixed.add({{"shrinkage", ridge == std::string("1") ? "oas" : "ledoit-wolf"}, {"ridge", ridge}});
  }
  CHECK(GaussianFamily::joint_runs(projected.discriminants).empty());
  CHECK(GaussianFamily::joint_runs(mixed.discriminants).empty());
}

TEST_CASE("models with one covariance are scored together where they have one center") {
  const Sample sample = test::made_sample(200, 4, 3, 10);
  Models models(sample);
  for (const char* priors : {"ml", "uniform"}) {
    for (const char* ridge : {"0", "1", "2"}) {
      models.add({{"covariance", "shared"}, {"ridge", ridge}, {"priors", priors}});
    }
  }
  models.add({{"covariance", "shared-diagonal"}, {"priors", "uniform"}});
  const auto runs = GaussianFamily::joint_runs(models.discriminants);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].count == 3);
  CHECK(runs[1].first == 3);
  CHECK(runs[1].count == 4);
  for (const JointRun& run : runs) { CHECK(models.largest_off(run) == 0.0); }
}
