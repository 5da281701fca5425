#include "plots/unbound_rows.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::plots {

namespace {

class UnboundRows final : public BlockSource {
 public:
  UnboundRows(std::unique_ptr<BlockSource> source, const Schema& schema)
      : source_(std::move(source)), columns_(source_->columns()) {
    for (SourceColumn& column : columns_) {
      // Other rows may make a count real.
      if (!column.coded && !column.text) { column.given_kind.reset(); }
    }
    for (const Column& column : schema.columns) {
      if (column.coded()) { levels_.emplace_back(column.levels); }
    }
  }

  [[nodiscard]] std::string name() const override { return source_->name(); }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::string target() const override { return {}; }
  [[nodiscard]] std::string weights() const override { return source_->weights(); }
  bool take(RowBuffer& buffer) override { return source_->take(buffer); }
  bool restart_with_coded(std::span<const std::size_t>) override { return false; }
  bool keep_sparse() override { return source_->keep_sparse(); }
  [[nodiscard]] double fraction_taken() const override { return source_->fraction_taken(); }
  [[nodiscard]] std::string place(std::size_t row) const override { return source_->place(row); }
  [[nodiscard]] std::vector<std::string> notes() const override { return source_->notes(); }

  void parse(RowBuffer& buffer) const override {
    source_->parse(buffer);
    buffer.labels.clear();
    buffer.label_values.clear();
    buffer.take_unseen_as_missing();
    buffer.levels = levels_;
    if (!buffer.is_sparse()) { note_facts(buffer); }
  }

 private:
  void note_facts(RowBuffer& buffer) const {
    buffer.facts.assign(columns_.size(), {});
    std::size_t number = 0;
    std::size_t coded = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].text) { continue; }
      buffer.facts[c] =
          columns_[c].coded ? facts_of(buffer.codes[coded++]) : facts_of(buffer, number++);
    }
  }

  static ColumnFacts facts_of(const std::vector<std::int32_t>& codes) {
    ColumnFacts facts;
    facts.missing = static_cast<std::size_t>(std::ranges::count(codes, kMissingCode));
    facts.any_value = facts.missing < codes.size();
    return facts;
  }

  static ColumnFacts facts_of(const RowBuffer& buffer, std::size_t number) {
    ColumnFacts facts;
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      const double value = buffer.numeric_data[r * buffer.numeric_stride + number];
      if (std::isnan(value)) {
        ++facts.missing;
      } else {
        facts.add(value);
      }
    }
    return facts;
  }

  std::unique_ptr<BlockSource> source_;
  std::vector<SourceColumn> columns_;
  std::vector<Dictionary> levels_;
};

}  // namespace

std::unique_ptr<BlockSource> unbound_rows(std::unique_ptr<BlockSource> source,
                                          const Schema& schema) {
  return std::make_unique<UnboundRows>(std::move(source), schema);
}

}  // namespace logodds::plots
