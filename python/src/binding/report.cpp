// One page about a model.
#include "logodds/report/report.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "interrupt.hpp"
#include "model.hpp"
#include "rows_to_show.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using RowsAndLabels = std::pair<nb::object, Labels>;
using PageAndNotes = std::pair<std::string, std::vector<std::string>>;

/// What the rows are called on the page is what they are called in Python.
PageAndNotes write_report(const Model& model, const RowsAndLabels& data,
                          const std::optional<RowsAndLabels>& training, const std::string& name,
                          const std::string& call, double level, std::size_t rows_shown,
                          int threads) {
  const Schema& schema = model.classifier->schema();
  const RowsToShow rows(data.first, data.second);
  report::ReportInput input{.model = model.classifier.get(),
                            .model_name = name,
                            .data = {.name = "X", .open = [&] { return rows.open(schema); }},
                            .how_made = {call},
                            .version = LOGODDS_VERSION};
  std::optional<RowsToShow> trained_on;
  if (training) {
    trained_on.emplace(training->first, training->second);
    input.training = {.name = "the training rows",
                      .open = [&] { return trained_on->open(schema); }};
  }
  report::ReportPage page = run_interruptibly(threads, [&](const Context& context) {
    return report::make_report(input, {.level = level, .rows_shown = rows_shown}, context);
  });
  return {std::move(page.html), std::move(page.notes)};
}

}  // namespace

void bind_report(nb::module_& module) {
  using nb::arg;
  module.def("write_report", &write_report, arg("model"), arg("data"), arg("training").none(),
             arg("name"), arg("call"), arg("level"), arg("rows_shown"), arg("threads"));
}

}  // namespace logodds::binding
