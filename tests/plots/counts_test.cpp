// Planes and lines along columns of counts, whose laws have no place for what lies between.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "plots/arrays.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using test::input_of;
using test::Sample;

namespace {

/// Counts from 0 to 10 in every column, the second class at the larger ones: the middle of the
/// axes is 5, a whole number.
Sample counts_to_ten(std::size_t columns) {
  Sample sample{.columns = columns, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = 0; r < 110; ++r) {
    const std::size_t count = r % 11;
    sample.labels.push_back(count + r % 3 > 5 ? 1 : 0);
    for (std::size_t c = 0; c < columns; ++c) {
      sample.values.push_back(static_cast<double>(c == 0 ? count : (count + r / 11) % 11));
    }
  }
  return sample;
}

std::string poisson(std::size_t columns) {
  return columns == 1 ? "x1=poisson" : "x1=poisson,x2=poisson";
}

bool says_nearest(const draw::Drawing& drawing) {
  return std::ranges::any_of(drawing.foot, [](const std::string& note) {
    return note.find("taken as the nearest") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("counts along a line: bands end half way, and posteriors are those of whole numbers") {
  const Sample sample = counts_to_ten(1);
  const Fit fit = test::trained(sample, "naive-bayes", {{"families", poisson(1)}});
  const auto plot = plots::plot("regions", input_of(*fit.model, sample));
  CHECK(says_nearest(plot.drawing));
  const NamedArray& ends = test::array_of(plot, "boundaries");
  REQUIRE(ends.values.size() == 2);
  CHECK(ends.values[0] == doctest::Approx(-0.5).epsilon(1e-9));  // below there is no count
  CHECK(ends.values[1] - std::floor(ends.values[1]) == doctest::Approx(0.5).epsilon(1e-9));
  const NamedArray& curves = test::array_of(plot, "posteriors");
  for (std::size_t i = 0; i < curves.shape[0]; ++i) {
    const double x = std::max(0.0, std::round(curves.values[3 * i]));
    if (std::round(curves.values[3 * i]) < 0.0) { continue; }  // no count
    std::vector<double> p(2);
    posteriors(*fit.model, row_major(&x, 1, 1), p);
    CHECK(curves.values[3 * i + 1] == doctest::Approx(p[0]));
  }
}

TEST_CASE("counts in a plane: there are regions, and nearly all of it is decided") {
  const Sample sample = counts_to_ten(2);
  const Fit fit = test::trained(sample, "naive-bayes", {{"families", poisson(2)}});
  const auto plot = plots::plot("regions", input_of(*fit.model, sample));
  CHECK(says_nearest(plot.drawing));
  CHECK(test::array_of(plot, "boundary c0|c1").shape[0] >= 2);
}

TEST_CASE("a place that the model refuses for another reason does not round") {
  // Cosine distances have no place for 0, which is the middle of these axes.
  Sample sample{.columns = 2, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = 0; r < 40; ++r) {
    const double angle = 6.283185307179586 * (static_cast<double>(r) + 0.5) / 40.0;
    sample.values.insert(sample.values.end(),
                         {std::round(4.0 * std::cos(angle)), std::round(4.0 * std::sin(angle))});
    sample.labels.push_back(r < 20 ? 0 : 1);
  }
  const Fit fit = test::trained(sample, "neighbors", {{"metric", "cosine"}, {"k", "1"}});
  const auto plot = plots::plot("regions", input_of(*fit.model, sample));
  CHECK_FALSE(says_nearest(plot.drawing));
}
