#include "choose/table.hpp"

#include <algorithm>

#include "logodds/error.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::choose {

namespace {

/// Takes the blocks of a source one after the other and puts their rows behind those before.
class Collector {
 public:
  Collector(BlockSource& source, bool sparse)
      : source_(source),
        documents_(std::make_shared<std::deque<std::string>>()),
        dictionary_(std::make_unique<LaneDictionary>(source, sparse)) {
    table_.columns = source.columns();
    table_.source = &source;
    for (const SourceColumn& column : table_.columns) {
      if (column.text) {
        table_.texts.emplace_back();
      } else if (column.coded) {
        table_.codes.emplace_back();
      } else {
        ++table_.numeric_columns;
      }
    }
    if (sparse) { table_.starts.push_back(0); }
  }

  void add(RowBuffer& buffer) {
    if (!dictionary_->note_facts(buffer)) { return; }
    dictionary_->adopt(buffer);
    if (buffer.rows > 0 && buffer.labels.empty()) {
      throw Error(ErrorCode::usage, source_.name() +
                                        ": the rows carry no labels; name the label "
                                        "column with --target");
    }
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      table_.row_numbers.push_back(buffer.row_number(r));
    }
    table_.complete = table_.complete && buffer.incomplete_rows().empty();
    add_numbers(buffer);
    for (std::size_t c = 0; c < table_.codes.size(); ++c) {
      table_.codes[c].insert(table_.codes[c].end(), buffer.codes[c].begin(), buffer.codes[c].end());
    }
    table_.labels.insert(table_.labels.end(), buffer.labels.begin(), buffer.labels.end());
    table_.weights.insert(table_.weights.end(), buffer.weights.begin(), buffer.weights.end());
    add_texts(buffer);
    table_.rows += buffer.rows;
  }

  /// The columns that turned out to hold words; when there are none the table is ready.
  [[nodiscard]] std::vector<std::size_t> finish() {
    std::vector<std::unique_ptr<LaneDictionary>> lanes;
    lanes.push_back(std::move(dictionary_));
    std::vector<std::size_t> contradicted;
    Discovery found = unify(source_, lanes, nullptr, contradicted);
    if (!contradicted.empty()) {
      if (!source_.restart_with_coded(contradicted)) {
        throw_contradiction(source_, contradicted.front(), lanes);
      }
      for (const std::size_t column : contradicted) {
        reasons_.push_back(why_coded(source_, column, lanes) + ", so the column is read as levels");
      }
      return contradicted;
    }
    const Recoding& map = found.recodings.front();
    recode(table_.labels, map.labels);
    for (std::size_t c = 0; c < table_.codes.size(); ++c) {
      recode(table_.codes[c], map.levels[c]);
    }
    table_.schema = std::move(found.schema);
    table_.columns = source_.columns();  // of sparse rows known only now
    table_.numeric_columns = table_.schema.numeric_count();
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      const Column& column = table_.schema.columns[c];
      if (column.number()) { table_.columns[c].given_kind = column.kind; }
    }
    table_.documents = documents_;
    table_.notes = source_.notes();
    return {};
  }

  [[nodiscard]] Table take() { return std::move(table_); }
  [[nodiscard]] const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  static void recode(std::vector<std::int32_t>& codes, const std::vector<std::int32_t>& map) {
    for (auto& code : codes) {
      if (code >= 0) { code = map[static_cast<std::size_t>(code)]; }
    }
  }

  void add_numbers(const RowBuffer& buffer) {
    if (buffer.is_sparse()) {
      for (std::size_t r = 0; r < buffer.rows; ++r) {
        const std::size_t size = buffer.sparse_starts[r + 1] - buffer.sparse_starts[r];
        table_.starts.push_back(table_.starts.back() + size);
      }
      table_.indices.insert(table_.indices.end(), buffer.sparse_indices.begin(),
                            buffer.sparse_indices.end());
      table_.values.insert(table_.values.end(), buffer.sparse_values.begin(),
                           buffer.sparse_values.end());
      return;
    }
    if (buffer.numeric_stride == table_.numeric_columns) {
      table_.numeric.insert(table_.numeric.end(), buffer.numeric_data,
                            buffer.numeric_data + buffer.rows * table_.numeric_columns);
      return;
    }
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      const double* const row = buffer.numeric_data + r * buffer.numeric_stride;
      table_.numeric.insert(table_.numeric.end(), row, row + table_.numeric_columns);
    }
  }

  /// The documents of a block, one behind the other in a string that stays where it is.
  void add_texts(const RowBuffer& buffer) {
    for (std::size_t c = 0; c < table_.texts.size(); ++c) {
      std::size_t bytes = 0;
      for (std::size_t r = 0; r < buffer.rows; ++r) { bytes += buffer.texts[c][r].size(); }
      std::string& kept = documents_->emplace_back();
      kept.reserve(bytes + 1);
      for (std::size_t r = 0; r < buffer.rows; ++r) {
        const std::string_view text = buffer.texts[c][r];
        const std::size_t begin = kept.size();
        kept.append(text);
        table_.texts[c].push_back(text.data() == nullptr
                                      ? std::string_view{}
                                      : std::string_view(kept.data() + begin, text.size()));
      }
    }
  }

  BlockSource& source_;
  Table table_;
  std::shared_ptr<std::deque<std::string>> documents_;
  std::unique_ptr<LaneDictionary> dictionary_;
  std::vector<std::string> reasons_;
};

void read_blocks(BlockSource& source, Collector& rows, const Context& context) {
  parallel::run_blocks<RowBuffer>(
      context.threads, 1, taking_rows(source, context),
      [&](RowBuffer& buffer) { source.parse(buffer); },
      [&](RowBuffer& buffer, std::size_t) { rows.add(buffer); });
}

template <class Value>
std::vector<Value> in_order(const std::vector<Value>& values, std::span<const std::size_t> order) {
  std::vector<Value> result;
  if (values.empty()) { return result; }
  result.reserve(order.size());
  for (const std::size_t row : order) { result.push_back(values[row]); }
  return result;
}

}  // namespace

Table read_table(BlockSource& source, const Context& context) {
  const bool sparse = source.keep_sparse();
  std::vector<std::string> reasons;
  for (;;) {
    Collector rows(source, sparse);
    read_blocks(source, rows, context);
    const bool again = !rows.finish().empty();
    reasons.insert(reasons.end(), rows.reasons().begin(), rows.reasons().end());
    if (again) { continue; }
    Table table = rows.take();
    table.notes.insert(table.notes.end(), reasons.begin(), reasons.end());
    return table;
  }
}

Table Table::reordered(std::span<const std::size_t> order) const {
  Table result;
  result.schema = schema;
  result.columns = columns;
  result.notes = notes;
  result.rows = order.size();
  result.numeric_columns = numeric_columns;
  if (is_sparse()) { result.starts.push_back(0); }
  result.numeric.reserve(is_sparse() ? 0 : order.size() * numeric_columns);
  for (const std::size_t row : order) {
    if (is_sparse()) {
      const auto begin = static_cast<std::ptrdiff_t>(starts[row]);
      const auto end = static_cast<std::ptrdiff_t>(starts[row + 1]);
      result.indices.insert(result.indices.end(), indices.begin() + begin, indices.begin() + end);
      result.values.insert(result.values.end(), values.begin() + begin, values.begin() + end);
      result.starts.push_back(result.indices.size());
    } else {
      const double* const from = numeric.data() + row * numeric_columns;
      result.numeric.insert(result.numeric.end(), from, from + numeric_columns);
    }
  }
  for (const auto& column : codes) { result.codes.push_back(in_order(column, order)); }
  result.labels = in_order(labels, order);
  result.weights = in_order(weights, order);
  for (const auto& column : texts) { result.texts.push_back(in_order(column, order)); }
  result.documents = documents;
  result.row_numbers = in_order(row_numbers, order);
  result.complete = complete;
  result.source = source;
  return result;
}

}  // namespace logodds::choose
