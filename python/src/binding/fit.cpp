// Training from arrays, Arrow streams and CSV files.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>

#include "arrow.hpp"
#include "csv.hpp"
#include "interrupt.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Given = std::map<std::string, std::string>;
using Fitted = std::pair<Model, FitReport>;

Fitted fit(BlockSource& source, const std::string& family, const Given& options, int threads,
           MissingRows missing) {
  Fit result = run_interruptibly(threads, [&](const Context& context) {
    return train(source, family, options, context, missing);
  });
  return {Model{std::move(result.model)}, std::move(result.report)};
}

void check_lengths(std::size_t rows, const Labels& labels, const std::optional<Weights>& weights) {
  if (labels.size() != rows || (weights && weights->size() != rows)) {
    throw nb::value_error("features, labels and weights have different numbers of rows");
  }
}

Fitted fit_array(const std::string& family, const Given& options, const Features& features,
                 const std::vector<std::string>& names, const Labels& labels,
                 const std::vector<std::string>& label_names, const std::optional<Weights>& weights,
                 int threads) {
  check_lengths(features.shape(0), labels, weights);
  const auto source = open_matrix({.features = matrix_view(features),
                                   .names = names,
                                   .labels = labels.data(),
                                   .label_names = label_names,
                                   .weights = weights ? weights->data() : nullptr,
                                   .allow_missing = find_family(family).capabilities.missing});
  return fit(*source, family, options, threads, MissingRows::error);
}

Fitted fit_arrow(const std::string& family, const Given& options, const nb::object& stream,
                 const Labels& labels, const std::vector<std::string>& label_names,
                 const std::optional<Weights>& weights, int threads) {
  const ArrowTable table = arrow_table(stream);
  check_lengths(table.rows(), labels, weights);
  ArrowLabels given{.labels = {labels.data(), labels.size()}, .names = label_names};
  if (weights) { given.weights = {weights->data(), weights->size()}; }
  const bool takes_missing = find_family(family).capabilities.missing;
  const auto source =
      open_arrow(table, given, takes_missing ? ArrowNulls::missing : ArrowNulls::error);
  return fit(*source, family, options, threads, MissingRows::error);
}

Fitted fit_csv(const std::string& family, const Given& options, const std::string& path,
               const std::string& target, const std::string& weights,
               const std::vector<std::string>& ignore, const Given& kinds,
               const std::vector<std::string>& missing_tokens, const std::string& delimiter,
               bool header, const std::string& missing, int threads) {
  const CsvArguments arguments{target, weights, ignore, kinds, missing_tokens, delimiter, header};
  const auto source = open_csv(path, csv_options(arguments));
  return fit(*source, family, options, threads, parse_missing(missing));
}

}  // namespace

void bind_fit(nb::module_& module) {
  using nb::arg;
  nb::class_<FitReport>(module, "FitReport", "What happened to the rows.")
      .def_ro("rows", &FitReport::rows)
      .def_ro("rows_skipped", &FitReport::rows_skipped)
      .def_ro("weight", &FitReport::weight)
      .def_ro("notes", &FitReport::notes);
  module.def("fit_array", &fit_array, arg("family"), arg("options"), arg("features"), arg("names"),
             arg("labels"), arg("label_names"), arg("weights").none(), arg("threads"));
  module.def("fit_arrow", &fit_arrow, arg("family"), arg("options"), arg("stream"), arg("labels"),
             arg("label_names"), arg("weights").none(), arg("threads"));
  module.def("fit_csv", &fit_csv, arg("family"), arg("options"), arg("path"), arg("target"),
             arg("weights"), arg("ignore"), arg("kinds"), arg("missing_tokens"), arg("delimiter"),
             arg("header"), arg("missing"), arg("threads"));
}

}  // namespace logodds::binding
