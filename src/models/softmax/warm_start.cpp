#include "models/softmax/warm_start.hpp"

#include <algorithm>
#include <map>

#include "logodds/error.hpp"
#include "logodds/models/classifier.hpp"
#include "logodds/models/coefficients.hpp"
#include "models/softmax/inner.hpp"

namespace logodds::models::softmax {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::usage, "--warm-start: " + what +
                                    "; give a model of the same family, columns and classes, or "
                                    "none");
}

/// A name of the one that the other lacks, or empty.
std::string lacking(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  const auto found = std::ranges::find_if(
      all, [&](const auto& name) { return std::ranges::find(some, name) == some.end(); });
  return found == all.end() ? "" : *found;
}

void check_same(const std::vector<std::string>& model, const std::vector<std::string>& rows,
                const std::string& what) {
  if (const auto name = lacking(model, rows); !name.empty()) {
    refuse("the model has the " + what + " '" + name + "', which the rows have not");
  }
  if (const auto name = lacking(rows, model); !name.empty()) {
    refuse("the rows have the " + what + " '" + name + "', which the model has not");
  }
}

std::vector<std::string> column_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns) { names.push_back(column.name); }
  return names;
}

void check_model(const Classifier& model, const Schema& schema) {
  if (model.family() != "softmax") {
    refuse("the model is of family " + model.family() + ", not softmax");
  }
  check_same(column_names(model.schema()), column_names(schema), "column");
  check_same(model.labels(), schema.labels, "class");
  for (const Column& column : schema.columns) {
    const auto same = std::ranges::find(model.schema().columns, column.name, &Column::name);
    if (same->coded() != column.coded()) {
      refuse("the column '" + column.name + "' is of kind " + std::string(to_string(same->kind)) +
             " in the model and of kind " + std::string(to_string(column.kind)) + " in the rows");
    }
  }
}

}  // namespace

Start warm_start(const Context& context, const Schema& schema,
                 const std::vector<std::string>& features) {
  if (context.warm_start == nullptr) { return {}; }
  check_model(*context.warm_start, schema);
  const std::size_t classes = schema.labels.size();
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < features.size(); ++i) { place.emplace(features[i], i); }
  Start start{.coefficients = std::vector<double>(features.size() * classes, 0.0),
              .intercepts = std::vector<double>(classes, 0.0)};
  constexpr double kAnyLevel = 0.5;
  for (const Coefficient& row :
       context.warm_start->coefficients()->coefficient_table(kAnyLevel).rows) {
    const auto k = static_cast<std::size_t>(std::ranges::find(schema.labels, row.label) -
                                            schema.labels.begin());
    if (row.feature == "(intercept)") {
      start.intercepts[k] = row.estimate;
    } else if (const auto found = place.find(row.feature); found != place.end()) {
      start.coefficients[found->second * classes + k] = row.estimate;
    }
  }
  if (classes > 2) {  // two classes keep the first at 0
    remove_class_means(start.coefficients, classes);
    remove_class_means(start.intercepts, classes);
  }
  return start;
}

}  // namespace logodds::models::softmax
