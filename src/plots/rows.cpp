// Rows of a source as pictures need them.
#include "logodds/error.hpp"
#include "plots/support.hpp"

namespace logodds::plots {

namespace {

constexpr std::size_t kMostNumbers = std::size_t{1} << 27U;  // 1 GiB

/// Sparse rows are spread out.
void append_numbers(PlotRows& rows, const RowBlock& block, std::size_t r, std::size_t columns) {
  if (rows.numbers.size() + columns > kMostNumbers) {
    throw Error(ErrorCode::usage, "the rows are too many to be drawn: " + grouped(rows.rows) +
                                      " of them with " + grouped(columns) +
                                      " columns of numbers fill the memory that pictures take; "
                                      "give fewer");
  }
  if (!block.is_sparse()) {
    const double* const first = block.numeric + r * block.numeric_stride;
    rows.numbers.insert(rows.numbers.end(), first, first + columns);
    return;
  }
  const std::size_t first = rows.numbers.size();
  rows.numbers.resize(first + columns, 0.0);
  for (std::size_t i = block.sparse.starts[r]; i < block.sparse.starts[r + 1]; ++i) {
    rows.numbers[first + block.sparse.indices[i]] = block.sparse.values[i];
  }
}

void append_features(PlotRows& rows, const RowBlock& block, std::size_t r, std::size_t columns) {
  if (columns > 0) { append_numbers(rows, block, r, columns); }
  for (std::size_t c = 0; c < block.codes.size(); ++c) {
    rows.codes[c].push_back(block.codes[c][r]);
  }
}

void append_row(PlotRows& rows, const ScoredBlock& block, std::size_t r, const Classifier& model,
                bool keep_posteriors) {
  const RowBlock& raw = block.rows;
  append_features(rows, raw, r, model.schema().numeric_count());
  if (raw.labels != nullptr) { rows.truths.push_back(raw.labels[r]); }
  if (raw.weights != nullptr) { rows.weights.push_back(raw.weights[r]); }
  rows.decisions.push_back(block.decisions[r]);
  if (keep_posteriors) {
    const std::size_t classes = model.labels().size();
    const double* const first = block.posteriors.data() + r * classes;
    rows.posteriors.insert(rows.posteriors.end(), first, first + classes);
  }
  rows.row_numbers.push_back(raw.row_numbers == nullptr ? raw.first_row + r : raw.row_numbers[r]);
  ++rows.rows;
}

}  // namespace

PlotRows read_scored(const PlotInput& input, const Classifier& model, bool keep_posteriors,
                     const Context& context) {
  PlotRows rows;
  rows.codes.resize(model.schema().coded_count());
  const auto source = input.open_rows();
  rows.report = score(
      model, *source,
      [&](const ScoredBlock& block) {
        for (std::size_t r = 0; r < block.rows.rows; ++r) {
          if (!block.skipped.empty() && block.skipped[r] != 0) { continue; }
          append_row(rows, block, r, model, keep_posteriors);
        }
      },
      context);
  return rows;
}

}  // namespace logodds::plots
