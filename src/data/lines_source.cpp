#include "data/lines_source.hpp"

#include <stdexcept>

#include "data/csv_text.hpp"
#include "data/document_columns.hpp"
#include "data/line_source.hpp"

namespace logodds {
namespace {

/// What a line says: a label, perhaps, and a document.
struct LabelledText {
  std::string_view label;
  std::string_view document;
};

class LinesSource final : public LineSource {
 public:
  LinesSource(csv::Input input, const PlainLabels& labels, const std::string& column,
              const std::string& target, bool answer_at_once = false)
      : LineSource(std::move(input), !labels.needed(), labels, target) {
    set_columns(text_column(column));
    if (answer_at_once) { end_blocks_early(); }
    start("one document a line: its label, a tab, and the text");
  }

  void parse(RowBuffer& buffer) const override {
    begin_documents(buffer);
    labels().begin(buffer);
    for_each_row(buffer, [&](std::string_view line) {
      const LabelledText row = split(line);
      labels().add(buffer, row.label);
      buffer.texts.front().push_back(row.document);
      return true;
    });
  }

 private:
  [[nodiscard]] LabelledText split(std::string_view line) const {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      if (!labels().needed()) { return {{}, line}; }
      throw std::invalid_argument(
          "there is no tab; a line is a label, a tab, and a document, so put a tab after the "
          "label");
    }
    const std::string_view label = csv::trimmed(line.substr(0, tab), '\0');
    if (labels().needed() || label.empty() || labels().known(label)) {
      return {label, line.substr(tab + 1)};
    }
    return {{}, line};
  }
};

std::unique_ptr<BlockSource> open_training(csv::Input input) {
  return std::make_unique<LinesSource>(std::move(input), PlainLabels(), std::string(kTextColumn),
                                       std::string(kLabelColumn));
}

std::unique_ptr<BlockSource> open_bound(csv::Input input, const Schema& schema, LabelUse labels,
                                        bool answer_at_once = false) {
  check_document_schema(schema, "a line holds one document");
  return std::make_unique<LinesSource>(
      std::move(input), PlainLabels(schema, labels), schema.columns.front().name,
      labels == LabelUse::unread ? "" : schema.target, answer_at_once);
}

}  // namespace

std::unique_ptr<BlockSource> open_lines(const std::string& path) {
  return open_training(open_lines_input(path));
}

std::unique_ptr<BlockSource> open_lines(const std::string& path, const Schema& schema,
                                        LabelUse labels, bool answer_at_once) {
  return open_bound(open_lines_input(path), schema, labels, answer_at_once);
}

std::unique_ptr<BlockSource> open_lines_extending(const std::string& path, const Schema& schema) {
  check_document_schema(schema, "a line holds one document");
  return std::make_unique<LinesSource>(open_lines_input(path), PlainLabels(),
                                       schema.columns.front().name, schema.target);
}

std::unique_ptr<BlockSource> open_lines_bytes(std::string_view bytes, const std::string& name) {
  return open_training(csv::open_bytes(bytes, name));
}

std::unique_ptr<BlockSource> open_lines_bytes(std::string_view bytes, const std::string& name,
                                              const Schema& schema, LabelUse labels) {
  return open_bound(csv::open_bytes(bytes, name), schema, labels);
}

}  // namespace logodds
