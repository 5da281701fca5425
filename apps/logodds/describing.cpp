#include "describing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fitting.hpp"
#include "json.hpp"
#include "logodds/modelfile/container.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "sources.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::usage, sentence); }

bool has_option(const DescriptiveRecord& record, std::string_view name) {
  return std::ranges::find(record.options, name, &OptionSpec::name) != record.options.end();
}

Json facts_json(const Description& description) {
  Json facts = Json::object();
  for (const auto& [name, value] : description.facts) { facts[name] = cell_json(value); }
  return facts;
}

std::string tables_text(const Description& description) {
  std::string text;
  for (const DescriptionTable& table : description.tables) { text += table_text(table); }
  return text;
}

std::string text_as_json(const Described& described) {
  const DescriptiveModel& model = *described.fit.model;
  const FitReport& report = described.fit.report;
  const Description description = model.describe();
  Json object = {{"model", model.family()}, {"options", options_json(model)}};
  if (!described.rows_are.empty()) {
    object["rows"] = report.rows;
    object["rows_skipped"] = report.rows_skipped;
  }
  object["weight"] = json_number(report.weight);
  object["target"] = model.schema().target;
  object["columns"] = columns_json(model.schema());
  object["facts"] = facts_json(description);
  object["tables"] = tables_json(description.tables);
  object["seconds"] = described.seconds;
  object["output"] = described.output.empty() ? Json() : Json(described.output);
  if (!described.residuals.empty()) { object["residuals"] = described.residuals; }
  object["notes"] = report.notes;
  return json_text(object);
}

std::string text_for_people(const Described& described) {
  const FitReport& report = described.fit.report;
  const Description description = described.fit.model->describe();
  FactTable facts;
  facts.add("model", model_title(*described.fit.model));
  if (!described.rows_are.empty()) { facts.add(described.rows_are, grouped(report.rows)); }
  if (report.rows_skipped > 0) {
    facts.add("skipped", grouped(report.rows_skipped) + " (a value is missing)");
  }
  for (const auto& [name, value] : description.facts) {
    const bool known = name == "weight" && described.rows_are == "rows" &&
                       report.weight == static_cast<double>(report.rows);
    if (!known) { facts.add(name, cell_text(value)); }
  }
  facts.add("seconds", fmt::format("{:.3f}", described.seconds));
  if (!described.output.empty()) { facts.add("output", described.output); }
  if (!described.residuals.empty()) { facts.add("residuals", described.residuals); }
  return facts.text() + tables_text(description);
}

}  // namespace

std::map<std::string, std::string> description_options(const Arguments& arguments,
                                                       const DescriptiveRecord& record,
                                                       std::string_view chosen_by) {
  std::map<std::string, std::string> options;
  for (const DescriptiveRecord& other : descriptive_records()) {
    for (const OptionSpec& spec : other.options) {
      if (find_flag(spec.name, arguments.command()) == nullptr || !arguments.has(spec.name)) {
        continue;
      }
      if (!has_option(record, spec.name)) {
        refuse(fmt::format("option --{} belongs to {} {}, not to {}; leave it out", spec.name,
                           chosen_by, other.name, record.name));
      }
      options[spec.name] = arguments.text(spec.name);
    }
  }
  return options;
}

Described finish_description(DescriptiveFit fit, const Arguments& arguments, const Stopwatch& watch,
                             const std::string& rows_are) {
  Described described{std::move(fit), rows_are, 0.0, "", ""};
  if (arguments.has("output")) {
    described.output = arguments.text("output");
    save_model(*described.fit.model, described.output);
  }
  described.seconds = watch.seconds();
  return described;
}

void report_description(const Described& described, const Arguments& arguments) {
  if (arguments.has("json") || !arguments.has("quiet") || described.output.empty()) {
    const std::string text =
        arguments.has("json") ? text_as_json(described) : text_for_people(described);
    if (described.output.empty()) {
      print(text);
    } else {
      print_summary(text, "the model was written to " + described.output);
    }
  }
  print_notes(described.fit.report.notes, arguments.has("quiet"));
}

void inspect_description(const DescriptiveModel& model, const Arguments& arguments) {
  for (const std::string_view flag :
       {"boundaries", "coefficients", "natural", "top-words", "level"}) {
    if (arguments.has(flag)) {
      refuse(fmt::format("--{} asks for a classifier, and {} holds {}; leave it out", flag,
                         arguments.positional(0), find_descriptive(model.family())->holds));
    }
  }
  const Description description = model.describe();
  if (arguments.has("json")) {
    return print_json({{"model", model.family()},
                       {"format_version", modelfile::kFormatVersion},
                       {"target", model.schema().target},
                       {"classes", model.schema().labels},
                       {"columns", columns_json(model.schema())},
                       {"options", options_json(model)},
                       {"facts", facts_json(description)},
                       {"tables", tables_json(description.tables)}});
  }
  FactTable facts;
  facts.add("model", model_title(model));
  facts.add("format version", std::to_string(modelfile::kFormatVersion));
  if (!model.schema().target.empty()) { facts.add("target", model.schema().target); }
  for (const auto& [name, value] : description.facts) { facts.add(name, cell_text(value)); }
  print(facts.text() + "\n" + columns_table(model.schema()) + tables_text(description));
}

void merge_descriptions(const std::vector<std::unique_ptr<Model>>& models,
                        const Arguments& arguments, const Stopwatch& watch, ProgressBar& bar) {
  if (!arguments.family_options().empty()) {
    refuse(fmt::format("option --{} belongs to classifiers; the new model has the options of {}",
                       arguments.family_options().begin()->first, arguments.positional(0)));
  }
  std::vector<const DescriptiveModel*> parts;
  for (std::size_t k = 0; k < models.size(); ++k) {
    const auto* const part = dynamic_cast<const DescriptiveModel*>(models[k].get());
    if (part == nullptr || part->family() != models.front()->family()) {
      refuse(
          fmt::format("{} is of kind {} and {} of kind {}, so they cannot be merged; give files "
                      "of one kind",
                      arguments.positional(0), models.front()->family(), arguments.positional(k),
                      models[k]->family()));
    }
    parts.push_back(part);
  }
  DescriptiveFit fit = merge(parts, make_context(arguments, bar));
  bar.erase();
  report_description(finish_description(std::move(fit), arguments, watch, ""), arguments);
}

void change_description(const DescriptiveModel& model, const Arguments& arguments,
                        DescriptionChange change, const std::string& rows_are,
                        const Stopwatch& watch, ProgressBar& bar) {
  if (!arguments.family_options().empty()) {
    refuse(fmt::format("option --{} belongs to classifiers; the new model has the options of {}",
                       arguments.family_options().begin()->first, arguments.positional(0)));
  }
  const auto source = open_extending(arguments, model, arguments.positional(1));
  DescriptiveFit fit =
      (model.*change)(*source, missing_rows(arguments), make_context(arguments, bar));
  bar.erase();
  report_description(finish_description(std::move(fit), arguments, watch, rows_are), arguments);
}

}  // namespace logodds::app
