// Gaussian mixtures: what EM promises, what must not depend on threads, units or offsets, and what
// is refused.
#include "logodds/models/mixture.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "logodds/modelfile/modelfile.hpp"
#include "models/gaussian/expectation.hpp"
#include "support/definitions.hpp"
#include "support/sample.hpp"

using namespace logodds;
using namespace logodds::test;
using models::gaussian::GaussianExpectation;
using models::gaussian::GaussianFamily;

namespace {

const std::vector<std::string> kStructures{"own",       "shared",          "diagonal",
                                           "spherical", "shared-diagonal", "shared-spherical"};

Fit mixture(const Sample& sample, const MixtureRule& rule, const OptionMap& options = {},
            const Context& context = {}) {
  MatrixData data = sample.data();
  data.labels = nullptr;
  data.label_names.clear();
  const auto source = open_matrix(std::move(data));
  return MixtureRows(*source, options, context).fit(rule, context);
}

std::vector<double> log_likelihoods(const Fit& fit) {
  std::vector<double> values;
  for (const auto& row : fit.report.trace.value().rows) {
    values.push_back(std::get<double>(row[1]));
  }
  return values;
}

std::string refused(const Sample& sample, const MixtureRule& rule, const OptionMap& options = {}) {
  try {
    static_cast<void>(mixture(sample, rule, options));
  } catch (const Error& error) { return error.what(); }
  return {};
}

/// One in the component of the row's class.
std::vector<double> true_shares(const Sample& sample) {
  std::vector<double> shares(sample.rows() * sample.classes, 0.0);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    shares[r * sample.classes + sample.label(r)] = 1.0;
  }
  return shares;
}

}  // namespace

TEST_CASE("mixture: the likelihood never falls, whatever the structure and the start") {
  const Sample sample = made_sample(1300, 3, 3, 5);
  for (const auto& structure : kStructures) {
    for (const auto start : {MixtureStart::k_means, MixtureStart::random}) {
      CAPTURE(structure);
      const auto fit = mixture(sample, {.components = 3, .start = start, .tolerance = 1e-7},
                               {{"covariance", structure}});
      const auto values = log_likelihoods(fit);
      REQUIRE(values.size() >= 2);
      for (std::size_t i = 1; i < values.size(); ++i) {
        CHECK(values[i] >= values[i - 1] - 1e-9 * std::abs(values[i]));
      }
      const auto likelihood = fit.model->training_likelihood().value();
      CHECK(likelihood.log_likelihood == values.back());
      CHECK(likelihood.weight == doctest::Approx(1300.0).epsilon(1e-12));
      CHECK(fit.model->labels() == std::vector<std::string>{"1", "2", "3"});
    }
  }
}

TEST_CASE("mixture: one component is the Gaussian of all rows") {
  const Sample sample = weighted(made_sample(500, 3, 1, 6), 7);
  const auto fit = mixture(sample, {.components = 1});
  const Moments moments(sample);
  const OnPaper paper(moments, {moments.scatters[0] / moments.weights[0]});
  Wide log_likelihood = 0.0L;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    log_likelihood += wide(sample.weight(r)) * paper.log_joint(row_of(sample, r), 0);
  }
  CHECK(fit.model->training_likelihood()->log_likelihood ==
        doctest::Approx(static_cast<double>(log_likelihood)).epsilon(1e-12));
  CHECK(fit.report.converged);
  CHECK(log_likelihoods(fit).size() == 2);
}

TEST_CASE("mixture: shares of 0 and 1 and no step give the model of those classes") {
  const Sample sample = weighted(made_sample(400, 2, 3, 8), 9);
  const auto shares = true_shares(sample);
  for (const auto& structure : kStructures) {
    const auto fitted = mixture(sample, {.components = 3, .max_iterations = 0, .shares = shares},
                                {{"covariance", structure}});
    const auto supervised = fit(sample, {{"covariance", structure}});
    CHECK(largest_error(posteriors_of(*fitted.model, sample),
                        posteriors_of(*supervised.model, sample)) < 1e-12);
  }
}

TEST_CASE("mixture: the pass of vector code is that of the plain one") {
  const Sample sample = weighted(made_sample(700, 5, 3, 10), 11);
  std::vector<std::int32_t> codes;
  RowBlock block = sample.block(codes);
  block.labels = nullptr;
  block.complete = true;
  const Shape shape = sample.shape();
  for (const auto& structure : kStructures) {
    CAPTURE(structure);
    const Options options(find_family("gaussian").options, {{"covariance", structure}});
    Schema schema;
    for (std::size_t i = 0; i < 5; ++i) {
      schema.columns.push_back({"x" + std::to_string(i), ColumnKind::real, {}});
    }
    schema.labels = {"a", "b", "c"};
    auto statistics = GaussianFamily::start(options);
    RowBlock labeled = block;
    labeled.labels = codes.data();
    statistics.add(labeled, shape);
    FitReport report;
    const auto model = GaussianFamily::estimate(statistics, {schema, options, {}, report});
    const auto empty = GaussianFamily::start(options);
    GaussianExpectation fast(model, empty, shape);
    em::Expectation<GaussianFamily> plain(model, empty, shape);
    fast.add(block);
    plain.add(block);
    CHECK(fast.log_likelihood() == doctest::Approx(plain.log_likelihood()).epsilon(1e-13));
    const auto a = fast.take_statistics();
    const auto b = plain.take_statistics();
    const auto& x = a.moments().complete();
    const auto& y = b.moments().complete();
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(x.weight(k) == doctest::Approx(y.weight(k)).epsilon(1e-12));
      for (std::size_t i = 0; i < 5; ++i) {
        CHECK(x.mean(k, i) == doctest::Approx(y.mean(k, i)).epsilon(1e-12));
        CHECK(x.scatter(k, i, i) == doctest::Approx(y.scatter(k, i, i)).epsilon(1e-11));
        CHECK(x.scatter(k, i, 0) == doctest::Approx(y.scatter(k, i, 0)).epsilon(1e-10));
      }
    }
  }
}

TEST_CASE("mixture: the same bits for any number of threads [threads]") {
  const Sample sample = made_sample(20000, 3, 3, 12);
  for (const auto start : {MixtureStart::k_means, MixtureStart::random}) {
    const MixtureRule rule{.components = 3, .start = start, .max_iterations = 6};
    const auto one = modelfile::to_bytes(*mixture(sample, rule, {}, {.threads = 1}).model);
    CHECK(modelfile::to_bytes(*mixture(sample, rule, {}, {.threads = 2}).model) == one);
    CHECK(modelfile::to_bytes(*mixture(sample, rule, {}, {.threads = 7}).model) == one);
  }
}

TEST_CASE("mixture: an offset of the columns costs no digits") {
  const Sample sample = made_sample(900, 2, 2, 13);
  Sample far = sample;
  for (double& value : far.values) { value += 1048576.0; }
  const auto near_fit = mixture(sample, {.components = 2, .tolerance = 1e-9});
  const auto far_fit = mixture(far, {.components = 2, .tolerance = 1e-9});
  CHECK(far_fit.model->training_likelihood()->log_likelihood ==
        doctest::Approx(near_fit.model->training_likelihood()->log_likelihood).epsilon(1e-9));
  CHECK(largest_error(posteriors_of(*far_fit.model, far), posteriors_of(*near_fit.model, sample)) <
        1e-5);
}

TEST_CASE("mixture: of several starts the best is kept, and all are told") {
  const Sample sample = made_sample(400, 2, 3, 14);
  const auto fit = mixture(sample, {.components = 4, .start = MixtureStart::random, .restarts = 5});
  const auto& table = fit.report.tables.front();
  CHECK(table.title == "starts");
  REQUIRE(table.rows.size() == 5);
  double best = -std::numeric_limits<double>::infinity();
  double kept = best;
  for (const auto& row : table.rows) {
    const double value = std::get<double>(row[1]);
    best = std::max(best, value);
    if (std::get<std::string>(row[2]) == "yes") { kept = value; }
  }
  CHECK(kept == best);
  CHECK(fit.model->training_likelihood()->log_likelihood == best);
}

TEST_CASE("mixture: rows that lack values count, and begin with the nearest center that they see") {
  Sample sample = with_gaps(made_sample(400, 3, 2, 15), 0.15, 16);
  for (const auto start : {MixtureStart::k_means, MixtureStart::random}) {
    const auto fit = mixture(sample, {.components = 2, .start = start});
    CHECK(fit.report.rows == 400);
    CHECK(fit.report.rows_incomplete > 50);
    const auto values = log_likelihoods(fit);
    for (std::size_t i = 1; i < values.size(); ++i) {
      CHECK(values[i] >= values[i - 1] - 1e-9 * std::abs(values[i]));
    }
  }
  for (std::size_t r = 0; r < 400; ++r) {
    sample.values[r * 3 + r % 3] = std::numeric_limits<double>::quiet_NaN();
  }
  CHECK(contains(refused(sample, {.components = 2}), "every row lacks a value"));
}

TEST_CASE("mixture: what cannot be is refused, with what to do") {
  const Sample sample = made_sample(20, 2, 2, 17);
  CHECK(contains(refused(sample, {.components = 21}), "20 rows, too few for 21 components"));
  CHECK(contains(refused(sample, {.components = 0}), "at least one component"));
  const std::vector<double> few(10, 0.5);
  CHECK(contains(refused(sample, {.components = 2, .shares = few}), "5 rows of shares, but 20"));
  const std::vector<double> wrong(40, 0.4);
  CHECK(contains(refused(sample, {.components = 2, .shares = wrong}), "row 1 of the start"));
  CHECK(contains(refused(sample, {.components = 2}, {{"blend", "auto"}}), "LAMBDA,GAMMA"));
  Sample equal = sample;
  for (std::size_t i = 0; i < equal.values.size(); ++i) {
    equal.values[i] = i % 2 == 0 ? 1.0 : 2.0;
  }
  CHECK(contains(refused(equal, {.components = 2}), "only 1 different point"));
  CHECK(contains(refused(equal, {.components = 1}), "--ridge"));
  Sample spike = made_sample(60, 2, 1, 18);
  for (std::size_t r = 50; r < 60; ++r) { spike.values[2 * r] = spike.values[2 * r + 1] = 99.0; }
  const auto sentence = refused(spike, {.components = 2});
  CHECK(contains(sentence, "EM: class '"));
  CHECK(contains(sentence, "--ridge"));
  CHECK(mixture(spike, {.components = 2}, {{"ridge", "0.01"}}).report.converged);
}
