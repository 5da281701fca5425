#include "plots/class_rows.hpp"

#include <algorithm>

#include "plots/class_marks.hpp"

namespace logodds::plots {

namespace {

std::vector<std::int32_t> labels_of_rows(const PlotInput& input) {
  std::vector<std::int32_t> labels;
  visit_rows(input, [&](const RowBlock& block) {
    if (block.labels == nullptr) {
      labels.resize(labels.size() + block.rows, kNoClass);
    } else {
      labels.insert(labels.end(), block.labels, block.labels + block.rows);
    }
  });
  return labels;
}

std::vector<std::int32_t> decisions_of_rows(const PlotInput& input, const Classifier& model,
                                            const Context& context) {
  std::vector<std::int32_t> decisions;
  const auto source = input.open_rows();
  static_cast<void>(score(
      model, *source,
      [&](const ScoredBlock& block) {
        for (std::size_t r = 0; r < block.rows.rows; ++r) {
          const bool skipped = !block.skipped.empty() && block.skipped[r] != 0;
          decisions.push_back(skipped ? kNoClass : block.decisions[r]);
        }
      },
      context));
  return decisions;
}

}  // namespace

RowClasses classes_of_rows(const PlotInput& input, const Context& context) {
  RowClasses found{.of_row = labels_of_rows(input), .names = input.model->schema().labels};
  if (found.of_row.empty()) {
    throw Error(ErrorCode::input, "there are no rows to draw; give a file with at least one");
  }
  if (std::ranges::any_of(found.of_row, [](std::int32_t k) { return k >= 0; })) { return found; }
  const auto* const model = dynamic_cast<const Classifier*>(input.model);
  if (model == nullptr) {
    found.names.clear();
    return found;
  }
  found.of_row = decisions_of_rows(input, *model, context);
  found.decided = true;
  return found;
}

void add_class_notes(std::vector<std::string>& notes, const RowClasses& classes) {
  if (classes.decided) {
    notes.emplace_back("the rows have no labels: colors are the decisions of the model");
  }
  if (!classes.any()) { return; }
  const auto without = static_cast<std::size_t>(
      std::ranges::count_if(classes.of_row, [](std::int32_t k) { return k < 0; }));
  if (without > 0) {
    notes.push_back(grouped(without) + (without == 1 ? " row has" : " rows have") +
                    " no class: gray");
  }
}

void visit_rows(const PlotInput& input, const std::function<void(const RowBlock&)>& visit) {
  const auto source = input.open_rows();
  RowBuffer buffer;
  while (source->take(buffer)) {
    source->parse(buffer);
    visit(buffer.view());
  }
}

std::vector<std::string> number_columns(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns) {
    if (column.number()) { names.push_back(column.name); }
  }
  return names;
}

}  // namespace logodds::plots
