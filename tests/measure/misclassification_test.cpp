#include "logodds/measure/misclassification.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "logodds/data/matrix_source.hpp"
#include "logodds/error.hpp"
#include "logodds/logodds.hpp"
#include "logodds/models/gaussian.hpp"
#include "measure/drawn_error.hpp"

using namespace logodds;
using measure::misclassification;

namespace {

std::unique_ptr<Classifier> two_classes(std::vector<std::vector<std::vector<double>>> covariances) {
  return define_gaussian({.classes = {"a", "b"},
                          .priors = {0.3, 0.7},
                          .means = {{0.0, 0.0}, {1.0, 2.0}},
                          .covariances = std::move(covariances),
                          .columns = {}});
}

std::unique_ptr<Classifier> three_classes() {
  return define_gaussian({.classes = {"a", "b", "c"},
                          .priors = {0.2, 0.3, 0.5},
                          .means = {{0.0, 0.0}, {1.0, 2.0}, {-1.0, 1.0}},
                          .covariances = {{{1.0, 0.3}, {0.3, 1.0}},
                                          {{2.0, 0.0}, {0.0, 0.5}},
                                          {{0.7, -0.2}, {-0.2, 1.5}}},
                          .columns = {}});
}

}  // namespace

TEST_CASE("misclassification: two Gaussians with one covariance, in closed form") {
  const auto model = two_classes({{{2.0, 0.5}, {0.5, 1.0}}});
  const auto found = misclassification(*model);
  CHECK(found.exact);
  CHECK(found.standard_error == 0.0);
  // Mahalanobis distance of (1, 2): (1, 2) [[2, .5], [.5, 1]]^-1 (1, 2)^T = (1 - 2 + 8) / 1.75
  const double distance = std::sqrt(7.0 / 1.75);
  const double odds = std::log(0.3 / 0.7);
  const auto tail = [](double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); };
  CHECK(found.by_class[0] == doctest::Approx(tail(distance / 2 + odds / distance)).epsilon(1e-12));
  CHECK(found.by_class[1] == doctest::Approx(tail(distance / 2 - odds / distance)).epsilon(1e-12));
  CHECK(found.error ==
        doctest::Approx(0.3 * found.by_class[0] + 0.7 * found.by_class[1]).epsilon(1e-14));
  REQUIRE(found.pairs.size() == 1);
  CHECK(found.pairs[0].error == doctest::Approx(found.error).epsilon(1e-14));
  CHECK(found.pairs[0].first_as_second == doctest::Approx(0.3 * found.by_class[0]));
  CHECK(found.error <= *found.pairs[0].chernoff);
}

TEST_CASE("misclassification: what is computed is what drawn rows tell [threads]") {
  const auto model = two_classes({{{2.0, 0.5}, {0.5, 1.0}}, {{0.5, 0.0}, {0.0, 3.0}}});
  const auto exact = misclassification(*model);
  CHECK(exact.exact);
  const measure::ErrorRequest request{.standard_error = 5e-4};
  const auto drawn =
      measure::draw_errors(*model, *model->generative(), request, true, {.threads = 2});
  CHECK(drawn.standard_error() <= 5e-4);
  CHECK(std::abs(drawn.mean() - exact.error) <= 4.0 * drawn.standard_error());
  CHECK(std::abs(drawn.first_lost[0] / drawn.rows - exact.pairs[0].first_as_second) <= 2e-3);
  const auto again =
      measure::draw_errors(*model, *model->generative(), request, true, {.threads = 7});
  CHECK(again.error == drawn.error);
  CHECK(again.pair_squares == drawn.pair_squares);
}

TEST_CASE("misclassification: three classes are drawn, their pairs computed") {
  const auto model = three_classes();
  const auto found = misclassification(*model, {.standard_error = 1e-3}, {.threads = 2});
  CHECK_FALSE(found.exact);
  CHECK(found.draws > 0);
  CHECK(found.standard_error <= 1e-3);
  CHECK(found.pairs.size() == 3);
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k) { sum += found.priors[k] * found.by_class[k]; }
  CHECK(sum == doctest::Approx(found.error).epsilon(1e-12));
  // The share of wrong decisions among other rows, which agrees within the errors of both.
  RowBuffer rows;
  model->generative()->sample(99, 0, 100000, rows);
  std::vector<double> scores(100000 * 3);
  const RowBlock block = rows.view();
  model->log_scores(block, scores);
  double wrong = 0.0;
  for (std::size_t r = 0; r < block.rows; ++r) {
    const double* const row = scores.data() + 3 * r;
    wrong += std::max_element(row, row + 3) - row == block.labels[r] ? 0.0 : 1.0;
  }
  CHECK(std::abs(wrong / 1e5 - found.error) <= 4.0 * std::sqrt(0.25 / 1e5 + 1e-6));
}

TEST_CASE("misclassification: a draw that ends at its number says its error") {
  const auto found =
      misclassification(*three_classes(), {.standard_error = 0.0, .most_draws = 200000});
  CHECK(found.draws <= 200000);
  CHECK(found.draws > 190000);
  CHECK(found.standard_error > 0.0);
}

TEST_CASE("misclassification: a line, its boundaries, and a threshold that is not the best") {
  const auto model = define_gaussian({.classes = {"left", "right"},
                                      .priors = {0.5, 0.5},
                                      .means = {{2.0}, {0.0}},
                                      .covariances = {{{1.0}}},
                                      .columns = {}});
  const auto best = misclassification(*model);
  CHECK(best.error == doctest::Approx(0.158655253931457).epsilon(1e-12));
  REQUIRE(best.boundaries.size() == 1);
  CHECK(best.boundaries[0] == doctest::Approx(1.0));
  const auto other = misclassification(*model, {.threshold = 0.0});
  REQUIRE(other.threshold.has_value());
  CHECK(other.threshold->below == 1);
  CHECK(other.threshold->by_class[1] == doctest::Approx(0.5));
  CHECK(other.threshold->by_class[0] == doctest::Approx(0.0227501319481792).epsilon(1e-12));
  CHECK(other.threshold->error == doctest::Approx(0.26137506597409).epsilon(1e-12));
  CHECK(other.threshold->error > other.error);
}

TEST_CASE("misclassification: refused where there is nothing to err by") {
  const std::vector<double> x{0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
  const std::vector<std::int64_t> y{0, 0, 1, 0, 1, 1};
  const auto source = open_matrix({.features = row_major(x.data(), 6, 1), .labels = y.data()});
  const auto fit = train(*source, "softmax", {});
  CHECK_THROWS_AS(static_cast<void>(misclassification(*fit.model)), Error);
  CHECK_THROWS_AS(static_cast<void>(misclassification(*three_classes(), {.threshold = 1.0})),
                  Error);
}
