#include "logodds/models/axes.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"

namespace logodds {

FittedAxes::FittedAxes(Design design, AxisSystem system, AxesWords words,
                       std::vector<std::pair<std::string, Cell>> facts)
    : design_(std::move(design)),
      system_(std::move(system)),
      words_(std::move(words)),
      facts_(std::move(facts)) {}

void FittedAxes::project(const RowBlock& block, std::size_t axes, std::span<double> out) const {
  std::vector<double> scratch;
  const DesignRows rows = design_.encode(block, scratch);
  std::vector<double> first;
  for (std::size_t i = 0; i < rows.columns; ++i) {
    const auto row = system_.directions.begin() + static_cast<std::ptrdiff_t>(i * axis_count());
    first.insert(first.end(), row, row + static_cast<std::ptrdiff_t>(axes));
  }
  const std::vector<double> zeros(axes, 0.0);
  kernels::affine_scores(rows.data, rows.rows, rows.columns, rows.stride, system_.center.data(),
                         first.data(), zeros.data(), axes, out.data());
}

void FittedAxes::rebuild(std::span<const double> coordinates, std::size_t axes,
                         std::span<double> out) const {
  const std::size_t d = system_.center.size();
  const std::vector<double> zeros(axes, 0.0);
  kernels::affine_scores(coordinates.data(), coordinates.size() / axes, axes, axes, zeros.data(),
                         system_.back.data(), system_.center.data(), d, out.data());
}

void FittedAxes::reconstruct(const RowBlock& block, std::size_t axes, std::span<double> out) const {
  std::vector<double> coordinates(block.rows * axes);
  project(block, axes, coordinates);
  rebuild(coordinates, axes, out);
}

Description FittedAxes::describe() const {
  Description description;
  description.facts = facts_;
  DescriptionTable axes{"axes", {"axis", words_.value, "share", "cumulative", words_.error}, {}};
  DescriptionTable loadings{words_.direction, {"column"}, {}};
  double sum = 0.0;
  for (std::size_t m = 0; m < axis_count(); ++m) {
    sum += system_.values[m];
    axes.rows.push_back({static_cast<std::int64_t>(m + 1), system_.values[m],
                         system_.values[m] / system_.total, std::min(sum / system_.total, 1.0),
                         system_.errors[m + 1]});
    loadings.columns.push_back("axis" + std::to_string(m + 1));
  }
  const std::size_t d = column_names().size();
  for (std::size_t i = 0; i < d; ++i) {
    std::vector<Cell> row{column_names()[i]};
    for (std::size_t m = 0; m < axis_count(); ++m) {
      row.emplace_back(system_.loadings[m * d + i]);
    }
    loadings.rows.push_back(std::move(row));
  }
  description.tables = {std::move(axes), std::move(loadings)};
  return description;
}

std::vector<NamedArray> FittedAxes::arrays() const {
  const std::size_t m = axis_count();
  const std::size_t d = system_.center.size();
  return {{"center", {d}, system_.center},        {"scale", {d}, system_.scale},
          {"loadings", {m, d}, system_.loadings}, {"directions", {d, m}, system_.directions},
          {"back", {m, d}, system_.back},         {"eigenvalues", {m}, system_.values},
          {"errors", {m + 1}, system_.errors},    {"total", {1}, {system_.total}},
          {"weight", {1}, {system_.weight}}};
}

}  // namespace logodds
