#include <doctest/doctest.h>

#include <stdexcept>

#include "models/priors.hpp"
#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;
using models::canonical_priors;
using models::log_priors;

namespace {

const std::vector<std::string> kLabels{"a", "b", "c"};
const std::vector<double> kWeights{2.0, 6.0, 12.0};

std::vector<double> priors(const std::string& text) {
  auto values = log_priors(text, kLabels, kWeights);
  for (auto& value : values) { value = std::exp(value); }
  return values;
}

std::string refused(const std::string& text, const std::vector<std::string>& labels = kLabels) {
  try {
    static_cast<void>(log_priors(text, labels, kWeights));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::usage);
    return error.what();
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "accepted";
}

}  // namespace

TEST_CASE("priors: shares, equal, smoothed, by name, by position") {
  CHECK(largest_error(priors("ml"), {0.1, 0.3, 0.6}) < 1e-15);
  CHECK(largest_error(priors("uniform"), {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}) < 1e-15);
  // (N_k + alpha) / (N + K alpha)
  CHECK(largest_error(priors("smoothed:1"), {3.0 / 23.0, 7.0 / 23.0, 13.0 / 23.0}) < 1e-15);
  CHECK(largest_error(priors("smoothed:0"), {0.1, 0.3, 0.6}) < 1e-15);
  CHECK(largest_error(priors("c=0.5,a=0.2,b=0.3"), {0.2, 0.3, 0.5}) < 1e-15);
  CHECK(largest_error(priors("0.2,0.3,0.5"), {0.2, 0.3, 0.5}) < 1e-15);
  CHECK(largest_error(priors("0.3333333,0.3333333,0.3333333"), priors("uniform")) < 1e-15);
}

TEST_CASE("priors: names with signs of their own") {
  const std::vector<std::string> labels{"1,5", "a=b", "x+y"};
  const auto given = log_priors("a=b=0.25,1\\,5=0.25,x+y=0.5", labels, kWeights);
  CHECK(std::exp(given[0]) == doctest::Approx(0.25));
  CHECK(std::exp(given[1]) == doctest::Approx(0.25));
  CHECK(std::exp(given[2]) == doctest::Approx(0.5));
}

TEST_CASE("priors: what cannot be read or does not fit, with the cure") {
  CHECK(contains(refused("a=0.2,b=0.3,d=0.5"), "--priors: there is no class 'd'"));
  CHECK(contains(refused("apple=0.5,bear=0.5", {"apple", "pear"}), "did you mean 'pear'?"));
  CHECK(contains(refused("a=0.5,b=0.5"), "no prior for class 'c'"));
  CHECK(contains(refused("a=0.5,a=0.2,b=0.3"), "names class 'a' twice"));
  CHECK(contains(refused("0.5,0.5"), "no prior for class 'c'"));
  CHECK(contains(refused("0.1,0.2,0.3,0.4"), "gives 4 priors, but there are 3 classes"));
  CHECK(contains(refused("a=0.5,b=0.5,c=0.5"), "sums to 1.5; priors must sum to 1"));
  CHECK(contains(refused("a=0,b=0.5,c=0.5"), "not positive"));
  CHECK(contains(refused("a=-0.5,b=1,c=0.5"), "not positive"));
  CHECK(contains(refused("a=0.5,0.25,0.25"), "name all, or none"));
  CHECK(contains(refused("often"), "cannot be read"));
  CHECK(contains(refused("a=nan,b=0.5,c=0.5"), "cannot be read"));
  CHECK(contains(refused("smoothed:-1"), "at least 0"));
  CHECK(contains(refused("smoothed:x"), "at least 0"));
  CHECK(contains(refused(""), "cannot be read"));
}

TEST_CASE("priors: equal priors are equal text") {
  CHECK(canonical_priors("ml") == "ml");
  CHECK(canonical_priors("smoothed:1.0") == "smoothed:1");
  CHECK(canonical_priors("a=0.20,b=.8") == "a=0.2,b=0.8");
  CHECK(canonical_priors("0.50,5e-1") == "0.5,0.5");
  CHECK_THROWS_AS(static_cast<void>(canonical_priors("a=0.5,b=0.6")), std::invalid_argument);
}

TEST_CASE("priors: a model trained with them, or given them afterwards") {
  const Sample sample = weighted(made_sample(200, 3, 3, 141), 142);
  const Moments moments(sample);
  struct Case {
    std::string text;
    std::vector<Wide> expected;
  };
  const Wide n = moments.weight();
  std::vector<Case> cases{{"uniform", {1.0L / 3.0L, 1.0L / 3.0L, 1.0L / 3.0L}},
                          {"c0=0.25,c1=0.5,c2=0.25", {0.25L, 0.5L, 0.25L}},
                          {"smoothed:10", {}}};
  for (const Wide w : moments.weights) { cases[2].expected.push_back((w + 10.0L) / (n + 30.0L)); }
  for (const std::string covariance : {"shared", "own"}) {
    const auto plain = fit(sample, {{"covariance", covariance}}).model;
    for (const auto& c : cases) {
      std::vector<WideMatrix> sigmas(3, moments.pooled() / n);
      for (std::size_t k = 0; k < 3 && covariance == "own"; ++k) {
        sigmas[k] = moments.scatters[k] / moments.weights[k];
      }
      OnPaper expected(moments, sigmas);
      expected.priors = c.expected;
      const auto trained = fit(sample, {{"covariance", covariance}, {"priors", c.text}}).model;
      CHECK(largest_error(posteriors_of(*trained, sample), expected.posteriors(sample)) < 1e-11);
      const auto changed = with_options(*plain, {{"priors", c.text}}).model;
      CHECK(modelfile::to_bytes(*changed) == modelfile::to_bytes(*trained));
      CHECK(posteriors_of(*changed, sample) == posteriors_of(*trained, sample));
    }
  }
}

TEST_CASE("priors: a class that training does not know is refused in training and afterwards") {
  const Sample sample = made_sample(40, 2, 2, 143);
  CHECK(
      contains(refusal(sample, {{"priors", "c0=0.5,c9=0.5"}}), "--priors: there is no class 'c9'"));
  CHECK(contains(refusal(sample, {{"priors", "c0=0.5,c1=0.6"}}),
                 "option --priors: 'c0=0.5,c1=0.6' sums to 1.1; priors must sum to 1"));
  const auto model = fit(sample).model;
  CHECK_THROWS_AS(static_cast<void>(with_options(*model, {{"priors", "c0=1"}})), Error);
  CHECK_THROWS_AS(static_cast<void>(with_options(*model, {{"prior", "ml"}})), Error);
}
