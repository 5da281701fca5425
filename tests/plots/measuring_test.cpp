// Pictures of measures that are known already.
#include "plots/measuring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "plots/arrays.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using test::input_of;
using test::made_sample;
using test::Sample;

namespace {

struct Measured {
  Sample sample = made_sample(200, 2, 2, 5);
  Fit fit = test::trained(sample, "gaussian");

  /// Without rows, but for those that the evaluation holds.
  [[nodiscard]] plots::PlotInput known(const measure::MeasureOptions& options) const {
    const auto source = open_matrix(sample.data(), fit.model->schema());
    return {.model = fit.model.get(),
            .evaluation =
                std::make_shared<const Evaluation>(evaluate(*fit.model, *source, {}, {}, options))};
  }
  [[nodiscard]] plots::PlotInput with_rows(const measure::MeasureOptions& options) const {
    plots::PlotInput input = known(options);
    input.open_rows = input_of(*fit.model, sample).open_rows;
    return input;
  }
};

void check_same(const plots::Plot& a, const plots::Plot& b) {
  REQUIRE(a.arrays.size() == b.arrays.size());
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    CHECK(a.arrays[i].name == b.arrays[i].name);
    const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    CHECK(std::ranges::equal(a.arrays[i].values, b.arrays[i].values, same));
  }
}

}  // namespace

TEST_CASE("pictures of a known evaluation need no rows") {
  const Measured m;
  const plots::PlotInput input = m.known({.bins = 10, .keep_rows = true});
  for (const std::string kind : {"confusion", "roc", "pr", "calibration", "cost"}) {
    CAPTURE(kind);
    check_same(plots::plot(kind, input), plots::plot(kind, input_of(*m.fit.model, m.sample)));
  }
}

TEST_CASE("an evaluation that lacks what a picture shows is made again where there are rows") {
  const Measured m;
  for (const measure::MeasureOptions& options :
       {measure::MeasureOptions{.keep_rows = true}, measure::MeasureOptions{.bins = 7},
        measure::MeasureOptions{}}) {
    for (const std::string kind : {"confusion", "roc", "pr", "calibration", "cost"}) {
      CAPTURE(kind);
      check_same(plots::plot(kind, m.with_rows(options)),
                 plots::plot(kind, input_of(*m.fit.model, m.sample)));
    }
  }
}

TEST_CASE("without rows an evaluation that lacks something is refused, with what it lacks") {
  const Measured m;
  CHECK_THROWS_WITH_AS(static_cast<void>(plots::plot("calibration", m.known({.keep_rows = true}))),
                       doctest::Contains("bins"), Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(plots::plot("roc", m.known({.bins = 10}))),
                       doctest::Contains("keep_rows"), Error);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(
          plots::plot("roc", m.known({.bins = 10, .keep_rows = true}), {{"thresholds", "c1=0.7"}})),
      doctest::Contains("decided"), Error);
  CHECK_THROWS_WITH_AS(static_cast<void>(plots::plot("roc", {.model = m.fit.model.get()})),
                       doctest::Contains("needs rows"), Error);
}
