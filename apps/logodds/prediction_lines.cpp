#include "prediction_lines.hpp"

#include <utility>

#include "csv_writing.hpp"

namespace logodds::app {

namespace {

void append_cells(std::string& text, std::span<const double> values) {
  for (const double value : values) {
    text += ',';
    append_number(text, value);
  }
}

std::string header_line(const std::vector<std::string>& labels, const PredictionColumns& columns) {
  std::string line = "prediction";
  if (columns.posteriors) {
    for (const std::string& label : labels) { line += "," + csv_field("p_" + label); }
  }
  if (columns.densities) { line += ",log_density,outlier_p"; }
  for (const std::string& name : columns.distances) { line += "," + csv_field(name); }
  for (std::size_t i = 1; i <= columns.neighbors; ++i) {
    line += ",neighbor" + std::to_string(i) + ",distance" + std::to_string(i);
  }
  return line + "\n";
}

}  // namespace

PredictionLines::PredictionLines(const std::vector<std::string>& labels, PredictionColumns columns)
    : classes_(labels.size()),
      columns_(std::move(columns)),
      header_(header_line(labels, columns_)) {
  for (const std::string& label : labels) { labels_.push_back(csv_field(label)); }
  const std::size_t cells = (columns_.posteriors ? classes_ : 0) + (columns_.densities ? 2 : 0) +
                            columns_.distances.size() + 2 * columns_.neighbors;
  // A line with nothing in it would be skipped by most readers of CSV.
  skipped_ = (cells > 0 ? std::string(cells, ',') : std::string("\"\"")) + "\n";
}

void PredictionLines::render(const ScoredBlock& block, std::string& text) const {
  for (std::size_t r = 0; r < block.rows.rows; ++r) {
    if (!block.skipped.empty() && block.skipped[r] != 0) {
      text += skipped_;
    } else {
      render_row(block, r, text);
    }
  }
}

void PredictionLines::render_row(const ScoredBlock& block, std::size_t row,
                                 std::string& text) const {
  const std::int32_t decision = block.decisions[row];
  text += decision == kNoDecision ? kRejected : labels_[static_cast<std::size_t>(decision)];
  if (columns_.posteriors) {
    append_cells(text, block.posteriors.subspan(row * classes_, classes_));
  }
  if (columns_.densities) {
    append_cells(text, block.log_densities.subspan(row, 1));
    append_cells(text, block.p_values.subspan(row, 1));
  }
  const std::size_t distances = columns_.distances.size();
  if (distances > 0) { append_cells(text, block.distances.subspan(row * distances, distances)); }
  render_neighbors(block, row, text);
  text += '\n';
}

void PredictionLines::render_neighbors(const ScoredBlock& block, std::size_t row,
                                       std::string& text) const {
  for (std::size_t i = row * columns_.neighbors; i < (row + 1) * columns_.neighbors; ++i) {
    text += ',' + std::to_string(block.neighbors[i]);
    append_cells(text, block.neighbor_distances.subspan(i, 1));
  }
}

}  // namespace logodds::app
