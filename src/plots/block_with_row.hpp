// The one block of a source that holds a row.
#pragma once

#include <cstddef>
#include <memory>

#include "logodds/data/source.hpp"

namespace logodds::plots {

/// Reads over the blocks before it, and leaves those behind it unread, so that what is asked of one
/// row is not done for all.
class BlockWithRow final : public BlockSource {
 public:
  /// `row` counts the rows that are left when those of weight 0 are gone, from 0.
  BlockWithRow(std::unique_ptr<BlockSource> source, std::size_t row)
      : source_(std::move(source)), row_(row) {}

  /// Where the row stands in the block, which has been taken.
  [[nodiscard]] std::size_t row_in_block() const { return row_ - before_; }
  /// Those that were read; all of them where there is no such row.
  [[nodiscard]] std::size_t rows_read() const { return read_; }

  [[nodiscard]] std::string name() const override { return source_->name(); }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override {
    return source_->columns();
  }
  [[nodiscard]] std::string target() const override { return source_->target(); }
  [[nodiscard]] std::string weights() const override { return source_->weights(); }
  bool take(RowBuffer& buffer) override;
  void parse(RowBuffer& /*buffer*/) const override {}  // take() had to
  bool restart_with_coded(std::span<const std::size_t>) override { return false; }
  bool keep_sparse() override { return source_->keep_sparse(); }
  void keep_unlabeled() override { source_->keep_unlabeled(); }
  [[nodiscard]] std::string place(std::size_t row) const override { return source_->place(row); }
  [[nodiscard]] std::vector<std::string> notes() const override { return source_->notes(); }

 private:
  std::unique_ptr<BlockSource> source_;
  std::size_t row_;
  std::size_t before_ = 0;  ///< rows of the blocks before
  std::size_t read_ = 0;
};

}  // namespace logodds::plots
