// What score() and evaluate() give besides posteriors, each computed again from the parameters.
#include <doctest/doctest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <limits>

#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

struct Scored {
  std::vector<double> posteriors, log_densities, p_values, distances;
  std::vector<std::int32_t> decisions;
  ScoreReport report;
};

Scored scored(const Classifier& model, const Sample& sample, const ScoreRequest& request) {
  Scored all;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto source = open_matrix(sample.data(), model.schema());
  all.report = score(
      model, *source,
      [&](const ScoredBlock& block) {
        append(all.posteriors, block.posteriors);
        append(all.log_densities, block.log_densities);
        append(all.p_values, block.p_values);
        append(all.distances, block.distances);
        append(all.decisions, block.decisions);
      },
      {.threads = 2}, request);
  return all;
}

OnPaper own_on_paper(const Sample& sample, std::vector<Wide> priors) {
  const Moments moments(sample);
  std::vector<WideMatrix> sigmas;
  for (std::size_t k = 0; k < sample.classes; ++k) {
    sigmas.push_back(moments.scatters[k] / moments.weights[k]);
  }
  OnPaper paper(moments, sigmas);
  paper.priors = std::move(priors);
  return paper;
}

/// The least squared Mahalanobis distance, and how many values it is over.
std::pair<double, int> nearest(const OnPaper& paper, const WideVector& x) {
  std::vector<Eigen::Index> seen;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (!std::isnan(x(i))) { seen.push_back(i); }
  }
  Wide least = std::numeric_limits<Wide>::infinity();
  for (std::size_t k = 0; k < paper.means.size(); ++k) {
    const WideVector off = x(seen) - paper.means[k](seen);
    const WideMatrix sigma = paper.sigmas[k](seen, seen);
    least = std::min(least, off.dot(WideVector(sigma.inverse() * off)));
  }
  return {static_cast<double>(least), static_cast<int>(seen.size())};
}

const OptionMap kOwn{{"covariance", "own"}, {"priors", "c0=0.9,c1=0.05,c2=0.05"}};

}  // namespace

TEST_CASE("score: densities and outlier p-values are those of the mixture, gaps or not") {
  const Sample train_rows = made_sample(200, 3, 3, 151);
  const Sample sample = with_gaps(made_sample(1500, 3, 3, 151), 0.2, 152);
  const auto model = fit(train_rows, kOwn).model;
  const OnPaper paper = own_on_paper(train_rows, {0.9L, 0.05L, 0.05L});
  const Scored plain = scored(*model, sample, {});
  const Scored all = scored(*model, sample, {.densities = true});
  CHECK(largest_error(all.posteriors, plain.posteriors) < 1e-12);
  CHECK(plain.log_densities.empty());
  CHECK(plain.p_values.empty());
  REQUIRE(all.log_densities.size() == sample.rows());
  for (std::size_t r = 0; r < sample.rows(); r += 5) {
    const WideVector x = row_of(sample, r);
    Wide density = 0.0L;
    for (std::size_t k = 0; k < 3; ++k) { density += std::exp(paper.log_joint(x, k)); }
    CHECK(all.log_densities[r] ==
          doctest::Approx(static_cast<double>(std::log(density))).epsilon(1e-11));
    const auto [distance, values] = nearest(paper, x);
    const boost::math::chi_squared chi(values);
    CHECK(all.p_values[r] ==
          doctest::Approx(boost::math::cdf(boost::math::complement(chi, distance))).epsilon(1e-9));
  }
}

TEST_CASE("score: the likelihood rule decides as if the priors were equal") {
  const Sample sample = made_sample(600, 3, 3, 153);
  const auto model = fit(sample, kOwn).model;
  const auto equal = with_options(*model, {{"priors", "uniform"}}).model;
  for (const bool densities : {false, true}) {
    const Scored by_likelihood =
        scored(*model, sample, {.rule = decide::Rule::likelihood, .densities = densities});
    CHECK(by_likelihood.decisions == scored(*equal, sample, {}).decisions);
    CHECK(by_likelihood.decisions != scored(*model, sample, {}).decisions);
    CHECK(largest_error(by_likelihood.posteriors, scored(*model, sample, {}).posteriors) < 1e-12);
  }
  const auto rows = open_matrix(sample.data(), model->schema());
  const auto other = open_matrix(sample.data(), equal->schema());
  CHECK(evaluate(*model, *rows, {}, {.rule = decide::Rule::likelihood}).measures.confusion() ==
        evaluate(*equal, *other).measures.confusion());
}

TEST_CASE("score: rows below the outlier level are not decided, and not evaluated") {
  Sample sample = made_sample(400, 3, 3, 154);
  const auto model = fit(sample, kOwn).model;
  for (std::size_t i = 0; i < 3; ++i) { sample.values[i] = 40.0; }  // a stray first row
  const Scored all = scored(*model, sample, {.densities = true, .reject_outliers = 0.2});
  const Scored plain = scored(*model, sample, {});
  std::size_t rejected = 0;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    const bool out = all.p_values[r] < 0.2;
    rejected += out ? 1U : 0U;
    CHECK(all.decisions[r] == (out ? kNoDecision : plain.decisions[r]));
  }
  CHECK(all.decisions[0] == kNoDecision);
  CHECK(rejected > 10);
  CHECK(all.report.rows_rejected == rejected);
  CHECK(all.report.rows == sample.rows());
  CHECK(scored(*model, sample, {.reject_outliers = 0.2}).decisions == all.decisions);
  const auto rows = open_matrix(sample.data(), model->schema());
  const auto evaluation = evaluate(*model, *rows, {}, {.reject_outliers = 0.2});
  CHECK(evaluation.measures.rows() == sample.rows() - rejected);
  CHECK(evaluation.report.rows_rejected == rejected);
}

TEST_CASE("score: distances are the linear boundaries' values over the length of their normals") {
  const Sample sample = made_sample(300, 3, 3, 155);
  for (const OptionMap& options :
       {OptionMap{{"priors", "c0=0.6,c1=0.3,c2=0.1"}}, OptionMap{{"covariance", "shared-diagonal"}},
        OptionMap{{"covariance", "groups"}, {"groups", "c0+c2"}}, OptionMap{{"components", "2"}}}) {
    const auto model = fit(sample, options).model;
    std::vector<Boundary> linear;
    for (const auto& boundary : model->geometry()->boundaries()) {
      if (boundary.linear()) { linear.push_back(boundary); }
    }
    const Scored all = scored(*model, sample, {.distances = true});
    REQUIRE(all.distances.size() == sample.rows() * linear.size());
    for (std::size_t r = 0; r < sample.rows(); r += 7) {
      for (std::size_t b = 0; b < linear.size(); ++b) {
        double value = linear[b].offset;
        double square = 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
          value += linear[b].normal[i] * sample.at(r, i);
          square += linear[b].normal[i] * linear[b].normal[i];
        }
        const double odds = std::log(all.posteriors[3 * r + linear[b].second] /
                                     all.posteriors[3 * r + linear[b].first]);
        CHECK(value == doctest::Approx(odds).epsilon(1e-9));
        CHECK(all.distances[r * linear.size() + b] ==
              doctest::Approx(value / std::sqrt(square)).epsilon(1e-9));
      }
    }
  }
  const auto own = fit(sample, kOwn).model;
  CHECK_THROWS_WITH_AS(static_cast<void>(scored(*own, sample, {.distances = true})),
                       doctest::Contains("no boundary of this model is linear"), Error);
}

TEST_CASE("score: a family without densities says so; missing rows are counted") {
  const Sample sample = made_sample(60, 2, 2, 156);
  const auto softmax = train(*open_matrix(sample.data()), "softmax").model;
  for (const ScoreRequest& request :
       {ScoreRequest{.densities = true}, ScoreRequest{.reject_outliers = 0.1},
        ScoreRequest{.rule = decide::Rule::likelihood}}) {
    CHECK_THROWS_WITH_AS(static_cast<void>(scored(*softmax, sample, request)),
                         doctest::Contains("family softmax has no densities"), Error);
  }
  const Sample gaps = with_gaps(sample, 0.4, 157);
  const auto model = fit(sample).model;
  const Scored used = scored(*model, gaps, {});
  const Scored skipped = scored(*model, gaps, {.missing = MissingRows::skip});
  CHECK(used.report.rows == 60);
  CHECK(used.report.rows_incomplete == skipped.report.rows_skipped);
  CHECK(skipped.report.rows + skipped.report.rows_skipped == 60);
  CHECK_THROWS_AS(static_cast<void>(scored(*model, gaps, {.missing = MissingRows::error})), Error);
}
