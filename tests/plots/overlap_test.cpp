#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "logodds/error.hpp"
#include "logodds/measure/misclassification.hpp"
#include "logodds/models/gaussian.hpp"
#include "plots/arrays.hpp"
#include "plots/marginal.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using plots::Plot;
using test::array_of;
using test::polygon_area;

namespace {

std::unique_ptr<Classifier> on_a_line(std::vector<double> priors, const std::vector<double>& means,
                                      const std::vector<double>& variances) {
  GaussianDefinition definition{
      .classes = {}, .priors = std::move(priors), .means = {}, .covariances = {}, .columns = {"x"}};
  for (std::size_t k = 0; k < means.size(); ++k) {
    definition.classes.push_back("c" + std::to_string(k));
    definition.means.push_back({means[k]});
    definition.covariances.push_back({{variances[k]}});
  }
  return define_gaussian(definition);
}

Plot overlap(const Classifier& model, const std::map<std::string, std::string>& options = {}) {
  return plots::plot("overlap", {.model = &model}, options);
}

double shaded(const Plot& plot, std::size_t classes) {
  double sum = 0.0;
  for (std::size_t k = 1; k <= classes; ++k) {
    sum += polygon_area(array_of(plot, "area " + std::to_string(k)));
  }
  return sum;
}

/// Rows of one column, drawn by `draw(class)`.
template <class Draw>
test::Sample one_column(std::size_t rows, const Draw& draw) {
  test::Sample sample{.columns = 1, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = 0; r < rows; ++r) {
    sample.labels.push_back(static_cast<std::int64_t>(r % 2));
    sample.values.push_back(draw(r % 2));
  }
  return sample;
}

}  // namespace

TEST_CASE("plot overlap: the shaded areas add up to the probability of an error") {
  for (const double variance : {1.0, 0.09, 6.0}) {
    const auto model = on_a_line({0.3, 0.7}, {0.0, 2.0}, {1.0, variance});
    const auto error = measure::misclassification(*model);
    const Plot plot = overlap(*model);
    CHECK(array_of(plot, "error").values[0] == doctest::Approx(error.error).epsilon(1e-12));
    CHECK(shaded(plot, 2) == doctest::Approx(error.error).epsilon(1e-5));
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(polygon_area(array_of(plot, "area " + std::to_string(k + 1))) ==
            doctest::Approx(error.priors[k] * error.by_class[k]).epsilon(1e-5));
    }
    for (const double end : array_of(plot, "boundaries").values) {
      double nearest = 1e9;
      for (const double exact : error.boundaries) {
        nearest = std::min(nearest, std::abs(exact - end));
      }
      CHECK(nearest < 1e-9);
    }
  }
}

TEST_CASE("plot overlap: a given threshold errs as logodds error says") {
  const auto model = on_a_line({0.6, 0.4}, {5.0, 1.0}, {1.0, 0.5});  // the second is below
  for (const double threshold : {2.0, 3.5, -4.0, 40.0}) {
    const auto error = measure::misclassification(*model, {.threshold = threshold});
    const Plot plot = overlap(*model, {{"threshold", format_number(threshold)}});
    CHECK(array_of(plot, "error").values[0] ==
          doctest::Approx(error.threshold->error).epsilon(1e-12));
    CHECK(shaded(plot, 2) == doctest::Approx(error.threshold->error).epsilon(1e-5));
    CHECK(array_of(plot, "optimal error").values[0] == doctest::Approx(error.error));
  }
}

TEST_CASE("plot overlap: units do not matter") {
  for (const double unit : {1e-9, 1e9}) {
    const auto model =
        on_a_line({0.5, 0.5}, {3.0 * unit, 5.0 * unit}, {unit * unit, 2.0 * unit * unit});
    const Plot plot = overlap(*model);
    CHECK(shaded(plot, 2) ==
          doctest::Approx(measure::misclassification(*model).error).epsilon(1e-5));
  }
}

TEST_CASE("plot overlap: more than two classes") {
  const auto model = on_a_line({0.2, 0.3, 0.5}, {0.0, 2.0, 3.5}, {1.0, 0.5, 2.0});
  const Plot plot = overlap(*model);
  CHECK(shaded(plot, 3) == doctest::Approx(measure::misclassification(*model).error).epsilon(1e-5));
  CHECK_THROWS_WITH_AS(overlap(*model, {{"threshold", "1"}}), doctest::Contains("two classes"),
                       Error);
}

TEST_CASE("plot overlap: one column of several is the marginal") {
  const auto model = define_gaussian({.classes = {"a", "b"},
                                      .priors = {0.3, 0.7},
                                      .means = {{0.0, 0.0}, {1.0, 2.0}},
                                      .covariances = {{{2.0, 0.5}, {0.5, 1.0}}},
                                      .columns = {"u", "v"}});
  const auto marginal = on_a_line({0.3, 0.7}, {0.0, 1.0}, {2.0, 2.0});
  const Plot plot = overlap(*model, {{"x", "u"}});
  const double error = measure::misclassification(*marginal).error;
  CHECK(array_of(plot, "error").values[0] == doctest::Approx(error).epsilon(1e-12));
  CHECK(shaded(plot, 2) == doctest::Approx(error).epsilon(1e-5));
  const Plot chosen = overlap(*model);  // v tells them apart better
  CHECK(array_of(chosen, "error").values[0] < error);
  CHECK_THROWS_WITH_AS(overlap(*model, {{"x", "w"}}), doctest::Contains("no column of numbers 'w'"),
                       Error);
}

TEST_CASE("plot overlap: laws without a closed form agree with drawn rows") {
  std::mt19937_64 random(4);
  std::gamma_distribution<double> low(0.6, 1.0);  // infinite at 0
  std::gamma_distribution<double> high(4.0, 1.0);
  std::poisson_distribution<int> few(2.0);
  std::poisson_distribution<int> many(7.0);
  const test::Sample reals =
      one_column(600, [&](std::size_t k) { return k == 0 ? low(random) : high(random); });
  const test::Sample counts = one_column(
      600, [&](std::size_t k) { return static_cast<double>(k == 0 ? few(random) : many(random)); });
  for (const auto& [sample, law] : {std::pair{&reals, "gamma"},
                                    {&reals, "log-normal"},
                                    {&reals, "kernel"},
                                    {&reals, "histogram"},
                                    {&counts, "poisson"}}) {
    CAPTURE(law);
    const Fit fit = test::trained(*sample, "naive-bayes", {{"families", std::string("x1=") + law}});
    const Plot plot = overlap(*fit.model);
    const auto drawn = measure::misclassification(*fit.model, {.standard_error = 2e-4});
    const double error = array_of(plot, "error").values[0];
    CHECK(std::abs(error - drawn.error) < 5.0 * drawn.standard_error);
    CHECK(shaded(plot, 2) == doctest::Approx(error).epsilon(1e-9));
  }
}

TEST_CASE("a marginal's profile holds all of every class") {
  const auto model = on_a_line({0.2, 0.8}, {0.0, 100.0}, {1e-4, 400.0});
  const plots::Marginal marginal(*model, 0);
  const plots::Profile profile = plots::profile_of(marginal);
  for (std::size_t k = 0; k < 2; ++k) {
    double area = 0.0;
    for (std::size_t i = 0; i + 1 < profile.x.size(); ++i) {
      area += (profile.x[i + 1] - profile.x[i]) * (profile.at(i, k) + profile.at(i + 1, k)) / 2.0;
    }
    CHECK(area == doctest::Approx(k == 0 ? 0.2 : 0.8).epsilon(1e-5));
  }
}

/// Of a model of one column of counts, summed over the whole numbers below `end`.
struct ExactCounts {
  std::vector<double> totals;  ///< P(C_k)
  std::vector<double> lost;    ///< P(another class is likelier, C_k)
};
ExactCounts exact_counts(const Classifier& model, std::size_t end) {
  std::vector<double> x(end);
  std::iota(x.begin(), x.end(), 0.0);
  const std::vector<double> joint = plots::Marginal(model, 0).log_joint(x);
  ExactCounts sums{{0.0, 0.0}, {0.0, 0.0}};
  for (std::size_t i = 0; i < end; ++i) {
    const std::size_t best = joint[2 * i + 1] > joint[2 * i] ? 1 : 0;
    for (std::size_t k = 0; k < 2; ++k) {
      sums.totals[k] += std::exp(joint[2 * i + k]);
      sums.lost[k] += k == best ? 0.0 : std::exp(joint[2 * i + k]);
    }
  }
  return sums;
}

TEST_CASE("plot overlap: counts of long tails lose nothing, and areas are the exact sums") {
  std::mt19937_64 random(8);
  std::geometric_distribution<int> few(1.0 / 11.0);  // of mean 10
  std::geometric_distribution<int> many(1.0 / 61.0);
  const test::Sample counts = one_column(
      800, [&](std::size_t k) { return static_cast<double>(k == 0 ? few(random) : many(random)); });
  for (const std::string law : {"geometric", "poisson", "negative-binomial"}) {
    CAPTURE(law);
    const Fit fit = test::trained(counts, "naive-bayes", {{"families", "x1=" + law}});
    const ExactCounts exact = exact_counts(*fit.model, 20000);
    const plots::Profile profile = plots::profile_of(plots::Marginal(*fit.model, 0));
    const Plot plot = overlap(*fit.model);
    CHECK(plot.notes.empty());
    for (std::size_t k = 0; k < 2; ++k) {
      double area = 0.0;
      for (std::size_t i = 0; i + 1 < profile.x.size(); ++i) {
        area += (profile.x[i + 1] - profile.x[i]) * (profile.at(i, k) + profile.at(i + 1, k)) / 2.0;
      }
      CHECK(area == doctest::Approx(exact.totals[k]).epsilon(1e-9));
      CHECK(array_of(plot, "probabilities").values[k] ==
            doctest::Approx(exact.lost[k]).epsilon(1e-9));
      CHECK(polygon_area(array_of(plot, "area " + std::to_string(k + 1))) ==
            doctest::Approx(exact.lost[k]).epsilon(1e-6));
    }
    const auto error = measure::misclassification(*fit.model, {.standard_error = 2e-4});
    CHECK(std::abs(array_of(plot, "error").values[0] - error.error) <
          5.0 * error.standard_error + 1e-12);
  }
}

TEST_CASE("plot overlap: counts of more steps than are drawn say what is left out") {
  std::mt19937_64 random(8);
  std::geometric_distribution<int> few(1e-4);
  std::geometric_distribution<int> many(2e-6);
  const test::Sample counts = one_column(
      400, [&](std::size_t k) { return static_cast<double>(k == 0 ? few(random) : many(random)); });
  const Fit fit = test::trained(counts, "naive-bayes", {{"families", "x1=geometric"}});
  const Plot plot = overlap(*fit.model);
  CHECK(std::ranges::any_of(plot.notes, [](const std::string& note) {
    return note.find("are left out of the areas") != std::string::npos;
  }));
}

TEST_CASE("plot overlap: a narrow page has names of classes, too") {
  const auto model = on_a_line({0.3, 0.7}, {0.0, 2.0}, {1.0, 1.0});
  const Plot plot = plots::plot("overlap", {.model = model.get()}, {}, {.width = 20.0});
  CHECK(plot.drawing.width == 20.0);
}

TEST_CASE("plot overlap: a model that it cannot draw") {
  const test::Sample sample = test::made_sample(60, 2, 2, 1);
  const Fit fit = test::trained(sample, "softmax");
  CHECK_THROWS_WITH_AS(overlap(*fit.model), doctest::Contains("plot posterior"), Error);
}
