#include "data/arrow_plan.hpp"

#include <algorithm>

#include "data/arrow_documents.hpp"
#include "data/document_columns.hpp"
#include "logodds/error.hpp"

namespace logodds::arrow {
namespace {

[[noreturn]] void fail_column(const std::string& name, const std::string& sentence) {
  throw Error(ErrorCode::input, "column '" + name + "' " + sentence);
}

void check_kinds(const std::vector<Field>& fields, const std::map<std::string, ColumnKind>& kinds) {
  for (const auto& [name, kind] : kinds) {
    if (std::ranges::find(fields, name, &Field::name) == fields.end()) {
      throw Error(ErrorCode::usage,
                  "kinds: the table has no column '" + name + "'; check the spelling");
    }
    if (kind == ColumnKind::ignore) {
      throw Error(ErrorCode::usage, "kinds: column '" + name +
                                        "' cannot be 'ignore'; leave the column out of the table");
    }
  }
}

void check_kind(const Field& field, ColumnKind kind) {
  const bool numbers = kind == ColumnKind::real || kind == ColumnKind::count;
  if (field.coded() && numbers) {
    fail_column(field.name, "holds strings or categories, so it is not " +
                                std::string(to_string(kind)) + "; convert it to numbers");
  }
  if (!field.text() && kind == ColumnKind::text) {
    fail_column(field.name, "holds no strings, so it is not text; convert it to strings");
  }
}

SourceColumn described(const Field& field, const std::map<std::string, ColumnKind>& kinds) {
  SourceColumn column{.name = field.name, .coded = field.coded()};
  const auto given = kinds.find(field.name);
  if (given == kinds.end()) {
    if (field.type == Type::boolean && !field.index) { column.given_kind = ColumnKind::binary; }
    return column;
  }
  check_kind(field, given->second);
  column.given_kind = given->second;
  column.text = given->second == ColumnKind::text;
  column.coded = !column.text && (field.coded() || given->second == ColumnKind::categorical);
  return column;
}

/// A dictionary says itself that its values are levels.
void infer_documents(Plan& plan, const ArrowTable::Batches& batches,
                     std::span<const double> weights) {
  for (std::size_t f = 0; f < plan.columns.size(); ++f) {
    const Field& field = batches.fields[f];
    SourceColumn& column = plan.columns[f];
    if (column.given_kind || !field.text() || field.index) { continue; }
    const auto words = words_of_documents(batches, f, weights);
    if (!words) { continue; }
    column.text = true;
    column.coded = false;
    plan.notes.push_back(documents_note(field.name, *words));
  }
}

void list_documents(Plan& plan) {
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    if (plan.columns[c].text) { plan.documents.push_back(plan.fields[c]); }
  }
}

void match(Plan& plan, const std::vector<Field>& fields, const Column& column) {
  const auto found = std::ranges::find(fields, column.name, &Field::name);
  if (found == fields.end()) {
    throw Error(ErrorCode::input, "the table has no column '" + column.name +
                                      "', which the model was trained on; add it");
  }
  if (column.text() && !found->text() && found->type != Type::null) {
    fail_column(column.name,
                "holds no strings, but the model was trained on documents in it; convert it to "
                "strings");
  }
  if (found->coded() && column.number()) {
    fail_column(column.name,
                "holds strings, but the model was trained on numbers in it; convert it to numbers");
  }
  plan.columns.push_back({.name = column.name,
                          .coded = column.coded(),
                          .given_kind = column.kind,
                          .text = column.text()});
  plan.fields.push_back(static_cast<std::size_t>(found - fields.begin()));
  plan.levels.emplace_back(column.levels);
}

void note_extra_columns(Plan& plan, const std::vector<Field>& fields) {
  std::string extra;
  for (const auto& field : fields) {
    if (std::ranges::find(plan.columns, field.name, &SourceColumn::name) == plan.columns.end()) {
      extra += (extra.empty() ? "'" : ", '") + field.name + "'";
    }
  }
  if (!extra.empty()) {
    plan.notes.push_back("columns that the model does not know are ignored: " + extra);
  }
}

}  // namespace

Plan plan_table(const ArrowTable::Batches& batches, const ArrowLabels& labels) {
  check_kinds(batches.fields, labels.kinds);
  Plan plan;
  for (std::size_t f = 0; f < batches.fields.size(); ++f) {
    plan.columns.push_back(described(batches.fields[f], labels.kinds));
    plan.fields.push_back(f);
  }
  infer_documents(plan, batches, labels.weights);
  list_documents(plan);
  return plan;
}

Plan plan_bound(const ArrowTable::Batches& batches, const Schema& schema) {
  Plan plan;
  for (const auto& column : schema.columns) { match(plan, batches.fields, column); }
  note_extra_columns(plan, batches.fields);
  list_documents(plan);
  return plan;
}

}  // namespace logodds::arrow
