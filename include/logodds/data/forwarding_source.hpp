// A source that is another one, but for what a class derived from it does with the rows.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/source.hpp"

namespace logodds {

/// Hands everything on; `source` must outlive it.
class ForwardingSource : public BlockSource {
 public:
  explicit ForwardingSource(BlockSource& source) : source_(source) {}

  [[nodiscard]] std::string name() const override { return source_.name(); }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override {
    return source_.columns();
  }
  [[nodiscard]] std::string target() const override { return source_.target(); }
  [[nodiscard]] std::string weights() const override { return source_.weights(); }
  bool take(RowBuffer& buffer) override { return source_.take(buffer); }
  void parse(RowBuffer& buffer) const override { source_.parse(buffer); }
  bool restart_with_coded(std::span<const std::size_t> columns) override {
    return source_.restart_with_coded(columns);
  }
  bool keep_sparse() override { return source_.keep_sparse(); }
  void keep_unlabeled() override { source_.keep_unlabeled(); }
  [[nodiscard]] double fraction_taken() const override { return source_.fraction_taken(); }
  [[nodiscard]] std::string place(std::size_t row) const override { return source_.place(row); }
  [[nodiscard]] std::vector<std::string> notes() const override { return source_.notes(); }
  [[nodiscard]] bool weighted() const override { return source_.weighted(); }

 private:
  BlockSource& source_;
};

}  // namespace logodds
