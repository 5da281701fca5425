// Labels of rows that come without a header: discovered, or those of a schema.
#pragma once

#include <cstdint>
#include <string_view>

#include "logodds/data/documents.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"

namespace logodds {

/// What the labels of a source mean, and whether they are needed; shared by all threads.
class PlainLabels {
 public:
  /// New ones are welcome.
  PlainLabels() = default;
  PlainLabels(const Schema& schema, LabelUse use)
      : discovers_(false), use_(use), codes_(schema.labels) {}

  /// From now on an empty label is kMissingCode, not an error.
  void keep_unlabeled() { keeps_unlabeled_ = true; }
  [[nodiscard]] bool needed() const { return use_ == LabelUse::required; }
  /// Whether a row without a label is refused.
  [[nodiscard]] bool refuses_none() const { return needed() && !keeps_unlabeled_; }
  [[nodiscard]] bool known(std::string_view label) const { return codes_.find(label) >= 0; }

  /// Before the rows of a block.
  void begin(RowBuffer& buffer) const;
  /// The label of the next row, or what stands there. Throws std::invalid_argument with the rest of
  /// the sentence "PLACE: " for one that cannot be used.
  void add(RowBuffer& buffer, std::string_view label) const;

 private:
  [[nodiscard]] std::int32_t code(RowBuffer& buffer, std::string_view label) const;

  bool discovers_ = true;
  bool keeps_unlabeled_ = false;
  LabelUse use_ = LabelUse::required;
  Dictionary codes_;
};

}  // namespace logodds
