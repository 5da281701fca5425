// A fitted model: what it is, how it is written and read.
#include "model.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

namespace nb = nanobind;

namespace logodds::binding {
namespace {

Model from_bytes(const nb::bytes& bytes, const std::string& name) {
  return {modelfile::from_bytes({bytes.c_str(), bytes.size()}, name)};
}

nb::bytes to_bytes(const Model& model) {
  const std::string bytes = modelfile::to_bytes(*model.classifier);
  return nb::bytes(bytes.data(), bytes.size());
}

std::map<std::string, std::string> options(const Model& model) {
  const auto& values = model.classifier->options().values();
  return {values.begin(), values.end()};
}

nb::list columns(const Model& model) {
  nb::list records;
  for (const auto& column : model.classifier->schema().columns) {
    nb::dict record;
    record["name"] = column.name;
    record["kind"] = std::string(to_string(column.kind));
    record["levels"] = column.levels;
    records.append(record);
  }
  return records;
}

std::vector<std::string> column_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& column : model.classifier->schema().columns) { names.push_back(column.name); }
  return names;
}

nb::object cell(const Cell& value) {
  return std::visit([](const auto& content) { return nb::cast(content); }, value);
}

nb::dict facts_record(const Description& description) {
  nb::dict facts;
  for (const auto& [name, value] : description.facts) { facts[nb::cast(name)] = cell(value); }
  return facts;
}

/// Without the tables, which may have a row for every word of a language.
nb::dict facts(const Model& model) { return facts_record(model.classifier->describe()); }

nb::dict describe(const Model& model) {
  nb::dict record = description_record(model.classifier->describe());
  record["family"] = model.classifier->family();
  record["options"] = options(model);
  return record;
}

}  // namespace

nb::dict description_record(const Description& description) {
  nb::list tables;
  for (const auto& content : description.tables) { tables.append(table_record(content)); }
  nb::dict record;
  record["facts"] = facts_record(description);
  record["tables"] = tables;
  return record;
}

nb::dict table_record(const DescriptionTable& table) {
  nb::list rows;
  for (const auto& source : table.rows) {
    nb::list row;
    for (const auto& value : source) { row.append(cell(value)); }
    rows.append(row);
  }
  nb::dict record;
  record["title"] = table.title;
  record["columns"] = table.columns;
  record["rows"] = rows;
  return record;
}

bool uses_missing(const Model& model) {
  const Options& options = model.classifier->options();
  const bool refuses = options.has("missing") && options.choice("missing") == "error";
  return model.classifier->takes_missing() && !refuses;
}

MatrixView matrix_view(const Features& features) {
  const bool wide = features.dtype() == nb::dtype<double>();
  if (!wide && features.dtype() != nb::dtype<float>()) {
    throw nb::type_error("an array of float32 or float64 is expected");
  }
  const auto item = static_cast<std::ptrdiff_t>(wide ? sizeof(double) : sizeof(float));
  return {.data = features.data(),
          .scalar = wide ? Scalar::float64 : Scalar::float32,
          .rows = features.shape(0),
          .columns = features.shape(1),
          .row_stride = features.stride(0) * item,
          .column_stride = features.stride(1) * item};
}

Posteriors posteriors_array(std::unique_ptr<std::vector<double>> values, std::size_t columns) {
  const std::size_t rows = columns == 0 ? 0 : values->size() / columns;
  double* const data = values->data();
  const nb::capsule owner(values.release(), [](void* owned) noexcept {
    delete static_cast<std::vector<double>*>(owned);
  });
  return {data, {rows, columns}, owner};
}

MissingRows parse_missing(const std::string& name) {
  if (name.empty()) { return MissingRows::use; }
  if (name == "skip") { return MissingRows::skip; }
  if (name == "error") { return MissingRows::error; }
  throw Error(ErrorCode::usage, "missing='" + name + "' is neither 'skip' nor 'error'");
}

void bind_model(nb::module_& module) {
  nb::class_<Model> model(module, "Model", "A fitted model: immutable, and safe to share.");
  model.def_static("from_bytes", &from_bytes, nb::arg("data"), nb::arg("name") = "bytes")
      .def_static(
          "load", [](const std::string& path) { return Model{modelfile::load(path)}; },
          nb::arg("path"))
      .def("to_bytes", &to_bytes)
      .def(
          "save",
          [](const Model& self, const std::string& path) {
            modelfile::save(*self.classifier, path);
          },
          nb::arg("path"))
      .def("__getstate__", &to_bytes)
      .def("__setstate__",
           [](Model& self, const nb::bytes& bytes) {
             new (&self) Model(from_bytes(bytes, "pickle"));
           })
      .def_prop_ro("family", [](const Model& self) { return self.classifier->family(); })
      .def_prop_ro("labels", [](const Model& self) { return self.classifier->labels(); })
      .def_prop_ro("target", [](const Model& self) { return self.classifier->schema().target; })
      .def_prop_ro("uses_missing", &uses_missing)
      .def_prop_ro("options", &options)
      .def_prop_ro("columns", &columns, nb::sig("def columns(self) -> list[dict[str, typing.Any]]"))
      .def_prop_ro("column_names", &column_names)
      .def("describe", &describe, nb::sig("def describe(self) -> dict[str, typing.Any]"))
      .def("facts", &facts, nb::sig("def facts(self) -> dict[str, typing.Any]"));
  bind_predict(model);
  bind_rows(model);
  bind_explain(model);
  bind_neighbors(model);
  bind_content(model);
  bind_sample(model);
  bind_misclassification(model);
  bind_adjust(model);
  bind_changes(module, model);
}

}  // namespace logodds::binding
