// A covariance that is not positive definite is named with class, rank, columns and cure; with a
// regulariser the same rows train.
#include <doctest/doctest.h>

#include <limits>

#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

const std::vector<OptionMap>& cures() {
  static const std::vector<OptionMap> all{{{"ridge", "0.001"}},
                                          {{"ridge-relative", "0.001"}},
                                          {{"wishart", "1"}},
                                          {{"shrinkage", "0.01"}},
                                          {{"shrinkage", "oas"}}};
  return all;
}

/// Every regulariser cures it, and the posteriors are posteriors.
void check_cured(const Sample& sample, const std::string& structure) {
  for (OptionMap options : cures()) {
    const std::string cure = options.begin()->first + " " + options.begin()->second;
    CAPTURE(structure);
    CAPTURE(cure);
    options["covariance"] = structure;
    const auto error = refusal(sample, options);
    CHECK(error == "");
    if (!error.empty()) { continue; }
    const auto all = posteriors_of(*fit(sample, options).model, sample);
    for (const double p : all) { REQUIRE((p >= 0.0 && p <= 1.0)); }
  }
}

Sample constant_column() {
  Sample sample = made_sample(40, 3, 2, 81);
  for (std::size_t r = 0; r < sample.rows(); ++r) { sample.values[3 * r + 1] = 0.1; }
  return sample;
}

Sample collinear_columns() {
  Sample sample = made_sample(40, 3, 2, 82);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[3 * r + 2] = 2.0 * sample.at(r, 0) - sample.at(r, 1) + 5.0;
  }
  return sample;
}

/// Class c1 has one row.
Sample lonely_row() {
  Sample sample = made_sample(40, 2, 2, 83);
  for (std::size_t r = 2; r < sample.rows(); ++r) { sample.labels[r] = 0; }
  return sample;
}

}  // namespace

TEST_CASE("singular: a constant column") {
  const Sample sample = constant_column();
  for (const std::string structure : {"shared", "own"}) {
    const auto message = refusal(sample, {{"covariance", structure}});
    CHECK(contains(message, structure == "own" ? "class 'c0': " : "the shared covariance: "));
    CHECK(contains(message, "the covariance is singular (rank 2 of 3"));
    CHECK(contains(message, "constant: 'x2';"));
    CHECK(contains(message, "--ignore"));
    CHECK(contains(message, "--ridge 0.001"));
    CHECK_FALSE(contains(message, "diagonal"));  // which is no cure for this
    check_cured(sample, structure);
  }
  for (const std::string structure : {"diagonal", "shared-diagonal"}) {
    const auto message = refusal(sample, {{"covariance", structure}});
    CHECK(contains(message, "no variance"));
    CHECK(contains(message, "'x2'"));
    CHECK(contains(message, "--ridge 0.001"));
    check_cured(sample, structure);
  }
  CHECK(refusal(sample, {{"covariance", "spherical"}}).empty());  // the mean variance is not 0
}

TEST_CASE("singular: a column that is constant in one class only is that class's problem") {
  Sample sample = made_sample(60, 2, 3, 84);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.labels[r] == 2) { sample.values[2 * r] = 1e6; }
  }
  CHECK(refusal(sample, {{"covariance", "shared"}}).empty());
  CHECK(refusal(sample, {{"covariance", "groups"}, {"groups", "c1+c2"}}).empty());
  for (const OptionMap& options :
       {OptionMap{{"covariance", "own"}}, OptionMap{{"covariance", "diagonal"}},
        OptionMap{{"covariance", "groups"}, {"groups", "c0+c1"}}}) {
    const auto message = refusal(sample, options);
    CHECK(contains(message, "class 'c2': "));
    CHECK(contains(message, "'x1'"));
  }
  check_cured(sample, "own");
  check_cured(sample, "diagonal");
  CHECK(refusal(sample, {{"blend", "0.1,0"}}).empty());  // a little of the shared one cures it
}

TEST_CASE("singular: collinear columns") {
  const Sample sample = collinear_columns();
  for (const std::string structure : {"shared", "own"}) {
    const auto message = refusal(sample, {{"covariance", structure}});
    CHECK(contains(message, "rank 2 of 3"));
    CHECK(contains(message, "determined by the columns before: 'x3'"));
    CHECK(contains(message, "--ignore"));
    CHECK(contains(message, "--ridge 0.001"));
    CHECK(contains(message, "--covariance diagonal"));
    check_cured(sample, structure);
  }
  CHECK(refusal(sample, {{"covariance", "diagonal"}}).empty());
  CHECK(refusal(sample, {{"blend", "1,0.1"}}).empty());
}

TEST_CASE("singular: a class of one row") {
  const Sample sample = lonely_row();
  for (const std::string structure : {"own", "diagonal", "spherical"}) {
    const auto message = refusal(sample, {{"covariance", structure}});
    CAPTURE(structure);
    CHECK(contains(message, "class 'c1'"));
    CHECK(contains(message, "1 row"));
    CHECK(contains(message, "--ridge 0.001"));
  }
  CHECK(contains(refusal(sample, {{"covariance", "own"}, {"divisor", "n-1"}}), "--divisor n"));
  CHECK(refusal(sample, {{"covariance", "shared"}}).empty());
  CHECK(refusal(sample, {{"covariance", "own"}, {"ridge", "0.001"}}).empty());
  CHECK(refusal(sample, {{"covariance", "own"}, {"ridge-relative", "0.001"}}).empty());
  CHECK(refusal(sample, {{"covariance", "own"}, {"wishart", "1"}}).empty());
  CHECK(refusal(sample, {{"blend", "0.5,0"}}).empty());
  CHECK(refusal(sample, {{"covariance", "own"}, {"divisor", "n-1"}, {"wishart", "1"}}).empty());
}

TEST_CASE("singular: more columns than rows") {
  const Sample sample = made_sample(14, 20, 2, 85);
  const auto shared = refusal(sample, {});
  CHECK(contains(shared,
                 "the shared covariance: the covariance is singular (rank 12 of 20, from 14"));
  CHECK(contains(shared, "'x13', 'x14', 'x15', 'x16', 'x17' and 3 more"));
  CHECK(contains(refusal(sample, {{"covariance", "own"}}), "class 'c0'"));
  check_cured(sample, "shared");
  check_cured(sample, "own");
  CHECK(refusal(sample, {{"covariance", "own"}, {"shrinkage", "ledoit-wolf"}}).empty());
  CHECK(refusal(sample, {{"covariance", "diagonal"}}).empty());
  CHECK(refusal(sample, {{"components", "4"}, {"ridge", "0.01"}}).empty());
}

TEST_CASE("singular: every regulariser cures rows that lack values, too") {
  Sample sample = made_sample(14, 8, 2, 86);
  sample.values[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK(contains(refusal(sample, {{"covariance", "own"}}), "the covariance is singular"));
  check_cured(sample, "own");
  Sample collinear = collinear_columns();
  collinear.values[3] = std::numeric_limits<double>::quiet_NaN();
  check_cured(collinear, "shared");
  CHECK(refusal(sample, {{"covariance", "own"}, {"blend", "0.5,0.1"}}) == "");
  CHECK(refusal(collinear, {{"covariance", "own"}, {"shrinkage", "ledoit-wolf"}}) == "");
}

TEST_CASE("singular: nearly collinear columns train, with a note") {
  Sample sample = collinear_columns();
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[3 * r + 2] += 1e-6 * static_cast<double>(r % 7);
  }
  const auto notes = fit(sample).report.notes;
  REQUIRE(notes.size() == 1);
  CHECK(contains(notes[0], "nearly collinear"));
  CHECK(fit(made_sample(40, 3, 2, 82)).report.notes.empty());
}
