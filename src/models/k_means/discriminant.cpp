#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/kernels.hpp"
#include "logodds/modelfile/container.hpp"
#include "models/k_means/k_means.hpp"

namespace logodds::models::k_means {

KMeansDiscriminant::KMeansDiscriminant(const Schema& schema, clusters::Standardization units,
                                       std::vector<double> centers, FitFacts facts)
    : labels_(schema.labels),
      design_(schema, OneHot::full),
      units_(std::move(units)),
      centers_(std::move(centers)),
      facts_(std::move(facts)) {}

std::string_view end_text(KMeansEnd end) {
  constexpr std::string_view kTexts[] = {"no row changed", "centers still", "max-iterations"};
  return kTexts[static_cast<std::size_t>(end)];
}

void KMeansDiscriminant::squared_distances(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  const DesignRows rows = units_.apply(design_.encode(block, scratch), scratch);
  kernels::squared_distances(rows.data, rows.rows, rows.stride, centers_.data(), labels_.size(),
                             design_.size(), design_.size(), out.data());
}

void KMeansDiscriminant::center_distances(const RowBlock& block, std::span<double> out) const {
  squared_distances(block, out);
  for (double& distance : out) { distance = std::sqrt(distance); }
}

void KMeansDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  squared_distances(block, out);
  const std::size_t k = labels_.size();
  for (std::size_t r = 0; r < block.rows; ++r) {
    const auto row = out.subspan(r * k, k);
    const auto nearest = std::ranges::min_element(row) - row.begin();
    const bool finite = std::isfinite(row[static_cast<std::size_t>(nearest)]);
    std::ranges::fill(row, -std::numeric_limits<double>::infinity());
    // So far out that every distance overflows: no score, which is refused.
    row[static_cast<std::size_t>(nearest)] =
        finite ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  }
}

std::vector<double> KMeansDiscriminant::centers_in_columns_units() const {
  std::vector<double> centers = centers_;
  units_.undo(centers);
  return centers;
}

Description KMeansDiscriminant::describe() const {
  Description description;
  const double error = std::accumulate(facts_.errors.begin(), facts_.errors.end(), 0.0);
  description.facts = {{"E", error},
                       {"steps", static_cast<std::int64_t>(facts_.steps)},
                       {"ended", std::string(end_text(facts_.end))}};
  DescriptionTable table{"centers", {"cluster", "weight", "E"}, {}};
  table.columns.insert(table.columns.end(), design_.names().begin(), design_.names().end());
  const std::vector<double> centers = centers_in_columns_units();
  const std::size_t d = design_.size();
  for (std::size_t k = 0; k < labels_.size(); ++k) {
    std::vector<Cell> cells{labels_[k], facts_.weights[k], facts_.errors[k]};
    for (std::size_t i = 0; i < d; ++i) { cells.emplace_back(centers[k * d + i]); }
    table.rows.push_back(std::move(cells));
  }
  description.tables.push_back(std::move(table));
  return description;
}

std::vector<NamedArray> KMeansDiscriminant::arrays() const {
  const std::size_t k = labels_.size();
  return {{"centers", {k, design_.size()}, centers_in_columns_units()},
          {"weights", {k}, facts_.weights},
          {"errors", {k}, facts_.errors}};
}

void KMeansDiscriminant::save(modelfile::Writer& writer) const {
  const std::size_t k = labels_.size();
  writer.tensor("centers", centers_, {k, design_.size()});
  writer.tensor("weights", facts_.weights, {k});
  writer.tensor("errors", facts_.errors, {k});
  const std::vector<std::int32_t> steps{facts_.steps, static_cast<std::int32_t>(facts_.end)};
  writer.tensor("steps", steps, {2});
  if (units_.none()) { return; }
  writer.tensor("means", units_.means, {design_.size()});
  writer.tensor("deviations", units_.deviations, {design_.size()});
}

namespace {

std::vector<double> finite_doubles(const modelfile::Reader& reader, const std::string& name,
                                   const std::vector<std::size_t>& shape) {
  std::vector<double> values = reader.doubles(name, shape);
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    reader.fail("its " + name + " are not all finite");
  }
  return values;
}

}  // namespace

KMeansDiscriminant KMeansDiscriminant::load(const modelfile::Reader& reader, const Schema& schema,
                                            const Options& options) {
  const std::size_t k = schema.labels.size();
  const std::size_t d = Design(schema, OneHot::full).size();
  if (k == 0) { reader.fail("it has no cluster"); }
  clusters::Standardization units;
  if (options.flag("standardize")) {
    units = {finite_doubles(reader, "means", {d}), finite_doubles(reader, "deviations", {d})};
    if (std::ranges::any_of(units.deviations, [](double value) { return value <= 0.0; })) {
      reader.fail("its deviations are not all positive");
    }
  }
  const auto steps = reader.integers("steps", {2});
  if (steps[0] < 0 || steps[1] < 0 || steps[1] > static_cast<std::int32_t>(KMeansEnd::max_steps)) {
    reader.fail("its number of steps makes no sense");
  }
  return {schema, std::move(units), finite_doubles(reader, "centers", {k, d}),
          FitFacts{.weights = finite_doubles(reader, "weights", {k}),
                   .errors = finite_doubles(reader, "errors", {k}),
                   .steps = steps[0],
                   .end = static_cast<KMeansEnd>(steps[1])}};
}

}  // namespace logodds::models::k_means
