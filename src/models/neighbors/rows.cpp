#include "models/neighbors/rows.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/modelfile/container.hpp"
#include "logodds/models/row_problem.hpp"

namespace logodds::models::neighbors {

void NeighborRows::add(const RowBlock& block, const Shape& shape) {
  for (std::size_t r = 0; directions_ && block.codes.empty() && r < block.rows; ++r) {
    const double* const x = block.numeric + r * block.numeric_stride;
    const bool zero = std::all_of(x, x + block.numeric_columns, [](double v) { return v == 0.0; });
    if (zero) { throw RowProblem{.row = r, .column = {}, .sentence = kNoDirection}; }
  }
  TrainingRows::add(block, shape);
}

void NeighborRows::save(modelfile::Writer& writer) const {
  TrainingRows::save(writer);
  if (!units) { return; }
  const std::size_t d = units->center.size();
  if (d > 0) { writer.tensor("units.center", units->center, {d}); }
  if (!units->scale.empty()) { writer.tensor("units.scale", units->scale, {d}); }
  if (!units->factor.empty()) { writer.tensor("units.factor", units->factor, {d, d}); }
}

namespace {

std::vector<double> finite(const modelfile::Reader& reader, const std::string& name,
                           const std::vector<std::size_t>& shape) {
  std::vector<double> values = reader.doubles(name, shape);
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    reader.fail("the units of its columns are not finite");
  }
  return values;
}

}  // namespace

NeighborRows NeighborRows::load(const modelfile::Reader& reader, const Schema& schema,
                                const Wish& wish) {
  NeighborRows result;
  static_cast<TrainingRows&>(result) = TrainingRows::load(reader, schema);
  if (!wish.condense) { return result; }
  const std::size_t d = Design(schema, coding_of(wish)).size();
  const bool whole = wish.metric == Metric::mahalanobis;
  result.units.emplace();
  if (whole || wish.standardize) { result.units->center = finite(reader, "units.center", {d}); }
  if (whole) {
    result.units->factor = finite(reader, "units.factor", {d, d});
    for (std::size_t i = 0; i < d; ++i) {
      if (!(result.units->factor[i * d + i] > 0.0)) {
        reader.fail("the factor of its covariance is singular");
      }
    }
  } else if (wish.standardize) {
    result.units->scale = finite(reader, "units.scale", {d});
  }
  return result;
}

}  // namespace logodds::models::neighbors
