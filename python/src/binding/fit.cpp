// Training from arrays, Arrow streams and CSV files.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "csv.hpp"
#include "given_rows.hpp"
#include "interrupt.hpp"
#include "model.hpp"
#include "training_rows.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

/// How a fit runs, besides its options.
struct Run {
  int threads;
  std::uint64_t seed;
  const Model* start;  ///< where an optimiser begins, or null
};

Fitted fit(BlockSource& source, const std::string& family, const Given& options, const Run& run,
           MissingRows missing) {
  Fit result = run_interruptibly(run.threads, [&](Context context) {
    context.seed = run.seed;
    context.warm_start = run.start == nullptr ? nullptr : run.start->classifier.get();
    return train(source, family, options, context, missing);
  });
  return {Model{std::move(result.model)}, std::move(result.report)};
}

Fitted fit_array(const std::string& family, const Given& options, const Features& features,
                 const std::vector<std::string>& names, const Labels& labels,
                 const std::vector<std::string>& label_names, const std::optional<Weights>& weights,
                 int threads, std::uint64_t seed, const Model* start) {
  const auto source =
      array_source(features, names, {labels, label_names, weights}, takes_missing(family, options));
  return fit(*source, family, options, {threads, seed, start}, MissingRows::use);
}

Fitted fit_arrow(const std::string& family, const Given& options, const nb::object& stream,
                 const Labels& labels, const std::vector<std::string>& label_names,
                 const std::optional<Weights>& weights, int threads, const Given& kinds,
                 std::uint64_t seed, const Model* start) {
  ArrowRows rows(stream, {labels, label_names, weights, kinds}, takes_missing(family, options));
  return fit(rows.source(), family, options, {threads, seed, start}, MissingRows::use);
}

Fitted fit_given(const std::string& family, const Given& options, const GivenRows& rows,
                 const Labels& labels, const std::vector<std::string>& label_names,
                 const std::optional<Weights>& weights, int threads, std::uint64_t seed,
                 const Model* start) {
  const auto source = rows.open({labels, label_names, weights}, takes_missing(family, options));
  return fit(*source, family, options, {threads, seed, start}, MissingRows::use);
}

Fitted fit_csv(const std::string& family, const Given& options, const std::string& path,
               const std::string& target, const std::string& weights,
               const std::vector<std::string>& ignore, const Given& kinds,
               const std::vector<std::string>& missing_tokens, const std::string& delimiter,
               bool header, const std::string& missing, int threads, std::uint64_t seed,
               const Model* start) {
  const CsvArguments arguments{target, weights, ignore, kinds, missing_tokens, delimiter, header};
  const auto source = open_csv(path, csv_options(arguments));
  return fit(*source, family, options, {threads, seed, start}, parse_missing(missing));
}

nb::list tables(const FitReport& report) {
  nb::list records;
  for (const auto& table : report.tables) { records.append(table_record(table)); }
  return records;
}

nb::object trace(const FitReport& report) {
  return report.trace ? nb::object(table_record(*report.trace)) : nb::none();
}

nb::dict facts(const FitReport& report) {
  nb::dict record;
  for (const auto& [name, value] : report.facts) {
    record[nb::cast(name)] = std::visit([](const auto& cell) { return nb::cast(cell); }, value);
  }
  return record;
}

/// Of the rows used, from 0; empty where the model is no clustering.
Codes clusters(const FitReport& report) {
  return owning_array<Codes>(report.clusters, {report.clusters.size()});
}

}  // namespace

void bind_fit(nb::module_& module) {
  using nb::arg;
  nb::class_<FitReport>(module, "FitReport", "What happened to the rows.")
      .def_ro("rows", &FitReport::rows)
      .def_ro("rows_skipped", &FitReport::rows_skipped)
      .def_ro("rows_incomplete", &FitReport::rows_incomplete)
      .def_ro("rows_unlabeled", &FitReport::rows_unlabeled)
      .def_ro("converged", &FitReport::converged)
      .def_ro("weight", &FitReport::weight)
      .def_ro("notes", &FitReport::notes)
      .def_prop_ro("tables", &tables, nb::sig("def tables(self) -> list[dict[str, typing.Any]]"))
      .def_prop_ro("facts", &facts, nb::sig("def facts(self) -> dict[str, typing.Any]"))
      .def_prop_ro("clusters", &clusters, nb::rv_policy::move)
      .def_prop_ro("trace", &trace, nb::sig("def trace(self) -> dict[str, typing.Any] | None"));
  const auto seed = arg("seed") = 0;
  const auto start = arg("start").none() = nb::none();
  module.def("fit_array", &fit_array, arg("family"), arg("options"), arg("features"), arg("names"),
             arg("labels"), arg("label_names"), arg("weights").none(), arg("threads"), seed, start);
  module.def("fit_arrow", &fit_arrow, arg("family"), arg("options"), arg("stream"), arg("labels"),
             arg("label_names"), arg("weights").none(), arg("threads"), arg("kinds") = Given{},
             seed, start);
  module.def("fit_given", &fit_given, arg("family"), arg("options"), arg("rows"), arg("labels"),
             arg("label_names"), arg("weights").none(), arg("threads"), seed, start);
  module.def("fit_csv", &fit_csv, arg("family"), arg("options"), arg("path"), arg("target"),
             arg("weights"), arg("ignore"), arg("kinds"), arg("missing_tokens"), arg("delimiter"),
             arg("header"), arg("missing"), arg("threads"), seed, start);
}

}  // namespace logodds::binding
