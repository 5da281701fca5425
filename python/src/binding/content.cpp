// What a fitted model holds, as arrays and plain data.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "logodds/models/coefficients.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

/// None when there is none of that name.
nb::object array(const Model& model, const std::string& name) {
  NamedArray found = model.classifier->array(name);
  if (found.shape.empty()) { return nb::none(); }
  return nb::cast(owning_array<Numbers>(std::move(found.values), found.shape));
}

std::vector<std::string> array_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& found : model.classifier->arrays()) { names.push_back(found.name); }
  return names;
}

nb::dict boundary_record(Boundary boundary) {
  const std::size_t d = boundary.normal.size();
  nb::dict record;
  record["first"] = boundary.first;
  record["second"] = boundary.second;
  record["kind"] = boundary.kind();
  record["offset"] = boundary.offset;
  record["distance_from_origin"] =
      boundary.linear() ? nb::cast(boundary.distance_from_origin()) : nb::none();
  record["quadratic"] =
      boundary.linear() ? nb::none()
                        : nb::cast(owning_array<Numbers>(std::move(boundary.quadratic), {d, d}));
  record["normal"] = owning_array<Numbers>(std::move(boundary.normal), {d});
  record["center_value"] = boundary.center_value;
  for (auto [name, values] :
       {std::pair{"center", &boundary.center}, {"center_normal", &boundary.center_normal}}) {
    const std::size_t size = values->size();
    record[name] = owning_array<Numbers>(std::move(*values), {size});
  }
  return record;
}

nb::list boundaries(const Model& model) {
  nb::list records;
  const Geometry* const geometry = model.classifier->geometry();
  if (geometry == nullptr) { return records; }
  for (auto& boundary : geometry->boundaries()) {
    records.append(boundary_record(std::move(boundary)));
  }
  return records;
}

std::size_t axis_count(const Model& model) {
  const Geometry* const geometry = model.classifier->geometry();
  return geometry == nullptr ? 0 : geometry->axis_count();
}

std::vector<std::string> design_columns(const Model& model) {
  const Geometry* const geometry = model.classifier->geometry();
  return geometry == nullptr ? std::vector<std::string>{} : geometry->column_names();
}

nb::object training_likelihood(const Model& model) {
  const auto likelihood = model.classifier->training_likelihood();
  if (!likelihood) { return nb::none(); }
  nb::dict record;
  record["log_likelihood"] = likelihood->log_likelihood;
  record["parameters"] = likelihood->parameters;
  record["weight"] = likelihood->weight;
  return record;
}

const Words& words_of(const Model& model) {
  const Words* const words = model.classifier->words();
  if (words == nullptr) {
    throw Error(ErrorCode::usage, "the model has no text column, and so no words");
  }
  return *words;
}

/// The terms of each text column.
nb::dict vocabularies(const Model& model) {
  const Words& words = words_of(model);
  nb::dict terms;
  const auto columns = words.text_columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    terms[nb::cast(columns[c])] = words.vocabulary(c);
  }
  return terms;
}

/// For each text column, for each class: words with their counts there and elsewhere, and log odds.
nb::dict top_words(const Model& model, std::size_t most) {
  const Words& words = words_of(model);
  nb::dict tops;
  const auto columns = words.text_columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    nb::list classes;
    for (const auto& found : words.top_words(c, most)) {
      nb::list rows;
      for (const auto& top : found) {
        rows.append(nb::make_tuple(top.word, top.count, top.elsewhere, top.log_odds));
      }
      classes.append(rows);
    }
    tops[nb::cast(columns[c])] = classes;
  }
  return tops;
}

/// One list a field of Coefficient, and the notes; None for a model without coefficients.
nb::object coefficients(const Model& model, double level) {
  const Coefficients* const face = model.classifier->coefficients();
  if (face == nullptr) { return nb::none(); }
  const CoefficientTable table = face->coefficient_table(level);
  nb::dict fields;
  const auto put = [&](const char* name, auto Coefficient::* field) {
    nb::list values;
    for (const auto& row : table.rows) { values.append(nb::cast(row.*field)); }
    fields[name] = values;
  };
  put("class", &Coefficient::label);
  put("feature", &Coefficient::feature);
  put("estimate", &Coefficient::estimate);
  put("standard_error", &Coefficient::standard_error);
  put("z", &Coefficient::z);
  put("p_value", &Coefficient::p_value);
  put("odds_ratio", &Coefficient::odds_ratio);
  put("lower", &Coefficient::lower);
  put("upper", &Coefficient::upper);
  put("identifiable", &Coefficient::identifiable);
  return nb::make_tuple(fields, table.notes);
}

}  // namespace

void bind_content(nb::class_<Model>& model) {
  model
      .def("array", &array, nb::arg("name"), nb::sig("def array(self, name: str) -> typing.Any"),
           "One of the parameters: means, covariances, priors, ...; None when there is none.")
      .def_prop_ro("array_names", &array_names)
      .def("boundaries", &boundaries,
           nb::sig("def boundaries(self) -> list[dict[str, typing.Any]]"))
      .def("vocabularies", &vocabularies, nb::sig("def vocabularies(self) -> dict[str, list[str]]"))
      .def("top_words", &top_words, nb::arg("most"),
           nb::sig("def top_words(self, most: int) -> dict[str, list[list[tuple[str, float, "
                   "float, float]]]]"))
      .def("coefficients", &coefficients, nb::arg("level"),
           nb::sig("def coefficients(self, level: float) -> tuple[dict[str, list[typing.Any]], "
                   "list[str]] | None"))
      .def_prop_ro("axis_count", &axis_count)
      .def_prop_ro("design_columns", &design_columns)
      .def("training_likelihood", &training_likelihood,
           nb::sig("def training_likelihood(self) -> dict[str, float] | None"));
}

}  // namespace logodds::binding
