#include <doctest/doctest.h>

#include <limits>

#include "support/sample.hpp"

using namespace logodds;
using logodds::test::array_of;
using logodds::test::contains;
using logodds::test::largest_error;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Two Gaussians at (2, 1) and (1, 2), priors 0.7 and 0.3.
GaussianDefinition textbook() {
  GaussianDefinition definition;
  definition.classes = {"one", "two"};
  definition.priors = {0.7, 0.3};
  definition.means = {{2, 1}, {1, 2}};
  definition.covariances = {{{1, 0.5}, {0.5, 2}}, {{2, 0}, {0, 1}}};
  return definition;
}

std::string refused(const GaussianDefinition& definition) {
  try {
    static_cast<void>(define_gaussian(definition));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::usage);
    return error.what();
  }
  return "accepted";
}

/// The textbook's with one change.
template <class Change>
std::string refused_with(Change change) {
  GaussianDefinition definition = textbook();
  change(definition);
  return refused(definition);
}

std::vector<double> posteriors_at(const Classifier& model, const std::vector<double>& x) {
  std::vector<double> out(model.labels().size());
  posteriors(model, row_major(x.data(), 1, x.size()), out);
  return out;
}

}  // namespace

TEST_CASE("define: the posterior at a point, by hand") {
  const auto model = define_gaussian(textbook());
  // At (2, 2): class one has x - mu = (0, 1) and Sigma^-1 = [[2, -.5], [-.5, 1]] / 1.75, so
  // d^2 = 1/1.75 and |Sigma| = 1.75; class two has x - mu = (1, 0), d^2 = 1/2 and |Sigma| = 2.
  const double one = 0.7 * std::exp(-0.5 / 1.75) / std::sqrt(1.75);
  const double two = 0.3 * std::exp(-0.25) / std::sqrt(2.0);
  const auto p = posteriors_at(*model, {2.0, 2.0});
  CHECK(p[0] == doctest::Approx(one / (one + two)).epsilon(1e-14));
  CHECK(model->schema().columns[1].name == "x2");
  CHECK(model->schema().target == "class");
  CHECK(model->options().choice("covariance") == "own");
  CHECK(largest_error(array_of(*model, "covariances"), {1, 0.5, 0.5, 2, 2, 0, 0, 1}) < 1e-15);
  CHECK(largest_error(array_of(*model, "priors"), {0.7, 0.3}) < 1e-15);
}

TEST_CASE("define: one covariance for all is a shared one, and a line the boundary") {
  GaussianDefinition definition = textbook();
  definition.covariances = {{{1, 0}, {0, 1}}};
  const auto model = define_gaussian(definition);
  CHECK(model->options().choice("covariance") == "shared");
  // ln odds of two against one: (mu_2 - mu_1) . (x - (1.5, 1.5)) + ln 3/7
  const auto p = posteriors_at(*model, {0.5, 3.0});
  CHECK(std::log(p[1] / p[0]) == doctest::Approx(2.5 + std::log(3.0 / 7.0)).epsilon(1e-13));
  const auto boundaries = model->geometry()->boundaries();
  REQUIRE(boundaries.size() == 1);
  CHECK(boundaries[0].kind() == "line");
  definition.covariances.push_back(definition.covariances.front());
  CHECK(modelfile::to_bytes(*define_gaussian(definition)) == modelfile::to_bytes(*model));
}

TEST_CASE("define: classes stand in label order, with what is theirs") {
  GaussianDefinition definition = textbook();
  definition.classes = {"b", "a"};
  definition.columns = {"height", "weight"};
  definition.target = "sex";
  const auto model = define_gaussian(definition);
  CHECK(model->labels() == std::vector<std::string>{"a", "b"});
  CHECK(largest_error(array_of(*model, "means"), {1, 2, 2, 1}) < 1e-15);
  CHECK(largest_error(array_of(*model, "priors"), {0.3, 0.7}) < 1e-15);
  CHECK(array_of(*model, "covariances")[3] == doctest::Approx(1.0));
  CHECK(model->schema().target == "sex");
  const auto loaded = modelfile::from_bytes(modelfile::to_bytes(*model), "memory");
  CHECK(posteriors_at(*loaded, {0.3, 0.4}) == posteriors_at(*model, {0.3, 0.4}));
}

TEST_CASE("define: numbers of anything that do not fit") {
  CHECK(refused(textbook()) == "accepted");
  CHECK(contains(refused_with([](auto& d) { d.classes.clear(); }), "there is no class"));
  CHECK(contains(refused_with([](auto& d) { d.classes = {"one", "one"}; }), "names 'one' twice"));
  CHECK(contains(refused_with([](auto& d) { d.classes = {"one", ""}; }),
                 "a name in classes is empty"));
  CHECK(contains(refused_with([](auto& d) { d.columns = {"x", "x"}; }), "names 'x' twice"));
  CHECK(contains(refused_with([](auto& d) { d.columns = {"x"}; }), "1 names of columns"));
  CHECK(contains(refused_with([](auto& d) { d.priors = {1.0}; }), "there are 1 priors for 2"));
  CHECK(contains(refused_with([](auto& d) { d.means = {{2, 1}}; }), "there are 1 means for 2"));
  CHECK(contains(refused_with([](auto& d) { d.means.clear(); }), "there are 0 means for 2"));
  CHECK(contains(refused_with([](auto& d) { d.means = {{}, {}}; }), "the means are empty"));
  CHECK(contains(refused_with([](auto& d) { d.means[1] = {1}; }),
                 "the mean of class 'two' has 1 numbers, the first has 2"));
  CHECK(contains(refused_with([](auto& d) { d.covariances.clear(); }), "there are 0 covariances"));
  CHECK(contains(refused_with([](auto& d) { d.covariances.resize(3, {{1, 0}, {0, 1}}); }),
                 "there are 3 covariances for 2 classes; give one for each, or one for all"));
  CHECK(contains(refused_with([](auto& d) { d.covariances[1] = {{1, 0}}; }),
                 "the covariance of class 'two' has 1 rows"));
  CHECK(contains(refused_with([](auto& d) { d.covariances[1] = {{1, 0}, {0}}; }),
                 "the covariance of class 'two' has a row of 1 numbers; give 2"));
}

TEST_CASE("define: values that cannot be") {
  CHECK(contains(refused_with([](auto& d) { d.priors = {0.7, 0.2}; }), "the priors sum to"));
  CHECK(contains(refused_with([](auto& d) { d.priors = {1.3, -0.3}; }),
                 "the prior of class 'two' is -0.3"));
  CHECK(contains(refused_with([](auto& d) { d.priors = {1.0, 0.0}; }), "give a positive one"));
  CHECK(
      contains(refused_with([](auto& d) { d.priors = {kNan, 0.5}; }), "the prior of class 'one'"));
  CHECK(contains(refused_with([](auto& d) { d.means[0][1] = kNan; }),
                 "the mean of class 'one' holds"));
  CHECK(contains(refused_with([](auto& d) { d.covariances[0][0][0] = kNan; }), "not finite"));
  CHECK(contains(
      refused_with([](auto& d) { d.covariances[0][0][1] = 0.4; }),
      "the covariance of class 'one' is not symmetric: entry (2, 1) is 0.5, entry (1, 2) is 0.4"));
  for (const auto& bad : std::vector<std::vector<std::vector<double>>>{
           {{1, 2}, {2, 1}}, {{1, 1}, {1, 1}}, {{0, 0}, {0, 1}}, {{-1, 0}, {0, 1}}}) {
    CHECK(contains(refused_with([&](auto& d) { d.covariances[1] = bad; }),
                   "the covariance of class 'two' is not positive definite"));
    CHECK(contains(refused_with([&](auto& d) { d.covariances = {bad}; }),
                   "the covariance is not positive definite"));
  }
}

TEST_CASE("define: a class whose name holds a colon keeps it in the message") {
  CHECK(contains(refused_with([](auto& d) {
                   d.classes[1] = "kind: two";
                   d.covariances[1] = {{1, 2}, {2, 1}};
                 }),
                 "the covariance of class 'kind: two' is not positive definite"));
}

TEST_CASE("define: the model counts as one row in a merge") {
  const auto model = define_gaussian(textbook());
  double weight = 0.0;
  for (const double w : array_of(*model, "weights")) { weight += w; }
  CHECK(weight == doctest::Approx(1.0).epsilon(1e-15));
  const std::vector<const Classifier*> twice{model.get(), model.get()};
  const auto merged = merge(twice).model;
  CHECK(largest_error(posteriors_at(*merged, {0.3, 0.4}), posteriors_at(*model, {0.3, 0.4})) <
        1e-13);
}
