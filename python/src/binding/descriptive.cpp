// Models that describe rows: axes and lines, out of arrays and CSV files.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>

#include "arrays.hpp"
#include "csv.hpp"
#include "given_rows.hpp"
#include "interrupt.hpp"
#include "logodds/parallel/blocks.hpp"
#include "model.hpp"
#include "result_memory.hpp"
#include "training_rows.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Names = std::vector<std::string>;
using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Values = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

using Described = std::pair<Descriptive, FitReport>;

template <class Work>
Described run(int threads, Work work) {
  DescriptiveFit result = run_interruptibly(threads, work);
  return {Descriptive{std::move(result.model)}, std::move(result.report)};
}

/// Rows of numbers; labels, a response as a further column, and weights where they are given.
struct GivenArrays {
  const Features& features;
  const Names& names;
  const std::optional<Labels>& labels;
  const Names& label_names;
  const std::optional<Weights>& response;
  const std::optional<Weights>& weights;

  [[nodiscard]] std::unique_ptr<BlockSource> open() const {
    const std::size_t rows = features.shape(0);
    if ((labels && labels->size() != rows) || (response && response->size() != rows) ||
        (weights && weights->size() != rows)) {
      throw nb::value_error("the arrays have different numbers of rows");
    }
    return open_matrix({.features = matrix_view(features),
                        .names = names,
                        .labels = labels ? labels->data() : nullptr,
                        .label_names = label_names,
                        .weights = weights ? weights->data() : nullptr,
                        .response = response ? response->data() : nullptr});
  }
};

Described describe_array(const std::string& kind, const Given& options, const Features& features,
                         const Names& names, const std::optional<Labels>& labels,
                         const Names& label_names, const std::optional<Weights>& response,
                         const std::optional<Weights>& weights, int threads) {
  const auto source = GivenArrays{features, names, labels, label_names, response, weights}.open();
  return run(threads, [&](const Context& context) {
    return describe(*source, kind, options, context, MissingRows::error);
  });
}

/// Sparse rows, spread out block by block.
Described describe_given(const std::string& kind, const Given& options, const GivenRows& rows,
                         const Labels& labels, int threads) {
  const std::optional<Weights> weights;
  const auto source = rows.open({labels, {}, weights}, false);
  return run(threads, [&](const Context& context) {
    return describe(*source, kind, options, context, MissingRows::error);
  });
}

Described describe_csv(const std::string& kind, const Given& options, const std::string& path,
                       const Names& columns, const std::string& target, const std::string& weights,
                       const Names& ignore, const Given& kinds, const Names& missing_tokens,
                       const std::string& delimiter, bool header, const std::string& missing,
                       int threads) {
  CsvOptions reading =
      csv_options({target, weights, ignore, kinds, missing_tokens, delimiter, header});
  reading.columns = columns;
  const auto source = open_csv(path, reading);
  return run(threads, [&](const Context& context) {
    return describe(*source, kind, options, context, parse_missing(missing));
  });
}

using Change = DescriptiveFit (DescriptiveModel::*)(BlockSource&, MissingRows,
                                                    const Context&) const;

template <Change change>
Described changed(const Descriptive& self, const Features& features, const Names& names,
                  const std::optional<Labels>& labels, const Names& label_names,
                  const std::optional<Weights>& response, const std::optional<Weights>& weights,
                  int threads) {
  const auto source = GivenArrays{features, names, labels, label_names, response, weights}.open();
  return run(threads, [&](const Context& context) {
    return (self.model.get()->*change)(*source, MissingRows::error, context);
  });
}

Described merged(const std::vector<Descriptive>& models, int threads) {
  std::vector<const DescriptiveModel*> parts;
  for (const auto& model : models) { parts.push_back(model.model.get()); }
  return run(threads, [&](const Context& context) { return merge(parts, context); });
}

/// `width` numbers of every row of an array.
ResultMemory fill(BlockSource& source, std::size_t rows, std::size_t width, int threads,
                  const std::function<void(const RowBlock&, std::span<double>)>& work) {
  ResultMemory memory(rows * width * sizeof(double));
  const std::span<double> out(memory.as<double>(), rows * width);
  const nb::gil_scoped_release no_gil;
  const std::size_t blocks = std::max<std::size_t>(1, (rows + kBlockRows - 1) / kBlockRows);
  parallel::run_blocks<RowBuffer>(
      parallel::useful_threads(threads, blocks), blocks,
      [&](RowBuffer& buffer) { return source.take(buffer); },
      [&](RowBuffer& buffer) {
        source.parse(buffer);
        work(buffer.view(), out.subspan(buffer.first_row * width, buffer.rows * width));
      },
      [](RowBuffer&, std::size_t) {});
  return memory;
}

const FittedAxes& axes_of(const Descriptive& self) {
  if (self.model->axes() == nullptr) {
    throw Error(ErrorCode::usage, "a model of kind " + self.model->family() + " has no axes");
  }
  return *self.model->axes();
}

Rows project_array(const Descriptive& self, const Features& features, std::size_t count,
                   int threads) {
  const FittedAxes& axes = axes_of(self);
  const std::size_t rows = features.shape(0);
  const auto source = open_matrix({.features = matrix_view(features)}, self.model->schema());
  const auto work = [&](const RowBlock& block, std::span<double> out) {
    if (count > 0) { axes.project(block, count, out); }
  };
  return array_over<Rows>(fill(*source, rows, count, threads, work), {rows, count});
}

Rows project_given(const Descriptive& self, const GivenRows& given, std::size_t count,
                   int threads) {
  const FittedAxes& axes = axes_of(self);
  const std::size_t rows = given.count();
  const auto source = given.open(self.model->schema(), false);
  const auto work = [&](const RowBlock& block, std::span<double> out) {
    if (count > 0) { axes.project(block, count, out); }
  };
  return array_over<Rows>(fill(*source, rows, count, threads, work), {rows, count});
}

/// From coordinates, on as many axes as they have columns.
Rows rebuild_array(const Descriptive& self, const Features& coordinates, int threads) {
  const FittedAxes& axes = axes_of(self);
  const std::size_t rows = coordinates.shape(0);
  const std::size_t count = coordinates.shape(1);
  const std::size_t width = axes.column_names().size();
  if (count == 0 || count > axes.axis_count()) {
    throw Error(ErrorCode::usage, "there are " + std::to_string(axes.axis_count()) +
                                      " axes, and the rows have " + std::to_string(count) +
                                      " coordinates");
  }
  const auto source = open_matrix({.features = matrix_view(coordinates)});
  const auto work = [&](const RowBlock& block, std::span<double> out) {
    std::vector<double> packed(block.rows * count);
    for (std::size_t r = 0; r < block.rows; ++r) {
      std::copy_n(block.numeric + r * block.numeric_stride, count, packed.data() + r * count);
    }
    axes.rebuild(packed, count, out);
  };
  return array_over<Rows>(fill(*source, rows, width, threads, work), {rows, width});
}

Values fitted_array(const Descriptive& self, const Features& features, int threads) {
  const FittedLine* const line = self.model->line();
  if (line == nullptr) {
    throw Error(ErrorCode::usage, "a model of kind " + self.model->family() + " has no line");
  }
  const std::size_t rows = features.shape(0);
  const auto source =
      open_matrix({.features = matrix_view(features)}, regressors_of(self.model->schema()));
  const auto work = [&](const RowBlock& block, std::span<double> out) { line->fitted(block, out); };
  return array_over<Values>(fill(*source, rows, 1, threads, work), {rows});
}

nb::object array(const Descriptive& self, const std::string& name) {
  NamedArray found = self.model->array(name);
  if (found.shape.empty()) { return nb::none(); }
  return nb::cast(owning_array<Numbers>(std::move(found.values), found.shape));
}

nb::bytes to_bytes(const Descriptive& self) {
  const std::string bytes = modelfile::to_bytes(*self.model);
  return nb::bytes(bytes.data(), bytes.size());
}

Names column_names(const Descriptive& self) {
  Names names;
  for (const auto& column : self.model->schema().columns) { names.push_back(column.name); }
  return names;
}

Given options_of(const Descriptive& self) {
  const auto& values = self.model->options().values();
  return {values.begin(), values.end()};
}

nb::dict describe_record(const Descriptive& self) {
  nb::dict record = description_record(self.model->describe());
  record["family"] = self.model->family();
  record["options"] = options_of(self);
  return record;
}

/// Whatever the file holds.
nb::object load_any(const std::string& path) {
  std::unique_ptr<logodds::Model> found = modelfile::load_any(path);
  if (auto* const description = dynamic_cast<DescriptiveModel*>(found.get())) {
    static_cast<void>(found.release());
    return nb::cast(Descriptive{std::unique_ptr<const DescriptiveModel>(description)});
  }
  auto* const classifier = dynamic_cast<Classifier*>(found.release());
  return nb::cast(Model{std::unique_ptr<const Classifier>(classifier)});
}

}  // namespace

void bind_descriptive(nb::module_& module) {
  using nb::arg;
  nb::class_<Descriptive> model(module, "Descriptive",
                                "A model that describes rows: immutable, and safe to share.");
  model.def("to_bytes", &to_bytes)
      .def("__getstate__", &to_bytes)
      .def("__setstate__",
           [](Descriptive& self, const nb::bytes& bytes) {
             new (&self) Descriptive{
                 modelfile::descriptive_from_bytes({bytes.c_str(), bytes.size()}, "pickle")};
           })
      .def(
          "save",
          [](const Descriptive& self, const std::string& path) {
            modelfile::save(*self.model, path);
          },
          arg("path"))
      .def_prop_ro("family", [](const Descriptive& self) { return self.model->family(); })
      .def_prop_ro("labels", [](const Descriptive& self) { return self.model->schema().labels; })
      .def_prop_ro("options", &options_of)
      .def_prop_ro("column_names", &column_names)
      .def("array", &array, arg("name"),
           nb::sig("def array(self, name: str) -> numpy.typing.NDArray[numpy.float64] | None"))
      .def("describe", &describe_record, nb::sig("def describe(self) -> dict[str, typing.Any]"))
      .def("project_array", &project_array, arg("features"), arg("axes"), arg("threads"))
      .def("project_given", &project_given, arg("rows"), arg("axes"), arg("threads"))
      .def("rebuild_array", &rebuild_array, arg("coordinates"), arg("threads"))
      .def("fitted_array", &fitted_array, arg("features"), arg("threads"));
  const auto bind_change = [&](const char* name, auto function) {
    model.def(name, function, arg("features"), arg("names"), arg("labels").none(),
              arg("label_names"), arg("response").none(), arg("weights").none(), arg("threads"));
  };
  bind_change("update_array", &changed<&DescriptiveModel::updated>);
  bind_change("forget_array", &changed<&DescriptiveModel::without>);
  module.def("describe_array", &describe_array, arg("kind"), arg("options"), arg("features"),
             arg("names"), arg("labels").none(), arg("label_names"), arg("response").none(),
             arg("weights").none(), arg("threads"));
  module.def("describe_given", &describe_given, arg("kind"), arg("options"), arg("rows"),
             arg("labels"), arg("threads"));
  module.def("describe_csv", &describe_csv, arg("kind"), arg("options"), arg("path"),
             arg("columns"), arg("target"), arg("weights"), arg("ignore"), arg("kinds"),
             arg("missing_tokens"), arg("delimiter"), arg("header"), arg("missing"),
             arg("threads"));
  module.def("merge_described", &merged, arg("models"), arg("threads"));
  module.def("load_any", &load_any, arg("path"),
             nb::sig("def load_any(path: str) -> Model | Descriptive"));
}

}  // namespace logodds::binding
