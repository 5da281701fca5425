// Pictures of models, and of what they say about rows.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "logodds/draw/render.hpp"
#include "logodds/plots/plots.hpp"
#include "model.hpp"
#include "rows_to_show.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using plots::Needs;
using plots::Plot;
using OptionTexts = std::map<std::string, std::string>;

const logodds::Model* model_of(const nb::object& model) {
  if (model.is_none()) { return nullptr; }
  if (nb::isinstance<Model>(model)) { return nb::cast<const Model&>(model).classifier.get(); }
  return nb::cast<const Descriptive&>(model).model.get();
}

Plot draw_picture(const std::string& kind, const nb::object& model, const nb::object& rows,
                  std::optional<Labels> labels,
                  const std::vector<std::pair<std::string, std::string>>& tables,
                  const OptionTexts& options, const std::string& title, double width, double height,
                  int threads) {
  const RowsToShow given(rows, std::move(labels));
  plots::PlotInput input{.model = model_of(model)};
  input.tables = tables;
  if (given.any()) {
    input.open_rows = [&] { return given.open(input.model->schema()); };
  }
  return run_interruptibly(threads, [&](const Context& context) {
    return plots::plot(kind, input, options, {.width = width, .height = height, .title = title},
                       context);
  });
}

const char* needs_name(Needs needs) {
  switch (needs) {
    case Needs::rows_optional:
      return "rows_optional";
    case Needs::rows:
      return "rows";
    case Needs::labels_optional:
      return "labels_optional";
    case Needs::labels:
      return "labels";
    case Needs::tables:
      return "tables";
    default:
      return "nothing";
  }
}

nb::list kind_records() {
  nb::list records;
  for (const plots::PlotRecord& kind : plots::plot_kinds()) {
    nb::list options;
    for (const OptionSpec& option : kind.options) { options.append(option_record(option)); }
    nb::dict record;
    record["name"] = kind.name;
    record["summary"] = kind.summary;
    record["needs"] = needs_name(kind.needs);
    record["options"] = options;
    records.append(record);
  }
  return records;
}

nb::bytes as_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

nb::dict arrays_of(const Plot& plot) {
  nb::dict arrays;
  for (const NamedArray& array : plot.arrays) {
    arrays[nb::cast(array.name)] = owning_array<Numbers>(array.values, array.shape);
  }
  return arrays;
}

}  // namespace

void bind_plot(nb::module_& module) {
  using nb::arg;
  nb::class_<Plot>(module, "Plot", "A finished picture.")
      .def_prop_ro("title", [](const Plot& self) { return self.drawing.title; })
      .def_prop_ro("notes", [](const Plot& self) { return self.notes; })
      .def_prop_ro("arrays", &arrays_of, nb::sig("def arrays(self) -> dict[str, typing.Any]"))
      .def(
          "svg",
          [](const Plot& self, const std::string& id) {
            return draw::svg(self.drawing, draw::Theme::fixed, id);
          },
          arg("id"), "Each identifier in it begins with `id`.")
      .def("html", [](const Plot& self) { return draw::html(self.drawing); })
      .def(
          "png",
          [](const Plot& self, double scale) { return as_bytes(draw::png(self.drawing, scale)); },
          arg("scale"))
      .def("pdf", [](const Plot& self) { return as_bytes(draw::pdf(self.drawing)); })
      .def(
          "file",
          [](const Plot& self, const std::string& path) {
            return as_bytes(draw::render(self.drawing, draw::format_of(path)));
          },
          arg("path"), "The bytes of a file of this name, whose ending says what it holds.")
      .def(
          "terminal",
          [](const Plot& self, std::size_t characters, bool color) {
            using enum draw::TerminalColors;
            return draw::terminal(self.drawing,
                                  {.columns = characters, .colors = color ? full : none});
          },
          arg("characters"), arg("color"));
  module.def("plot_kinds", &kind_records,
             nb::sig("def plot_kinds() -> list[dict[str, typing.Any]]"),
             "The kinds of pictures: one record each.");
  module.def("draw_plot", &draw_picture, arg("kind"), arg("model").none(), arg("rows").none(),
             arg("labels").none(), arg("tables"), arg("options"), arg("title"), arg("width"),
             arg("height"), arg("threads"));
}

}  // namespace logodds::binding
