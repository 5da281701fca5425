#include "plots/conics.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "plots/plane_support.hpp"

using namespace logodds;
using test::made_sample;
using test::Sample;

namespace {

/// The two first columns of four, the others at 0.5 and -1.
plots::Plane slice() {
  plots::Plane plane;
  plane.x = {-2.0, 3.0};
  plane.y = {-1.0, 5.0};
  plane.origin = {0.0, 0.0, 0.5, -1.0};
  plane.x_step = plane.x_weights = {1.0, 0.0, 0.0, 0.0};
  plane.y_step = plane.y_weights = {0.0, 1.0, 0.0, 0.0};
  return plane;
}

}  // namespace

TEST_CASE("conics are the differences of the model's scores on the plane") {
  const Sample sample = made_sample(300, 4, 3, 17);
  for (const std::string covariance : {"own", "shared"}) {
    const Fit fit = test::trained(sample, "gaussian", {{"covariance", covariance}});
    const plots::Plane plane = slice();
    const auto conics = plots::conics_on(plane, *fit.model);
    REQUIRE(conics);
    for (const draw::Point share : {draw::Point{0.1, 0.2}, {0.5, 0.5}, {0.9, 0.0}, {0.0, 1.0}}) {
      const draw::Point at = plane.value(share);
      const std::vector<double> row{at.x, at.y, 0.5, -1.0};
      std::vector<double> p(3);
      posteriors(*fit.model, row_major(row.data(), 1, 4), p);
      std::vector<double> scores(3);
      conics->scores(std::vector<draw::Point>{share}, scores);
      for (std::size_t k = 1; k < 3; ++k) {
        CHECK(scores[k] - scores[0] == doctest::Approx(std::log(p[k] / p[0])).epsilon(1e-8));
      }
    }
    CHECK((conics->kind(0, 2) == "line") == (covariance == "shared"));
  }
}

TEST_CASE("models without a geometry have no conics") {
  const Sample sample = made_sample(100, 4, 2, 17);
  CHECK_FALSE(plots::conics_on(slice(), *test::trained(sample, "naive-bayes").model));
}
