// logodds merge: models trained apart become the model of all their rows.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "arguments.hpp"
#include "describing.hpp"
#include "fitting.hpp"
#include "logodds/logodds.hpp"
#include "reading.hpp"

namespace logodds::app {

namespace {

std::vector<std::unique_ptr<Model>> load_all(const Arguments& arguments) {
  std::vector<std::unique_ptr<Model>> models;
  for (std::size_t k = 0; k < arguments.positionals().size(); ++k) {
    models.push_back(load_any_model(arguments, k));
  }
  return models;
}

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::usage, sentence); }

/// The first name that `names` has and `others` lack.
std::optional<std::string> only_in(const std::vector<std::string>& names,
                                   const std::vector<std::string>& others) {
  const auto found = std::ranges::find_if(
      names, [&](const auto& name) { return std::ranges::find(others, name) == others.end(); });
  return found == names.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> column_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns) { names.push_back(column.name); }
  return names;
}

/// A model and the file that it was read from.
struct Part {
  const std::string& file;
  const Schema& schema;
};

void check_columns(const Part& has, const Part& lacks) {
  if (const auto name = only_in(column_names(has.schema), column_names(lacks.schema))) {
    refuse(fmt::format("column '{}' is in {}, but not in {}; train both on the same columns", *name,
                       has.file, lacks.file));
  }
}

void check_classes(const Part& has, const Part& lacks) {
  if (const auto name = only_in(has.schema.labels, lacks.schema.labels)) {
    refuse(
        fmt::format("class '{}' is in {}, but not in {}; if the labels mean the same in both, "
                    "merge them with --join-classes",
                    *name, has.file, lacks.file));
  }
}

void check_alike(const Part& first, const Part& other, bool join_classes) {
  if (first.schema.target != other.schema.target) {
    refuse(
        fmt::format("the label column is '{}' in {} and '{}' in {}; train both with the same "
                    "--target",
                    first.schema.target, first.file, other.schema.target, other.file));
  }
  check_columns(first, other);
  check_columns(other, first);
  if (join_classes) { return; }
  check_classes(first, other);
  check_classes(other, first);
}

const Classifier& classifier(const Model& model, const std::string& file) {
  const auto* const found = dynamic_cast<const Classifier*>(&model);
  if (found == nullptr) {
    refuse(
        fmt::format("{} holds {}, which cannot be merged with a classifier; give files of one "
                    "kind",
                    file, find_descriptive(model.family())->holds));
  }
  return *found;
}

void run(const Arguments& arguments) {
  check_model_output(merge_command(), arguments);
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto models = load_all(arguments);
  if (dynamic_cast<const DescriptiveModel*>(models.front().get()) != nullptr) {
    for (std::size_t k = 1; k < models.size(); ++k) {
      const Part first{arguments.positional(0), models.front()->schema()};
      const Part other{arguments.positional(k), models[k]->schema()};
      check_columns(first, other);
      check_columns(other, first);
    }
    return merge_descriptions(models, arguments, watch, bar);
  }
  std::vector<const Classifier*> parts;
  parts.reserve(models.size());
  for (std::size_t k = 0; k < models.size(); ++k) {
    check_alike({arguments.positional(0), models.front()->schema()},
                {arguments.positional(k), models[k]->schema()}, arguments.has("join-classes"));
    parts.push_back(&classifier(*models[k], arguments.positional(k)));
  }
  const FamilyRecord& family = record_of(*parts.front());
  check_family_options(arguments, family);
  Fit fit = merge(parts, make_context(arguments, bar), family_options(arguments, family));
  bar.erase();
  report_fit(finish_fit(std::move(fit), arguments, watch, ""), arguments);
}

}  // namespace

Command merge_command() {
  return {.name = "merge",
          .bit = kMerge,
          .summary = "make one model of models that were trained apart",
          .usage = "A B [MORE ...] [--join-classes] [--OPTION VALUE ...] -o NEW",
          .positionals = {{"A", "model file, whose options the new model has"},
                          {"B", "model file with the same columns; more may follow", true, true}},
          .example = "merge monday.model tuesday.model -o week.model",
          .family_options = true,
          .run = run};
}

}  // namespace logodds::app
