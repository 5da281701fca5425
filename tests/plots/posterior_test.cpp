#include <doctest/doctest.h>

#include <cmath>

#include "logodds/error.hpp"
#include "plots/arrays.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using test::array_of;
using test::input_of;
using test::made_sample;
using test::Sample;

TEST_CASE("plot posterior: contours are where the model has that probability") {
  const Sample sample = made_sample(300, 2, 2, 6);
  const Fit fit = test::trained(sample, "gaussian", {{"covariance", "own"}});
  const auto plot = plots::plot("posterior", input_of(*fit.model, sample));
  for (const double level : {0.25, 0.5, 0.9}) {
    const NamedArray& line = array_of(plot, "contour " + format_number(level));
    REQUIRE(line.shape[0] >= 2);
    std::vector<double> p(2 * line.shape[0]);
    posteriors(*fit.model, row_major(line.values.data(), line.shape[0], 2), p);
    for (std::size_t i = 0; i < line.shape[0]; ++i) {
      CHECK(p[2 * i + 1] == doctest::Approx(level).epsilon(1e-6));
    }
  }
}

TEST_CASE("plot posterior: the sigmoid is the posterior of the second class along its line") {
  const Sample sample = made_sample(300, 2, 2, 6);
  const Fit fit = test::trained(sample, "softmax");
  const auto plot = plots::plot("posterior", input_of(*fit.model, sample));
  const NamedArray& line = array_of(plot, "sigmoid");
  REQUIRE(line.shape.size() == 2);
  REQUIRE(line.shape[1] == 4);
  std::vector<double> p(2);
  double last = -1.0;
  for (std::size_t i = 0; i < line.shape[0]; ++i) {
    const double* const at = line.values.data() + 4 * i;  // step, x, y, posterior
    posteriors(*fit.model, row_major(at + 1, 1, 2), p);
    CHECK(at[3] == doctest::Approx(p[1]).epsilon(1e-9));
    CHECK(at[3] >= last);
    CHECK((at[0] < 0.0 ? at[3] <= 0.5 + 1e-9 : at[3] >= 0.5 - 1e-9));
    last = at[3];
  }
}

TEST_CASE("plot posterior: k-means has no probabilities, and other kinds draw it") {
  const Sample sample = made_sample(150, 2, 3, 2);
  const auto source = open_matrix(sample.data());
  const Fit fit = cluster(*source, "k-means", {{"k", "3"}});
  CHECK_THROWS_WITH_AS(static_cast<void>(plots::plot("posterior", input_of(*fit.model, sample))),
                       doctest::Contains("plot clusters or plot regions"), Error);
  CHECK_FALSE(plots::plot("regions", input_of(*fit.model, sample)).arrays.empty());
}
