// How far the numbers of a table are spread, in one pass: the unit of a ridge.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>
#include <span>

#include "arrow.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

/// Weighted mean and sum of squared deviations of one column, row by row (West 1979).
struct Moments {
  double weight = 0.0;
  double mean = 0.0;
  double squares = 0.0;

  /// A missing value adds nothing.
  void add(double value, double row_weight) {
    if (std::isnan(value)) { return; }
    weight += row_weight;
    const double change = value - mean;
    mean += change * row_weight / weight;
    squares += row_weight * change * (value - mean);
  }
};

/// The mean over the columns of numbers of their variances; 0 without any.
double mean_variance(BlockSource& source) {
  std::vector<Moments> columns;
  RowBuffer buffer;
  while (source.take(buffer)) {
    source.parse(buffer);
    const RowBlock block = buffer.view();
    columns.resize(block.numeric_columns);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double weight = block.weights == nullptr ? 1.0 : block.weights[r];
      for (std::size_t c = 0; c < columns.size(); ++c) {
        columns[c].add(block.numeric[r * block.numeric_stride + c], weight);
      }
    }
  }
  double sum = 0.0;
  for (const auto& column : columns) {
    sum += column.weight > 0.0 ? column.squares / column.weight : 0.0;
  }
  return columns.empty() ? 0.0 : sum / static_cast<double>(columns.size());
}

double array_variance(const Features& features, const std::optional<Weights>& weights) {
  const auto source = open_matrix({.features = matrix_view(features),
                                   .weights = weights ? weights->data() : nullptr,
                                   .allow_missing = true});
  return mean_variance(*source);
}

double arrow_variance(const nb::object& stream, const std::optional<Weights>& weights) {
  const ArrowTable table = arrow_table(stream);
  ArrowLabels given;
  if (weights) { given.weights = {weights->data(), weights->size()}; }
  return mean_variance(*open_arrow(table, given, ArrowNulls::missing));
}

}  // namespace

void bind_spread(nb::module_& module) {
  module.def("array_variance", &array_variance, nb::arg("features"), nb::arg("weights").none(),
             "Mean of the variances of the columns.");
  module.def("arrow_variance", &arrow_variance, nb::arg("stream"), nb::arg("weights").none(),
             "Mean of the variances of the columns of numbers.");
}

}  // namespace logodds::binding
