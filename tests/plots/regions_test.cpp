#include <doctest/doctest.h>

#include <cmath>

#include "logodds/error.hpp"
#include "plots/plane_support.hpp"

namespace logodds {

namespace {

using test::input_of;
using test::made_sample;
using test::Sample;
using test::trained;

/// ln p_j - ln p_k at a row, by the front door.
double log_odds(const Classifier& model, const std::vector<double>& row, std::size_t j,
                std::size_t k) {
  std::vector<double> p(model.labels().size());
  posteriors(model, row_major(row.data(), 1, row.size()), p);
  return std::log(p[j]) - std::log(p[k]);
}

std::size_t class_at(const Classifier& model, const std::string& name) {
  return static_cast<std::size_t>(std::find(model.labels().begin(), model.labels().end(), name) -
                                  model.labels().begin());
}

struct Pair {
  std::size_t first;
  std::size_t second;
};
/// "boundary c0|c2 (3)"
Pair pair_of(const Classifier& model, const std::string& name) {
  const std::string both = name.substr(
      9, name.find(" (") == std::string::npos ? std::string::npos : name.find(" (") - 9);
  const std::size_t bar = both.find('|');
  return {class_at(model, both.substr(0, bar)), class_at(model, both.substr(bar + 1))};
}

/// A root of a_j - a_k lies within 1e-9 of every point, in units of the picture's axes, which are
/// at least so wide and high. `row_at` makes a row of a point.
template <class RowAt>
void check_roots(const Classifier& model, const plots::Plot& plot, double width, double height,
                 const RowAt& row_at) {
  std::size_t points = 0;
  for (const NamedArray& array : plot.arrays) {
    const auto [j, k] = pair_of(model, array.name);
    for (std::size_t i = 0; i < array.shape[0]; ++i) {
      const double x = array.values[2 * i];
      const double y = array.values[2 * i + 1];
      const auto value = [&](double dx, double dy) {
        return log_odds(model, row_at(x + dx * 1e-9 * width, y + dy * 1e-9 * height), j, k);
      };
      CAPTURE(array.name);
      CAPTURE(x);
      CAPTURE(y);
      CHECK((value(-1, 0) * value(1, 0) <= 0.0 || value(0, -1) * value(0, 1) <= 0.0));
      ++points;
    }
  }
  CHECK(points > 1);
}

double spread(const plots::Plot& plot, std::size_t axis) {
  double low = 1e300;
  double high = -1e300;
  for (const NamedArray& array : plot.arrays) {
    for (std::size_t i = axis; i < array.values.size(); i += 2) {
      low = std::min(low, array.values[i]);
      high = std::max(high, array.values[i]);
    }
  }
  return high - low;
}

void check_two_columns(const std::string& family, const std::map<std::string, std::string>& given,
                       std::size_t classes) {
  CAPTURE(family);
  const Sample sample = made_sample(400, 2, classes, 7);
  const Fit fit = trained(sample, family, given);
  const plots::Plot plot = plots::plot("regions", input_of(*fit.model, sample));
  // No longer than the axes, so that the check is stricter than it must be.
  check_roots(*fit.model, plot, spread(plot, 0), spread(plot, 1),
              [](double x, double y) { return std::vector<double>{x, y}; });
}

}  // namespace

TEST_CASE("Boundaries of regions are roots of a_k - a_j, in families of every kind") {
  check_two_columns("gaussian", {{"covariance", "shared"}}, 3);
  check_two_columns("gaussian", {{"covariance", "own"}}, 3);
  check_two_columns("gaussian", {{"covariance", "own"}}, 2);
  check_two_columns("softmax", {}, 4);
  check_two_columns("naive-bayes", {}, 3);
}

TEST_CASE("Lines of a shared covariance are straight, from the rim or from where they meet") {
  const Sample sample = made_sample(300, 2, 3, 3);
  const Fit fit = trained(sample, "gaussian", {{"covariance", "shared"}});
  for (const NamedArray& array : plots::plot("regions", input_of(*fit.model, sample)).arrays) {
    CHECK(array.shape == std::vector<std::size_t>{2, 2});
  }
}

TEST_CASE("With more columns the boundary is that of the slice, the others at given values") {
  const Sample sample = made_sample(500, 4, 3, 11);
  const Fit fit = trained(sample, "gaussian", {{"covariance", "own"}});
  const plots::Plot plot = plots::plot("regions", input_of(*fit.model, sample),
                                       {{"x", "x4"}, {"y", "x2"}, {"at", "x1=0.25,x3=-0.5"}});
  check_roots(*fit.model, plot, spread(plot, 0), spread(plot, 1),
              [](double x, double y) { return std::vector<double>{0.25, y, -0.5, x}; });
}

TEST_CASE("Without --at the other columns stand at their means") {
  const Sample sample = made_sample(200, 3, 2, 5);
  const Fit fit = trained(sample, "gaussian");
  double mean = 0.0;
  for (std::size_t r = 0; r < sample.rows(); ++r) { mean += sample.at(r, 1) / 200.0; }
  const plots::Plot plot =
      plots::plot("regions", input_of(*fit.model, sample), {{"x", "x1"}, {"y", "x3"}});
  check_roots(*fit.model, plot, spread(plot, 0), spread(plot, 1),
              [mean](double x, double y) { return std::vector<double>{x, mean, y}; });
}

TEST_CASE("On principal axes the boundary is that of the plane through the mean") {
  const Sample sample = made_sample(300, 3, 3, 9);
  const Fit fit = trained(sample, "gaussian");
  const plots::Plot plot = plots::plot("regions", input_of(*fit.model, sample), {{"axes", "pca"}});
  const auto source = open_matrix(sample.data());
  const DescriptiveFit axes = describe(*source, "pca");
  check_roots(*fit.model, plot, spread(plot, 0), spread(plot, 1), [&](double x, double y) {
    std::vector<double> row(3);
    axes.model->axes()->rebuild(std::vector<double>{x, y}, 2, row);
    return row;
  });
}

TEST_CASE("One column of numbers gives bands with exact ends") {
  Sample sample = made_sample(300, 1, 3, 2);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[r] += 4.0 * static_cast<double>(sample.labels[r]);
  }
  const Fit fit = trained(sample, "gaussian", {{"covariance", "own"}});
  const plots::Plot plot = plots::plot("regions", input_of(*fit.model, sample));
  REQUIRE(plot.arrays[0].name == "boundaries");
  REQUIRE(!plot.arrays[0].values.empty());
  const double range = plot.arrays[1].values[400 * 4] - plot.arrays[1].values[0];
  for (const double x : plot.arrays[0].values) {
    std::vector<std::int32_t> sides(2);
    const std::vector<double> rows{x - 1e-9 * range, x + 1e-9 * range};
    decisions(*fit.model, row_major(rows.data(), 2, 1), sides);
    CHECK(sides[0] != sides[1]);
  }
}

TEST_CASE("Regions of a generative model need no rows, of others they do") {
  const Sample sample = made_sample(200, 2, 2, 4);
  const Fit gaussian = trained(sample, "gaussian");
  CHECK_FALSE(plots::plot("regions", {.model = gaussian.model.get()}).arrays.empty());
  const Fit softmax = trained(sample, "softmax");
  CHECK_THROWS_AS(static_cast<void>(plots::plot("regions", {.model = softmax.model.get()})), Error);
}

TEST_CASE("The same picture for any number of threads [threads]") {
  const Sample sample = made_sample(500, 3, 3, 6);
  const Fit fit = trained(sample, "softmax");
  const auto arrays = [&](int threads) {
    return plots::plot("regions", input_of(*fit.model, sample), {}, {}, {.threads = threads})
        .arrays;
  };
  const auto one = arrays(1);
  const auto three = arrays(3);
  REQUIRE(one.size() == three.size());
  for (std::size_t i = 0; i < one.size(); ++i) { CHECK(one[i].values == three[i].values); }
}

}  // namespace logodds
