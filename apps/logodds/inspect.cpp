// logodds inspect: what a model file holds.
#include <fmt/format.h>

#include "arguments.hpp"
#include "boundaries.hpp"
#include "coefficients.hpp"
#include "describing.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "logodds/modelfile/container.hpp"
#include "natural.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "scoring.hpp"
#include "tables.hpp"
#include "top_words.hpp"

namespace logodds::app {

namespace {

/// `geometry`: where the boundaries are asked for, else null.
void print_as_json(const Classifier& model, const Description& description,
                   const Geometry* geometry) {
  Json facts = Json::object();
  for (const auto& [name, value] : description.facts) { facts[name] = cell_json(value); }
  Json object = {{"model", model.family()},
                 {"format_version", modelfile::kFormatVersion},
                 {"target", model.schema().target},
                 {"classes", model.labels()},
                 {"columns", columns_json(model.schema())},
                 {"options", options_json(model)},
                 {"facts", std::move(facts)},
                 {"tables", tables_json(description.tables)}};
  add_likelihood(object, model.training_likelihood());
  if (geometry != nullptr) {
    object["coordinates"] = geometry->column_names();
    object["boundaries"] = boundaries_json(*geometry, model.labels());
  }
  print_json(object);
}

void print_for_people(const Classifier& model, const Description& description,
                      const Geometry* geometry) {
  FactTable facts;
  facts.add("model", model_title(model));
  facts.add("format version", std::to_string(modelfile::kFormatVersion));
  facts.add("target", model.schema().target);
  facts.add("classes", few(model.labels()));
  for (const auto& [name, value] : description.facts) { facts.add(name, cell_text(value)); }
  add_likelihood(facts, model.training_likelihood());
  std::string text = facts.text() + "\n" + columns_table(model.schema());
  for (const DescriptionTable& table : description.tables) { text += table_text(table); }
  if (geometry != nullptr) {
    for (const DescriptionTable& table : boundary_tables(*geometry, model.labels())) {
      text += table_text(table);
    }
  }
  print(text);
}

/// --natural: the weights alone.
void show_natural(const Arguments& arguments, const Classifier& model) {
  if (arguments.has("boundaries")) {
    throw Error(ErrorCode::usage,
                "--natural and --boundaries are two answers; ask for one of them");
  }
  const NaturalParameters natural = require_natural(model);
  if (arguments.has("json")) {
    print_json(natural_json(natural, model));
  } else {
    print(natural_text(natural, model));
  }
}

/// --coefficients: the table alone.
void show_coefficients(const Arguments& arguments, const Classifier& model) {
  for (const std::string other : {"boundaries", "natural", "top-words"}) {
    if (arguments.has(other)) {
      throw Error(
          ErrorCode::usage,
          fmt::format("--coefficients and --{} are two answers; ask for one of them", other));
    }
  }
  const double level = arguments.real("level");
  const CoefficientTable table = require_coefficients(model).coefficient_table(level);
  if (arguments.has("json")) {
    print_json(coefficients_json(table, model, level));
  } else {
    print(coefficients_text(table, level));
    print_notes(table.notes, false);
  }
}

/// --top-words: the words alone.
void show_top_words(const Arguments& arguments, const Classifier& model) {
  const auto most = static_cast<std::size_t>(arguments.integer("top-words"));
  if (arguments.has("json")) {
    print_json({{"model", model.family()}, {"top_words", top_words_json(model, most)}});
  } else {
    print(top_words_text(model, most));
  }
}

void run(const Arguments& arguments) {
  const auto loaded = load_any_model(arguments);
  if (const auto* const description = dynamic_cast<const DescriptiveModel*>(loaded.get())) {
    return inspect_description(*description, arguments);
  }
  const auto* const model = dynamic_cast<const Classifier*>(loaded.get());
  if (arguments.has("coefficients")) { return show_coefficients(arguments, *model); }
  if (arguments.has("level")) {
    throw Error(ErrorCode::usage, "--level is for --coefficients; add it, or leave --level out");
  }
  if (arguments.has("top-words")) { return show_top_words(arguments, *model); }
  if (arguments.has("natural")) { return show_natural(arguments, *model); }
  const Description description = model->describe();
  const Geometry* const geometry =
      arguments.has("boundaries") ? &require_geometry(*model, "--boundaries") : nullptr;
  if (arguments.has("json")) {
    print_as_json(*model, description, geometry);
  } else {
    print_for_people(*model, description, geometry);
  }
}

}  // namespace

Command inspect_command() {
  return {.name = "inspect",
          .bit = kInspect,
          .summary = "show what a model file holds",
          .usage = "MODEL [--boundaries | --coefficients | --natural | --top-words N]",
          .positionals = {{"MODEL", "model file"}},
          .example = "inspect penguins.model --boundaries",
          .run = run};
}

}  // namespace logodds::app
