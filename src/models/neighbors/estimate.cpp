#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/error.hpp"
#include "models/neighbors/neighbors.hpp"

namespace logodds::models::neighbors {

namespace {

/// Throws when squared distances are not of this world; says so when one column decides the
/// distances because its numbers are the largest.
std::string scale_note(const TrainingRows& rows, const Design& design) {
  constexpr double kDominates = 0.95;
  std::vector<double> scratch;
  const RowBlock all = rows.view();
  const DesignRows x = design.encode(all, scratch);
  std::vector<double> squares(x.columns, 0.0);
  for (std::size_t i = 0; i < x.columns; ++i) {
    double mean = 0.0;
    double weight = 0.0;
    for (std::size_t r = 0; r < x.rows; ++r) {  // West (1979): weighted update of mean and squares
      const double value = x.data[r * x.stride + i];
      const double off = value - mean;
      weight += all.weight(r);
      mean += off * (all.weight(r) / weight);
      squares[i] += all.weight(r) * off * (value - mean);
    }
  }
  const auto largest = std::max_element(squares.begin(), squares.end());
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  if (!std::isfinite(sum) || (sum > 0.0 && sum < std::numeric_limits<double>::min())) {
    throw Error(ErrorCode::numeric,
                "column '" + design.names()[static_cast<std::size_t>(largest - squares.begin())] +
                    "': squared distances overflow or vanish; multiply the column by a constant "
                    "that brings it near 1");
  }
  const double share = *largest / sum;
  if (x.columns < 2 || !(share > kDominates)) { return {}; }
  return "column '" + design.names()[static_cast<std::size_t>(largest - squares.begin())] +
         "' alone makes up " + std::to_string(static_cast<int>(100.0 * share)) +
         " % of the squared distances; bring the columns to like scales if that is not wanted";
}

}  // namespace

NeighborsDiscriminant NeighborsFamily::estimate(const TrainingRows& rows, EstimatorInput input) {
  const auto k = static_cast<double>(input.options.integer("k"));
  NeighborsDiscriminant discriminant(rows, input.schema, k);
  const Design design(input.schema, OneHot::full);
  if (const auto note = design.one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  if (const auto note = scale_note(rows, design); !note.empty()) {
    input.report.notes.push_back(note);
  }
  if (k > rows.weight()) {
    input.report.notes.push_back("k is " + format_number(k) + ", but there are only " +
                                 format_number(rows.weight()) + " rows: all of them vote");
  }
  return discriminant;
}

TrainingRows NeighborsFamily::load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                              const Options&) {
  return TrainingRows::load(reader, schema);
}

}  // namespace logodds::models::neighbors
