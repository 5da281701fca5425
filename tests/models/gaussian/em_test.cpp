// Training with missing values: EM against a plain EM over the rows, one by one.
#include <doctest/doctest.h>

#include <limits>

#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Turns expected scatters into covariances: the M-step of a structure.
using Maximize = std::vector<WideMatrix> (*)(const std::vector<WideMatrix>&,
                                             const std::vector<Wide>&);

std::vector<WideMatrix> own_with_ridge(const std::vector<WideMatrix>& scatters,
                                       const std::vector<Wide>& weights) {
  std::vector<WideMatrix> sigmas;
  for (std::size_t k = 0; k < scatters.size(); ++k) {
    sigmas.push_back(scatters[k] / weights[k] +
                     0.25L * WideMatrix::Identity(scatters[k].rows(), scatters[k].rows()));
  }
  return sigmas;
}

std::vector<WideMatrix> shared(const std::vector<WideMatrix>& scatters,
                               const std::vector<Wide>& weights) {
  WideMatrix sum = scatters[0];
  Wide weight = weights[0];
  for (std::size_t k = 1; k < scatters.size(); ++k) {
    sum += scatters[k];
    weight += weights[k];
  }
  return std::vector<WideMatrix>(scatters.size(), sum / weight);
}

/// (1 - 0.3) S_k + 0.3 times the mean variance of S_k.
std::vector<WideMatrix> own_shrunk(const std::vector<WideMatrix>& scatters,
                                   const std::vector<Wide>& weights) {
  std::vector<WideMatrix> sigmas;
  for (std::size_t k = 0; k < scatters.size(); ++k) {
    const WideMatrix sigma = scatters[k] / weights[k];
    const Wide mean = sigma.trace() / static_cast<Wide>(sigma.rows());
    sigmas.push_back(0.7L * sigma + 0.3L * mean * WideMatrix::Identity(sigma.rows(), sigma.rows()));
  }
  return sigmas;
}

/// E[x | what the row has], and the covariance of what it lacks, zeros elsewhere.
struct Completed {
  WideVector mean;
  WideMatrix covariance;
};

Completed complete(const WideVector& x, const WideVector& mu, const WideMatrix& sigma) {
  std::vector<Eigen::Index> seen;
  std::vector<Eigen::Index> gone;
  for (Eigen::Index i = 0; i < x.size(); ++i) { (std::isnan(x(i)) ? gone : seen).push_back(i); }
  Completed result{mu, WideMatrix::Zero(x.size(), x.size())};
  result.mean(seen) = x(seen);
  if (gone.empty()) { return result; }
  const WideMatrix slope = sigma(gone, seen) * WideMatrix(sigma(seen, seen)).inverse();
  result.mean(gone) = mu(gone) + slope * WideVector(x(seen) - mu(seen));
  result.covariance(gone, gone) = sigma(gone, gone) - slope * sigma(seen, gone);
  return result;
}

/// Dempster, Laird & Rubin (1977), 600 steps from means of the available values.
OnPaper plain_em(const Sample& sample, Maximize maximize) {
  const auto d = index_of(sample.columns);
  OnPaper model;
  std::vector<Wide> weights;
  Wide total = 0.0L;
  for (std::size_t k = 0; k < sample.classes; ++k) {
    weights.push_back(class_weight(sample, k));
    total += weights.back();
    model.means.emplace_back(WideVector::Zero(d));
    model.sigmas.emplace_back(WideMatrix::Identity(d, d));
  }
  for (const Wide weight : weights) { model.priors.push_back(weight / total); }
  for (int step = 0; step < 600; ++step) {
    std::vector<WideVector> means(sample.classes, WideVector::Zero(d));
    std::vector<WideMatrix> squares(sample.classes, WideMatrix::Zero(d, d));
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const std::size_t k = sample.label(r);
      const Completed row = complete(row_of(sample, r), model.means[k], model.sigmas[k]);
      means[k] += wide(sample.weight(r)) / weights[k] * row.mean;
      squares[k] += wide(sample.weight(r)) * (row.mean * row.mean.transpose() + row.covariance);
    }
    for (std::size_t k = 0; k < sample.classes; ++k) {
      squares[k] -= weights[k] * means[k] * means[k].transpose();
    }
    model.means = means;
    model.sigmas = maximize(squares, weights);
  }
  return model;
}

std::vector<double> log_likelihoods(const FitReport& report) {
  std::vector<double> values;
  REQUIRE(report.trace.has_value());
  for (const auto& row : report.trace->rows) { values.push_back(std::get<double>(row.at(1))); }
  return values;
}

/// sum_n w_n ln p(x_n | class) of what was observed.
double observed_log_likelihood(const OnPaper& model, const Sample& sample) {
  Wide sum = 0.0L;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    const std::size_t k = sample.label(r);
    const Wide joint = model.log_joint(row_of(sample, r), k);
    sum += wide(sample.weight(r)) * (joint - std::log(model.priors[k]));
  }
  return static_cast<double>(sum);
}

void check_against(const OnPaper& expected, const Sample& sample, const OptionMap& options) {
  const Fit fitted = fit(sample, options);
  CHECK(largest_error(posteriors_of(*fitted.model, sample), expected.posteriors(sample)) < 1e-8);
  const auto means = array_of(*fitted.model, "means");
  for (std::size_t e = 0; e < means.size(); ++e) {
    const auto mean = expected.means[e / sample.columns](index_of(e % sample.columns));
    CHECK(means[e] == doctest::Approx(static_cast<double>(mean)).epsilon(1e-8));
  }
  CHECK(log_likelihoods(fitted.report).back() ==
        doctest::Approx(observed_log_likelihood(expected, sample)).epsilon(1e-10));
}

}  // namespace

TEST_CASE("EM: the fixed point of a plain EM over the rows") {
  for (const Sample& complete_rows :
       {made_sample(80, 3, 2, 101), weighted(made_sample(80, 3, 2, 102), 1)}) {
    Sample sample = with_gaps(complete_rows, 0.25, 103);
    for (std::size_t i = 0; i < 3; ++i) { sample.values[3 * 7 + i] = kNone; }  // a row of nothing
    check_against(plain_em(sample, shared), sample, {{"covariance", "shared"}});
    check_against(plain_em(sample, own_with_ridge), sample,
                  {{"covariance", "own"}, {"ridge", "0.25"}});
    check_against(plain_em(sample, own_shrunk), sample,
                  {{"covariance", "own"}, {"shrinkage", "0.3"}});
  }
}

TEST_CASE("EM: the likelihood of what is observed never falls") {
  for (const double share : {0.05, 0.3, 0.6}) {
    const Sample sample = with_gaps(weighted(made_sample(300, 4, 3, 104), 2), share, 105);
    for (const OptionMap& options :
         {OptionMap{{"covariance", "shared"}}, OptionMap{{"covariance", "own"}},
          OptionMap{{"covariance", "groups"}, {"groups", "c0+c2"}},
          OptionMap{{"covariance", "diagonal"}}, OptionMap{{"covariance", "shared-diagonal"}},
          OptionMap{{"covariance", "spherical"}}, OptionMap{{"covariance", "shared-spherical"}}}) {
      CAPTURE(share);
      CAPTURE(options.at("covariance"));
      const auto trace = log_likelihoods(fit(sample, options).report);
      REQUIRE(trace.size() >= 2);
      for (std::size_t i = 1; i < trace.size(); ++i) {
        CHECK(trace[i] >= trace[i - 1] - 1e-10 * std::abs(trace[i - 1]));
      }
    }
  }
}

TEST_CASE("EM: its last likelihood is that of the model, and that of the training report") {
  const Sample sample = with_gaps(made_sample(200, 3, 2, 106), 0.3, 107);
  const Fit fitted = fit(sample, {{"covariance", "own"}});
  double priors = 0.0;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto weight = static_cast<double>(class_weight(sample, k));
    priors += weight * std::log(weight / 200.0);
  }
  const double last = log_likelihoods(fitted.report).back();
  const auto likelihood = fitted.model->training_likelihood();
  REQUIRE(likelihood.has_value());
  CHECK(likelihood->log_likelihood == doctest::Approx(last + priors).epsilon(1e-9));
  const auto rows = open_matrix(sample.data(), fitted.model->schema());
  CHECK(evaluate(*fitted.model, *rows).likelihood->log_likelihood ==
        doctest::Approx(likelihood->log_likelihood).epsilon(1e-9));
}

TEST_CASE("EM: with few values missing the model nears that of the complete rows") {
  const Sample whole = made_sample(1000, 3, 2, 108);
  for (const std::string covariance : {"shared", "own", "diagonal"}) {
    const auto expected = posteriors_of(*fit(whole, {{"covariance", covariance}}).model, whole);
    double before = 1.0;
    for (const double share : {0.3, 0.03, 0.002}) {
      const auto model = fit(with_gaps(whole, share, 109), {{"covariance", covariance}}).model;
      const double error = largest_error(posteriors_of(*model, whole), expected);
      CHECK(error < before);
      before = error;
    }
    CHECK(before < 0.02);
    CHECK(fit(whole, {{"covariance", covariance}}).report.trace == std::nullopt);
  }
}

TEST_CASE("EM: threads and blocks change nothing [threads]") {
  const Sample sample = with_gaps(made_sample(6000, 3, 3, 110), 0.2, 111);
  const auto one = modelfile::to_bytes(*fit(sample, {{"covariance", "own"}}, {.threads = 1}).model);
  CHECK(modelfile::to_bytes(*fit(sample, {{"covariance", "own"}}, {.threads = 7}).model) == one);
}
