// Posteriors of arrays, Arrow streams and CSV files.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <span>

#include "arrays.hpp"
#include "arrow.hpp"
#include "csv.hpp"
#include "given_rows.hpp"
#include "interrupt.hpp"
#include "model.hpp"
#include "result_memory.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Notes = std::vector<std::string>;

/// `missing`: whether a NaN may be a missing value.
MissingRows missing_rows(const Model& model, bool missing) {
  return missing && uses_missing(model) ? MissingRows::use : MissingRows::error;
}

Posteriors predict_array(const Model& model, const Features& features, int threads, bool missing) {
  const std::size_t classes = model.classifier->labels().size();
  const MatrixView rows = matrix_view(features);
  ResultMemory memory(rows.rows * classes * sizeof(double));
  {
    const nb::gil_scoped_release no_gil;
    posteriors(*model.classifier, rows, {memory.as<double>(), rows.rows * classes},
               {.threads = threads}, missing_rows(model, missing));
  }
  return array_over<Posteriors>(std::move(memory), {rows.rows, classes});
}

Codes decide_array(const Model& model, const Features& features, int threads, bool missing) {
  const MatrixView rows = matrix_view(features);
  ResultMemory memory(rows.rows * sizeof(std::int32_t));
  {
    const nb::gil_scoped_release no_gil;
    decisions(*model.classifier, rows, {memory.as<std::int32_t>(), rows.rows}, {.threads = threads},
              missing_rows(model, missing));
  }
  return array_over<Codes>(std::move(memory), {rows.rows});
}

/// Adds the rows of a block; a row that could not be scored is a row of NaN.
void append(const ScoredBlock& block, std::size_t classes, std::vector<double>& out) {
  const std::size_t begin = out.size();
  out.insert(out.end(), block.posteriors.begin(), block.posteriors.end());
  for (std::size_t r = 0; r < block.skipped.size(); ++r) {
    if (block.skipped[r] == 0) { continue; }
    const auto row = out.begin() + static_cast<std::ptrdiff_t>(begin + r * classes);
    std::fill_n(row, classes, std::numeric_limits<double>::quiet_NaN());
  }
}

std::string without_words(const TextTally& texts) {
  return std::to_string(texts.without_words) + " of " + std::to_string(texts.documents) +
         " documents have no term of the vocabulary, so that their words say nothing";
}

/// `rows`: how many are expected, 0 when that is not known.
std::pair<Posteriors, Notes> predict_source(const Model& model, BlockSource& source,
                                            std::size_t rows, int threads, MissingRows missing) {
  const std::size_t classes = model.classifier->labels().size();
  auto values = std::make_unique<std::vector<double>>();
  values->reserve(rows * classes);
  const ScoreReport report = run_interruptibly(threads, [&](const Context& context) {
    return score(*model.classifier, source,
                 [&](const ScoredBlock& block) { append(block, classes, *values); }, context,
                 {.missing = missing});
  });
  Notes notes = source.notes();
  if (report.texts.without_words > 0) { notes.push_back(without_words(report.texts)); }
  return {posteriors_array(std::move(values), classes), std::move(notes)};
}

std::pair<Posteriors, Notes> predict_arrow(const Model& model, const nb::object& stream,
                                           int threads) {
  const ArrowTable table = arrow_table(stream);
  const bool missing = uses_missing(model);
  const auto source = open_arrow(table, model.classifier->schema(),
                                 missing ? ArrowNulls::missing : ArrowNulls::error);
  return predict_source(model, *source, table.rows(), threads,
                        missing ? MissingRows::use : MissingRows::error);
}

std::pair<Posteriors, Notes> predict_given(const Model& model, const GivenRows& rows, int threads,
                                           bool missing) {
  const MissingRows how = missing_rows(model, missing);
  const auto source = rows.open(model.classifier->schema(), how == MissingRows::use);
  return predict_source(model, *source, rows.count(), threads, how);
}

std::pair<Posteriors, Notes> predict_csv(const Model& model, const std::string& path,
                                         const std::vector<std::string>& missing_tokens,
                                         const std::string& delimiter, bool header,
                                         const std::string& missing, int threads) {
  const CsvArguments arguments{
      .missing_tokens = missing_tokens, .delimiter = delimiter, .header = header};
  const auto source =
      open_csv(path, csv_options(arguments), model.classifier->schema(), /*with_labels=*/false);
  return predict_source(model, *source, 0, threads, parse_missing(missing));
}

}  // namespace

void bind_predict(nb::class_<Model>& model) {
  using nb::arg;
  model.def("predict_array", &predict_array, arg("features"), arg("threads"), arg("missing"))
      .def("decide_array", &decide_array, arg("features"), arg("threads"), arg("missing"))
      .def("predict_arrow", &predict_arrow, arg("stream"), arg("threads"))
      .def("predict_given", &predict_given, arg("rows"), arg("threads"), arg("missing"))
      .def("predict_csv", &predict_csv, arg("path"), arg("missing_tokens"), arg("delimiter"),
           arg("header"), arg("missing"), arg("threads"));
}

}  // namespace logodds::binding
