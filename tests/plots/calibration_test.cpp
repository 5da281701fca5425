#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/measure/measures.hpp"
#include "logodds/measure/report.hpp"
#include "plots/arrays.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using test::input_of;
using test::made_sample;
using test::Sample;

TEST_CASE("plot calibration: bins of decisions and of a class, counted again") {
  const Sample sample = made_sample(500, 2, 3, 11);
  const Fit fit = test::trained(sample, "gaussian");
  const std::vector<double> p = test::posteriors_of(*fit.model, sample);
  for (const bool of_class : {false, true}) {
    std::map<std::string, std::string> options{{"bins", "5"}};
    if (of_class) { options["class"] = "c2"; }
    const auto plot = plots::plot("calibration", input_of(*fit.model, sample), options);
    const NamedArray& bins = test::array_of(plot, "bins");
    std::vector<double> rows(5, 0.0);
    std::vector<double> means(5, 0.0);
    std::vector<double> hits(5, 0.0);
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const auto row = p.begin() + static_cast<std::ptrdiff_t>(3 * r);
      const auto decided = static_cast<std::size_t>(std::max_element(row, row + 3) - row);
      const std::size_t k = of_class ? 2 : decided;
      const auto bin = static_cast<std::size_t>(std::max(0.0, std::ceil(5.0 * p[3 * r + k]) - 1.0));
      rows[bin] += 1.0;
      means[bin] += p[3 * r + k];
      hits[bin] += sample.label(r) == k ? 1.0 : 0.0;
    }
    std::size_t shown = 0;
    for (std::size_t b = 0; b < 5; ++b) {
      if (rows[b] == 0.0) { continue; }
      const double* const bin = bins.values.data() + 6 * shown++;
      CHECK(bin[0] == doctest::Approx(means[b] / rows[b]));
      CHECK(bin[1] == doctest::Approx(hits[b] / rows[b]));
      CHECK(bin[2] <= bin[1]);
      CHECK(bin[3] >= bin[1]);
      CHECK(bin[5] == rows[b]);
    }
    CHECK(bins.shape[0] == shown);
    double error = 0.0;
    for (std::size_t b = 0; b < 5; ++b) { error += std::abs(means[b] - hits[b]) / 500.0; }
    CHECK(test::array_of(plot, "calibration error").values[0] == doctest::Approx(error));
  }
}
