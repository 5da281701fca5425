#include "data/plain_labels.hpp"

#include <stdexcept>

#include "data/csv_header.hpp"
#include "data/csv_text.hpp"
#include "logodds/error.hpp"

namespace logodds {

void PlainLabels::begin(RowBuffer& buffer) const {
  buffer.labels.clear();
  buffer.label_values.clear();
  if (use_ != LabelUse::unread) { buffer.labels.reserve(buffer.rows); }
}

void PlainLabels::add(RowBuffer& buffer, std::string_view label) const {
  if (use_ != LabelUse::unread) { buffer.labels.push_back(code(buffer, label)); }
}

std::int32_t PlainLabels::code(RowBuffer& buffer, std::string_view label) const {
  constexpr std::size_t kMostNames = 10;
  if (needed() && label.empty()) {
    throw std::invalid_argument("there is no label; write one, or remove the row");
  }
  if (!discovers_) {
    const std::int32_t found = codes_.find(label);
    if (found >= 0 || !needed()) { return found; }
    throw std::invalid_argument(
        "the label " + csv::shown(label) + " is not one of the classes of the model (" +
        csv::name_list(codes_.values(), kMostNames) + "); correct it or remove the row");
  }
  const std::size_t known = buffer.label_values.size();
  const std::int32_t found = buffer.label_values.code(label);
  if (buffer.label_values.size() != known) {
    const std::string sentence = csv::encoding_sentence(label);
    if (!sentence.empty()) {
      throw std::invalid_argument("the label " + csv::shown(label) + " " + sentence);
    }
  }
  return found;
}

void check_document_schema(const Schema& schema, const std::string& holds) {
  constexpr std::size_t kMostNames = 10;
  if (schema.columns.size() == 1 && schema.columns.front().text()) { return; }
  std::vector<std::string> names;
  for (const Column& column : schema.columns) {
    names.push_back("'" + column.name + "' (" + std::string(to_string(column.kind)) + ")");
  }
  throw Error(ErrorCode::usage,
              "the model wants " + std::string(names.size() == 1 ? "the column " : "the columns ") +
                  csv::name_list(names, kMostNames) + ", but " + holds + "; give a CSV file with " +
                  (names.size() == 1 ? "this column" : "these columns"));
}

std::vector<SourceColumn> text_column(const std::string& name) {
  return {{.name = name, .given_kind = ColumnKind::text, .text = true}};
}

void begin_documents(RowBuffer& buffer) {
  buffer.numeric.clear();
  buffer.numeric_data = nullptr;
  buffer.numeric_columns = buffer.numeric_stride = 0;
  buffer.codes.clear();
  buffer.levels.clear();
  buffer.weights.clear();
  buffer.row_numbers.clear();
  buffer.text_copies.clear();
  buffer.unseen_levels = 0;
  buffer.complete = true;
  buffer.facts.assign(1, ColumnFacts{});
  buffer.facts.front().any_value = true;
  buffer.texts.resize(1);
  buffer.texts.front().clear();
  buffer.texts.front().reserve(buffer.rows);
}

}  // namespace logodds
