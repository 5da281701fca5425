// Sigma_k(lambda, gamma) against its formula, at the corners, and with all other
// regularisers at once.
#include <doctest/doctest.h>

#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

std::string text_of(double lambda, double gamma) {
  return format_number(lambda) + "," + format_number(gamma);
}

/// (1 - gamma) S + gamma diag(S), or gamma of its mean variance.
WideMatrix toward_target(const WideMatrix& sigma, Wide gamma, const std::string& target) {
  WideMatrix goal = sigma.diagonal().asDiagonal();
  if (target == "spherical") {
    goal = sigma.trace() / static_cast<Wide>(sigma.rows()) *
           WideMatrix::Identity(sigma.rows(), sigma.rows());
  }
  return (1.0L - gamma) * sigma + gamma * goal;
}

/// [(1 - lambda) S_k + lambda S] / [(1 - lambda) N_k + lambda N].
WideMatrix between(const Moments& m, std::size_t k, Wide lambda) {
  return ((1.0L - lambda) * m.scatters[k] + lambda * m.pooled()) /
         ((1.0L - lambda) * m.weights[k] + lambda * m.weight());
}

const Sample& sample() {
  static const Sample made = weighted(made_sample(160, 3, 3, 51), 52);
  return made;
}

std::vector<double> posteriors_with(const OptionMap& options) {
  return posteriors_of(*fit(sample(), options).model, sample());
}

}  // namespace

TEST_CASE("blend: every pair and both targets, by the formula") {
  const Moments moments(sample());
  for (const std::string target : {"diagonal", "spherical"}) {
    for (const double lambda : {0.0, 0.2, 0.75, 1.0}) {
      for (const double gamma : {0.0, 0.3, 1.0}) {
        CAPTURE(target);
        CAPTURE(lambda);
        CAPTURE(gamma);
        std::vector<WideMatrix> sigmas;
        for (std::size_t k = 0; k < 3; ++k) {
          sigmas.push_back(toward_target(between(moments, k, wide(lambda)), wide(gamma), target));
        }
        const auto actual =
            posteriors_with({{"blend", text_of(lambda, gamma)}, {"blend-target", target}});
        CHECK(largest_error(actual, OnPaper(moments, sigmas).posteriors(sample())) < 1e-11);
      }
    }
  }
}

TEST_CASE("blend: the corners are the structures") {
  struct Corner {
    std::string blend, target, structure;
  };
  for (const Corner& corner :
       {Corner{"0,0", "diagonal", "own"}, Corner{"1,0", "diagonal", "shared"},
        Corner{"0,1", "diagonal", "diagonal"}, Corner{"1,1", "diagonal", "shared-diagonal"},
        Corner{"0,1", "spherical", "spherical"}, Corner{"1,1", "spherical", "shared-spherical"}}) {
    CAPTURE(corner.structure);
    const auto blended =
        posteriors_with({{"blend", corner.blend}, {"blend-target", corner.target}});
    CHECK(largest_error(blended, posteriors_with({{"covariance", corner.structure}})) < 1e-12);
  }
  // Where the structure is the blend's starting point, lambda = 0 changes nothing.
  for (const std::string structure : {"own", "diagonal", "spherical"}) {
    CHECK(largest_error(posteriors_with({{"covariance", structure}, {"blend", "0,0"}}),
                        posteriors_with({{"covariance", structure}})) < 1e-12);
  }
  // A diagonal structure stays diagonal under lambda.
  CHECK(largest_error(posteriors_with({{"covariance", "diagonal"}, {"blend", "1,0"}}),
                      posteriors_with({{"covariance", "shared-diagonal"}})) < 1e-12);
}

TEST_CASE("blend: ridge, Wishart, shrinkage, divisor and priors together, in their order") {
  const Moments moments(sample());
  const Wide share = 0.2L;
  const Wide unit = moments.mean_variance();
  const WideMatrix identity = WideMatrix::Identity(3, 3);
  std::vector<WideMatrix> shrunk;
  WideMatrix pooled = WideMatrix::Zero(3, 3);
  for (const auto& scatter : moments.scatters) {
    shrunk.push_back((1.0L - share) * scatter + share * scatter.trace() / 3.0L * identity);
    pooled += shrunk.back();
  }
  std::vector<WideMatrix> sigmas;
  for (std::size_t k = 0; k < 3; ++k) {
    const WideMatrix scatter = 0.6L * shrunk[k] + 0.4L * pooled + 5.0L * unit * identity;
    const Wide divisor =
        0.6L * (moments.weights[k] - 1.0L) + 0.4L * (moments.weight() - 3.0L) + 5.0L;
    sigmas.push_back(toward_target(scatter / divisor, 0.3L, "diagonal") +
                     (0.1L + 0.05L * unit) * identity);
  }
  OnPaper expected(moments, sigmas);
  expected.priors = {0.5L, 0.125L, 0.375L};
  const auto model = fit(sample(), {{"shrinkage", "0.2"},
                                    {"blend", "0.4,0.3"},
                                    {"wishart", "5"},
                                    {"divisor", "n-1"},
                                    {"ridge", "0.1"},
                                    {"ridge-relative", "0.05"},
                                    {"priors", "c0=0.5,c1=0.125,c2=0.375"}})
                         .model;
  CHECK(largest_error(posteriors_of(*model, sample()), expected.posteriors(sample())) < 1e-11);
}

TEST_CASE("blend: under groups lambda goes from the groups to shared") {
  const Moments moments(sample());
  std::vector<WideMatrix> sigmas(3);
  const WideMatrix group = moments.scatters[0] + moments.scatters[2];
  const Wide weight = moments.weights[0] + moments.weights[2];
  sigmas[0] = sigmas[2] =
      (0.5L * group + 0.5L * moments.pooled()) / (0.5L * weight + 0.5L * moments.weight());
  sigmas[1] = between(moments, 1, 0.5L);
  const auto actual =
      posteriors_with({{"covariance", "groups"}, {"groups", "c0+c2"}, {"blend", "0.5,0"}});
  CHECK(largest_error(actual, OnPaper(moments, sigmas).posteriors(sample())) < 1e-11);
}
