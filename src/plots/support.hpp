// What several kinds of pictures need: the page, the model as it is asked for, rows and measures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/draw/drawing.hpp"
#include "logodds/draw/panel.hpp"
#include "logodds/logodds.hpp"
#include "logodds/measure/report.hpp"
#include "logodds/plots/plots.hpp"
#include "logodds/registry/title.hpp"

namespace logodds::plots {

/// An empty page as large as wished, else width x height.
[[nodiscard]] draw::Drawing new_drawing(const PageWish& page, double width, double height);
/// The title that was wished for, or this one.
[[nodiscard]] std::string title_or(const PageWish& page, std::string title);

/// The model, if it is one that decides. Throws Error(usage) that names the kinds for others.
[[nodiscard]] const Classifier& classifier_of(const PlotInput& input, std::string_view kind);
/// The model, if it describes rows; else null.
[[nodiscard]] const DescriptiveModel* descriptive_of(const PlotInput& input);

/// Whether 'cluster --soft' may have made the model: a mixture is saved as one of the family
/// gaussian, with classes "1", "2", ... and no column of labels.
[[nodiscard]] bool may_be_mixture(const Classifier& model);

/// "12 rows were left out because a value is missing", where there are some; `why`: "a value is
/// missing".
void add_left_out(std::vector<std::string>& notes, std::size_t rows, std::string_view why);
/// The same of rows that were not scored, and of those that were not decided.
void add_row_notes(std::vector<std::string>& notes, const ScoreReport& report);

/// Rows as pictures need them. The matrices are row-major with `rows` rows.
struct PlotRows {
  std::size_t rows = 0;
  std::vector<double> numbers;  ///< rows x numeric_count() of the schema; NaN: missing
  std::vector<std::vector<std::int32_t>> codes;  ///< one a coded column
  std::vector<std::int32_t> truths;      ///< index of a label, -1: none; empty: no row has one
  std::vector<std::int32_t> decisions;   ///< index of a label, kNoDecision: none
  std::vector<double> posteriors;        ///< rows x labels, where asked for
  std::vector<double> weights;           ///< empty: all 1
  std::vector<std::size_t> row_numbers;  ///< in the source, from 0
  ScoreReport report;
};
/// Reads and decides all rows; those that the model cannot decide for want of a value are left out
/// (report.rows_skipped).
[[nodiscard]] PlotRows read_scored(const PlotInput& input, const Classifier& model,
                                   bool keep_posteriors, const Context& context);

/// At most this many points are drawn one by one; of more, every n-th by row number, and a note
/// says so.
inline constexpr std::size_t kMostPoints = 8000;
/// 1 where all `rows` are drawn, else n: rows whose number is a multiple of it are.
[[nodiscard]] std::size_t thinning(std::size_t rows, std::size_t most = kMostPoints);
/// "every 13th of 100,000 points is drawn"
[[nodiscard]] std::string thinning_note(std::size_t rows, std::size_t every);

/// "12,345"
[[nodiscard]] std::string grouped(std::size_t value);

}  // namespace logodds::plots
