// Some rows of a table as a BlockSource.
#include <algorithm>
#include <cmath>
#include <optional>

#include "choose/table.hpp"
#include "data/dense_columns.hpp"

namespace logodds::choose {

namespace {

/// From the codes of the table to those of a schema, for each coded column.
std::vector<std::vector<std::int32_t>> code_maps(const Schema& from, const Schema& to) {
  std::vector<std::vector<std::int32_t>> maps;
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    if (!from.columns[c].coded()) { continue; }
    const Dictionary known(to.columns[c].levels);
    auto& map = maps.emplace_back();
    for (const auto& level : from.columns[c].levels) {
      const std::int32_t code = known.find(level);
      map.push_back(code < 0 ? kUnseenCode : code);
    }
  }
  return maps;
}

class TableSource final : public BlockSource {
 public:
  TableSource(const Table& table, std::vector<RowRange> ranges, const Schema* schema)
      : table_(table), ranges_(std::move(ranges)), bound_(schema != nullptr) {
    if (bound_) { maps_ = code_maps(table.schema, *schema); }
    for (const RowRange& range : ranges_) { rows_ += range.end - range.begin; }
  }

  [[nodiscard]] std::string name() const override { return table_.source->name(); }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return table_.columns; }
  [[nodiscard]] std::string target() const override { return table_.schema.target; }
  [[nodiscard]] std::string weights() const override { return table_.schema.weights; }
  [[nodiscard]] std::string place(std::size_t row) const override {
    return table_.source->place(table_.row_numbers[row]);
  }
  bool restart_with_coded(std::span<const std::size_t>) override { return false; }
  [[nodiscard]] double fraction_taken() const override {
    return rows_ == 0 ? 1.0 : static_cast<double>(taken_) / static_cast<double>(rows_);
  }
  bool keep_sparse() override { return sparse_ = table_.is_sparse(); }

  bool take(RowBuffer& buffer) override {
    while (range_ < ranges_.size() && next_ >= ranges_[range_].end - ranges_[range_].begin) {
      ++range_;
      next_ = 0;
    }
    if (range_ == ranges_.size()) { return false; }
    const bool spread = table_.is_sparse() && !sparse_;
    if (spread) { check_dense_columns(table_.numeric_columns, name()); }
    const std::size_t most = spread ? dense_block_rows(table_.numeric_columns) : kBlockRows;
    buffer.ordinal = ordinal_++;
    buffer.first_row = ranges_[range_].begin + next_;
    buffer.rows = std::min(most, ranges_[range_].end - buffer.first_row);
    next_ += buffer.rows;
    taken_ += buffer.rows;
    return true;
  }

  void parse(RowBuffer& buffer) const override {
    buffer.row_numbers.clear();
    buffer.levels.clear();
    buffer.label_values.clear();
    buffer.unseen_levels = 0;
    place_numbers(buffer);
    place_codes(buffer);
    place_texts(buffer);
    place_labels(buffer);
    buffer.complete = table_.complete && buffer.unseen_levels == 0;
    if (!bound_) { note_facts(buffer); }
  }

 private:
  void place_numbers(RowBuffer& buffer) const {
    if (table_.is_sparse()) { return sparse_ ? place_sparse(buffer) : spread(buffer); }
    buffer.numeric_columns = buffer.numeric_stride = table_.numeric_columns;
    buffer.numeric_data = table_.numeric.data() + buffer.first_row * table_.numeric_columns;
    buffer.lasting = true;
  }

  void place_sparse(RowBuffer& buffer) const {
    begin_sparse(buffer, table_.numeric_columns);
    for_each_row(buffer, [&](std::size_t, std::size_t i) {
      buffer.sparse_indices.push_back(table_.indices[i]);
      buffer.sparse_values.push_back(table_.values[i]);
    });
  }

  void spread(RowBuffer& buffer) const {
    begin_dense(buffer, table_.numeric_columns);
    for_each_row(buffer, [&](std::size_t r, std::size_t i) {
      buffer.numeric[r * table_.numeric_columns + table_.indices[i]] = table_.values[i];
    });
  }

  /// use(row, i) for every value of a sparse row, from first to last.
  template <class Use>
  void for_each_row(RowBuffer& buffer, Use use) const {
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      const std::size_t row = buffer.first_row + r;
      for (std::size_t i = table_.starts[row]; i < table_.starts[row + 1]; ++i) { use(r, i); }
      if (sparse_) { end_sparse_row(buffer); }
    }
  }

  void place_codes(RowBuffer& buffer) const {
    buffer.codes.resize(table_.codes.size());
    if (!bound_) { buffer.levels.resize(table_.codes.size()); }
    std::size_t coded = 0;
    for (const Column& column : table_.schema.columns) {
      if (!column.coded()) { continue; }
      const auto begin =
          table_.codes[coded].begin() + static_cast<std::ptrdiff_t>(buffer.first_row);
      auto& codes = buffer.codes[coded];
      codes.assign(begin, begin + static_cast<std::ptrdiff_t>(buffer.rows));
      if (bound_) {
        recode_bound(codes, maps_[coded], buffer);
      } else {
        recode(codes, column.levels, buffer.levels[coded]);
      }
      ++coded;
    }
  }

  static void recode_bound(std::vector<std::int32_t>& codes, const std::vector<std::int32_t>& map,
                           RowBuffer& buffer) {
    for (auto& code : codes) {
      if (code < 0) { continue; }
      code = map[static_cast<std::size_t>(code)];
      buffer.unseen_levels += code == kUnseenCode ? 1U : 0U;
    }
  }

  /// To codes in the order in which the values appear in the block.
  static void recode(std::vector<std::int32_t>& codes, const std::vector<std::string>& values,
                     Dictionary& dictionary) {
    std::vector<std::int32_t> map(values.size(), -1);
    for (auto& code : codes) {
      if (code < 0) { continue; }
      auto& mapped = map[static_cast<std::size_t>(code)];
      if (mapped < 0) { mapped = dictionary.code(values[static_cast<std::size_t>(code)]); }
      code = mapped;
    }
  }

  void place_texts(RowBuffer& buffer) const {
    buffer.texts.resize(table_.texts.size());
    for (std::size_t c = 0; c < table_.texts.size(); ++c) {
      const auto begin = table_.texts[c].begin() + static_cast<std::ptrdiff_t>(buffer.first_row);
      buffer.texts[c].assign(begin, begin + static_cast<std::ptrdiff_t>(buffer.rows));
    }
  }

  void place_labels(RowBuffer& buffer) const {
    buffer.labels.clear();
    buffer.weights.clear();
    const auto first = static_cast<std::ptrdiff_t>(buffer.first_row);
    const auto rows = static_cast<std::ptrdiff_t>(buffer.rows);
    if (!table_.weights.empty()) {
      buffer.weights.assign(table_.weights.begin() + first, table_.weights.begin() + first + rows);
    }
    if (bound_) { return; }
    buffer.labels.assign(table_.labels.begin() + first, table_.labels.begin() + first + rows);
    recode(buffer.labels, table_.schema.labels, buffer.label_values);
  }

  void note_facts(RowBuffer& buffer) const {
    buffer.facts.clear();
    if (sparse_) { return; }
    std::size_t number = 0;
    std::size_t coded = 0;
    std::size_t text = 0;
    for (const SourceColumn& column : table_.columns) {
      ColumnFacts facts;
      if (column.text) {
        const auto& texts = buffer.texts[text++];
        facts.any_value = std::ranges::any_of(
            texts, [](std::string_view document) { return document.data() != nullptr; });
      } else if (column.coded) {
        const auto& codes = buffer.codes[coded++];
        facts.any_value = std::ranges::any_of(codes, [](std::int32_t code) { return code >= 0; });
      } else {
        note_numbers(buffer, number++, facts);
      }
      buffer.facts.push_back(facts);
    }
  }

  static void note_numbers(const RowBuffer& buffer, std::size_t c, ColumnFacts& facts) {
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      const double value = buffer.numeric_data[r * buffer.numeric_stride + c];
      if (std::isnan(value)) { continue; }
      facts.any_value = true;
      facts.add(value);
      if (!facts.counts) { return; }
    }
  }

  const Table& table_;
  std::vector<RowRange> ranges_;
  bool bound_;
  bool sparse_ = false;
  std::vector<std::vector<std::int32_t>> maps_;  ///< with a bound schema
  std::size_t rows_ = 0;
  std::size_t range_ = 0;
  std::size_t next_ = 0;  ///< row of the present range
  std::size_t taken_ = 0;
  std::size_t ordinal_ = 0;
};

}  // namespace

std::unique_ptr<BlockSource> open_rows(const Table& table, std::vector<RowRange> ranges) {
  return std::make_unique<TableSource>(table, std::move(ranges), nullptr);
}

std::unique_ptr<BlockSource> open_rows(const Table& table, std::vector<RowRange> ranges,
                                       const Schema& schema) {
  return std::make_unique<TableSource>(table, std::move(ranges), &schema);
}

}  // namespace logodds::choose
