// Documents in memory as a source of row blocks.
#include <algorithm>
#include <utility>

#include "data/document_columns.hpp"
#include "data/row_labels.hpp"
#include "logodds/data/documents.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

class DocumentsSource final : public BlockSource {
 public:
  explicit DocumentsSource(DocumentData data)
      : data_(std::move(data)), columns_(text_column(data_.name)) {}

  [[nodiscard]] std::string name() const override { return "documents"; }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::string target() const override { return data_.target; }
  [[nodiscard]] bool weighted() const override { return data_.weights != nullptr; }
  [[nodiscard]] std::string place(std::size_t row) const override {
    return "row " + std::to_string(row + 1);
  }
  [[nodiscard]] double fraction_taken() const override {
    return data_.documents.empty()
               ? 1.0
               : static_cast<double>(next_row_) / static_cast<double>(data_.documents.size());
  }
  bool restart_with_coded(std::span<const std::size_t>) override { return false; }

  bool take(RowBuffer& buffer) override {
    if (next_row_ == data_.documents.size()) { return false; }
    buffer.ordinal = next_block_++;
    buffer.first_row = next_row_;
    buffer.rows = rows_of_block(data_.documents.subspan(next_row_));
    next_row_ += buffer.rows;
    return true;
  }

  void parse(RowBuffer& buffer) const override {
    const auto documents = data_.documents.subspan(buffer.first_row, buffer.rows);
    begin_documents(buffer);
    buffer.texts[0].assign(documents.begin(), documents.end());
    const auto weightless = read_weights(buffer, data_.weights);
    read_labels(buffer, data_.labels, data_.label_names, weightless);
    buffer.drop_rows(weightless);
    note_facts(buffer);
  }

 private:
  static std::size_t rows_of_block(std::span<const std::string_view> documents) {
    const std::size_t most = std::min(kBlockRows, documents.size());
    std::size_t bytes = 0;
    for (std::size_t r = 0; r < most; ++r) {
      bytes += documents[r].size();
      if (bytes >= kBlockTextBytes) { return r + 1; }
    }
    return most;
  }

  static void note_facts(RowBuffer& buffer) {
    ColumnFacts facts;
    for (const auto document : buffer.texts[0]) {
      if (document.data() == nullptr) {
        ++facts.missing;
      } else {
        facts.any_value = true;
      }
    }
    buffer.complete = facts.missing == 0;
    buffer.facts.assign(1, facts);
  }

  DocumentData data_;
  std::vector<SourceColumn> columns_;
  std::size_t next_row_ = 0;
  std::size_t next_block_ = 0;
};

}  // namespace

std::unique_ptr<BlockSource> open_documents(DocumentData data) {
  return std::make_unique<DocumentsSource>(std::move(data));
}

std::unique_ptr<BlockSource> open_documents(DocumentData data, const Schema& schema) {
  if (schema.columns.size() != 1 || !schema.columns.front().text()) {
    throw Error(ErrorCode::usage,
                "the model was not trained on a single column of documents, so documents alone "
                "are not enough; give a table with all of its columns");
  }
  data.name = schema.columns.front().name;
  data.target = schema.target;
  data.labels = nullptr;
  data.label_names.clear();
  return std::make_unique<DocumentsSource>(std::move(data));
}

}  // namespace logodds
