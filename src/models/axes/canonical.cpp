// Canonical axes, by the code of the Gaussian family: the same densities, the same axes.
#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/registry/registry.hpp"
#include "models/axes/family.hpp"
#include "models/gaussian/eigen.hpp"
#include "models/gaussian/estimate.hpp"
#include "models/gaussian/uses.hpp"

namespace logodds::models::axes {

namespace {

using gaussian::index;
using gaussian::Matrix;
using gaussian::matrix_view;
using gaussian::Vector;

/// One covariance inside all classes, as --model gaussian has by default.
gaussian::CovarianceRule shared_rule(const Options& options) {
  return gaussian::CovarianceRule(
      Options(find_family("gaussian").options, {{"ridge", options.text("ridge")}}));
}

std::vector<double> values_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

/// z = (x - center) V; since V^T W V = 1, a row is rebuilt as center + z (W V)^T: of all points
/// with these coordinates the one that is nearest to the center in units of the spread W.
AxisSystem system_of(const gaussian::CanonicalAxes& found, const gaussian::Densities& densities,
                     std::size_t count, double weight) {
  const std::size_t d = densities.size;
  const auto all = matrix_view(found.axes.data(), d, found.eigenvalues.size());
  const Matrix directions = all.leftCols(index(count));
  const auto lower = matrix_view(densities.factors.front().lower.data(), d, d);
  const Matrix spread = lower * (lower.transpose() * directions);  // W V
  AxisSystem system;
  system.center = found.center;
  system.scale.assign(d, 1.0);
  system.loadings = values_of(directions.transpose());
  system.directions = values_of(directions);
  system.back = values_of(spread.transpose());
  system.values.assign(found.eigenvalues.begin(),
                       found.eigenvalues.begin() + static_cast<std::ptrdiff_t>(count));
  for (const double value : found.eigenvalues) { system.total += value; }
  for (std::size_t m = 0; m <= count; ++m) {
    double left = 0.0;
    for (std::size_t rest = found.eigenvalues.size(); rest-- > m;) {
      left += found.eigenvalues[rest];
    }
    system.errors.push_back(std::sqrt(left));
  }
  system.weight = weight;
  return system;
}

}  // namespace

FittedAxes CanonicalFamily::estimate(const AxesStatistics& statistics, EstimatorInput input) {
  const auto& labels = input.schema.labels;
  if (labels.size() < 2) {
    throw Error(ErrorCode::input, "there is one class only, '" + labels.front() +
                                      "', and canonical axes separate classes; give rows of two "
                                      "classes or more, or take --method pca");
  }
  const auto rule = shared_rule(input.options);
  Design design(input.schema, rule.one_hot());
  if (const auto note = design.one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  const auto groups = gaussian::class_groups(rule, labels);
  const gaussian::CovarianceTask task{rule, groups, labels, design.names(), false};
  const gaussian::DesignMoments moments(*statistics.moments(), design);
  const auto densities = gaussian::densities_from(moments, task, {}, "ml", input.report.notes);
  const auto found = gaussian::canonical_axes(densities);
  if (found.eigenvalues.empty()) {
    throw Error(ErrorCode::input,
                "the classes have one mean, so no axis separates them; give rows of classes whose "
                "means differ, or take --method pca");
  }
  double total = 0.0;
  for (const double value : found.eigenvalues) { total += value; }
  const std::size_t count =
      ComponentCount(input.options.text("components"))
          .chosen(found.eigenvalues, found.eigenvalues.size(), total, "canonical");
  std::vector<std::pair<std::string, Cell>> facts{
      {"weight", statistics.weight()},
      {"classes", static_cast<std::int64_t>(labels.size())},
      {"computed from", "the scatter matrices of the classes (one pass over the rows)"},
      {"axes", std::to_string(count) + " of " + std::to_string(found.eigenvalues.size()) +
                   " that separate"}};
  return {std::move(design),
          system_of(found, densities, count, statistics.weight()),
          {.value = "between / within",
           .error = "rms error of the means",
           .direction = "directions: coordinates are sums of (column - center) times these"},
          std::move(facts)};
}

}  // namespace logodds::models::axes
