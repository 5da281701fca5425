// Labels of rows that come without a header: discovered, or those of a schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/documents.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/data/source.hpp"

namespace logodds {

/// What the labels of a source mean, and whether they are needed; shared by all threads.
class PlainLabels {
 public:
  /// New ones are welcome.
  PlainLabels() = default;
  PlainLabels(const Schema& schema, LabelUse use)
      : discovers_(false), use_(use), codes_(schema.labels) {}

  [[nodiscard]] bool needed() const { return use_ == LabelUse::required; }
  [[nodiscard]] bool discovers() const { return discovers_; }
  [[nodiscard]] bool known(std::string_view label) const { return codes_.find(label) >= 0; }

  /// Before the rows of a block.
  void begin(RowBuffer& buffer) const;
  /// The label of the next row, or what stands there. Throws std::invalid_argument with the rest of
  /// the sentence "PLACE: " for one that cannot be used.
  void add(RowBuffer& buffer, std::string_view label) const;

 private:
  [[nodiscard]] std::int32_t code(RowBuffer& buffer, std::string_view label) const;

  bool discovers_ = true;
  LabelUse use_ = LabelUse::required;
  Dictionary codes_;
};

/// Throws Error(usage) unless the only column of the schema is text; `holds` is what the rows do:
/// "a line holds one document".
void check_document_schema(const Schema& schema, const std::string& holds);

/// The one column of such a source.
[[nodiscard]] std::vector<SourceColumn> text_column(const std::string& name);

/// The parsed part of a buffer as it is before the rows of a source of one text column.
void begin_documents(RowBuffer& buffer);

}  // namespace logodds
