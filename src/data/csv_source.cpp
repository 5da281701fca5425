#include "data/csv_source.hpp"

#include <utility>

#include "data/csv_parser.hpp"
#include "data/document_columns.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace csv {
namespace {

/// `make_plan` gets the header.
template <class MakePlan>
std::unique_ptr<BlockSource> open_planned(Input input, const CsvOptions& options,
                                          MakePlan make_plan) {
  const std::string name = input.name;
  auto reader = make_reader(std::move(input));
  const Header header = read_header(*reader, name, options);
  Plan plan = make_plan(header);
  return std::make_unique<CsvSource>(std::move(reader), header, std::move(plan));
}

std::unique_ptr<BlockSource> open_discovery(Input input, const CsvOptions& options) {
  return open_planned(std::move(input), options,
                      [&](const Header& header) { return plan_discovery(header, options); });
}

std::unique_ptr<BlockSource> open_bound(Input input, const CsvOptions& options,
                                        const Schema& schema, Labels labels) {
  return open_planned(std::move(input), options, [&](const Header& header) {
    return plan_bound(header, options, schema, labels);
  });
}

std::unique_ptr<BlockSource> open_extending(Input input, const CsvOptions& options,
                                            const Schema& schema) {
  return open_planned(std::move(input), options, [&](const Header& header) {
    return plan_extending(header, options, schema);
  });
}

Labels required_if(bool with_labels) { return with_labels ? Labels::required : Labels::unread; }

}  // namespace

CsvSource::CsvSource(std::unique_ptr<TextReader> reader, const Header& header, Plan plan)
    : reader_(std::move(reader)),
      header_bytes_(header.bytes),
      header_lines_(header.lines),
      plan_(std::move(plan)),
      scanner_(RowRules{}) {
  limit_blocks(plan_.text_count > 0 || !plan_.columns_given);
  start();
  if (!first_) {
    throw Error(ErrorCode::input, plan_.file +
                                      ": there is a header but no row of data; give a "
                                      "table with at least one row");
  }
  if (!plan_.columns_given) { probe_kinds(); }
  check_nul_byte(header.nul);
}

/// Blocks of documents also end by their bytes.
void CsvSource::limit_blocks(bool documents) {
  RowRules rules;
  rules.most_rows = kBlockRows;
  if (documents) { rules.most_bytes = kBlockTextBytes; }
  rules.blank_lines_are_rows = plan_.fields.size() == 1;
  rules.quotes = plan_.dialect.quotes;
  scanner_ = RowScanner(rules);
}

void CsvSource::check_nul_byte(const std::optional<NulByte>& nul) const {
  const bool in_document =
      nul && nul->field < plan_.fields.size() && plan_.fields[nul->field].use == FieldUse::text;
  if (nul && !in_document) { fail_nul_byte(plan_.file, *nul); }
}

void CsvSource::start() {
  (void)reader_->peek(header_bytes_);
  reader_->skip(header_bytes_);
  claim_first();
}

void CsvSource::claim_first() {
  next_ordinal_ = next_row_ = 0;
  next_line_ = header_lines_ + 1;
  first_irregular_row_ = std::numeric_limits<std::size_t>::max();
  first_.reset();
  RowBuffer first;
  if (claim(first)) { first_ = std::move(first); }
}

bool CsvSource::claim(RowBuffer& buffer) {
  scanner_.reset();
  buffer.text = reader_->take(scanner_, buffer.text_storage);
  fraction_ = reader_->fraction();
  if (scanner_.rows() == 0) { return false; }
  if (scanner_.lines() != scanner_.rows() && next_row_ < first_irregular_row_) {
    first_irregular_row_ = next_row_;
  }
  buffer.ordinal = next_ordinal_++;
  buffer.first_row = next_row_;
  buffer.rows = scanner_.rows();
  buffer.first_line = next_line_;
  next_row_ += scanner_.rows();
  next_line_ += scanner_.lines();
  return true;
}

/// A short text moves with its buffer.
std::string_view CsvSource::first_text() const {
  return first_->text_storage.empty()
             ? first_->text
             : std::string_view(first_->text_storage).substr(0, first_->text.size());
}

/// The first block as `plan` reads it.
RowBuffer CsvSource::sample(const Plan& plan) const {
  RowBuffer sample;
  sample.text = first_text();
  sample.rows = first_->rows;
  sample.first_line = first_->first_line;
  BlockParser(plan, sample, BlockParser::Mode::probing).run();
  return sample;
}

// A column is read as levels or documents when its first block holds a value that is no number; a
// later such value is recorded in the facts of its block and answered by restart_with_coded().
void CsvSource::probe_kinds() {
  mark_documents(mark_words());
  if (plan_.text_count > 0) { return; }
  limit_blocks(false);
  if (first_->rows == kBlockRows || first_text().size() < kBlockTextBytes) { return; }
  reader_->put_back(first_text());
  claim_first();
  (void)mark_words();
}

/// Those columns whose kind nobody gave are returned.
std::vector<std::size_t> CsvSource::mark_words() {
  const RowBuffer first = sample(plan_);
  std::vector<std::size_t> open;
  for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
    if (!first.facts[c].not_number) { continue; }
    plan_.columns[c].coded = true;
    if (!plan_.columns[c].given_kind) { open.push_back(c); }
  }
  plan_.assign_slots();
  return open;
}

void CsvSource::mark_documents(const std::vector<std::size_t>& words) {
  if (words.empty()) { return; }
  Plan trial = plan_;
  for (auto& column : trial.columns) { column.text = false; }
  for (const std::size_t c : words) { trial.columns[c].text = true; }
  trial.assign_slots();
  const RowBuffer first = sample(trial);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto average = looks_like_documents(first.texts[i]);
    if (!average) { continue; }
    SourceColumn& column = plan_.columns[words[i]];
    column.text = true;
    column.coded = false;
    plan_.notes.push_back(plan_.file + ": " + documents_note(column.name, *average));
  }
  plan_.assign_slots();
}

bool CsvSource::take(RowBuffer& buffer) {
  if (!first_) { return claim(buffer); }
  const std::size_t bytes = first_->text.size();
  buffer.ordinal = first_->ordinal;
  buffer.first_row = first_->first_row;
  buffer.rows = first_->rows;
  buffer.first_line = first_->first_line;
  buffer.text = first_->text;
  buffer.text_storage = std::move(first_->text_storage);
  if (!buffer.text_storage.empty()) {
    buffer.text = std::string_view(buffer.text_storage).substr(0, bytes);
  }
  first_.reset();
  return true;
}

void CsvSource::parse(RowBuffer& buffer) const {
  BlockParser(plan_, buffer, BlockParser::Mode::full).run();
}

bool CsvSource::restart_with_coded(std::span<const std::size_t> columns) {
  if (plan_.columns_given && !columns.empty()) { return false; }
  if (!reader_->rewind()) { return false; }
  for (const std::size_t column : columns) { plan_.columns[column].coded = true; }
  plan_.assign_slots();
  start();
  return true;
}

std::string CsvSource::place(std::size_t row) const {
  if (row < first_irregular_row_) {
    return plan_.file + ", line " + std::to_string(header_lines_ + row + 1);
  }
  return plan_.file + ", data row " + std::to_string(row + 1);
}

}  // namespace csv

std::unique_ptr<BlockSource> open_csv(const std::string& path, const CsvOptions& options) {
  return csv::open_discovery(csv::open_input(path), options);
}

std::unique_ptr<BlockSource> open_csv(const std::string& path, const CsvOptions& options,
                                      const Schema& schema, bool with_labels) {
  return csv::open_bound(csv::open_input(path), options, schema, csv::required_if(with_labels));
}

std::unique_ptr<BlockSource> open_csv_labels_if_there(const std::string& path,
                                                      const CsvOptions& options,
                                                      const Schema& schema) {
  return csv::open_bound(csv::open_input(path), options, schema, csv::Labels::if_there);
}

std::unique_ptr<BlockSource> open_csv_extending(const std::string& path, const CsvOptions& options,
                                                const Schema& schema) {
  return csv::open_extending(csv::open_input(path), options, schema);
}

std::unique_ptr<BlockSource> open_csv_bytes(std::string_view bytes, const std::string& name,
                                            const CsvOptions& options) {
  return csv::open_discovery(csv::open_bytes(bytes, name), options);
}

std::unique_ptr<BlockSource> open_csv_bytes(std::string_view bytes, const std::string& name,
                                            const CsvOptions& options, const Schema& schema,
                                            bool with_labels) {
  return csv::open_bound(csv::open_bytes(bytes, name), options, schema,
                         csv::required_if(with_labels));
}

std::unique_ptr<BlockSource> open_csv_bytes_labels_if_there(std::string_view bytes,
                                                            const std::string& name,
                                                            const CsvOptions& options,
                                                            const Schema& schema) {
  return csv::open_bound(csv::open_bytes(bytes, name), options, schema, csv::Labels::if_there);
}

std::unique_ptr<BlockSource> open_csv_bytes_extending(std::string_view bytes,
                                                      const std::string& name,
                                                      const CsvOptions& options,
                                                      const Schema& schema) {
  return csv::open_extending(csv::open_bytes(bytes, name), options, schema);
}

}  // namespace logodds
