#include "data/plain_labels.hpp"

#include <stdexcept>

#include "data/csv_header.hpp"
#include "data/csv_text.hpp"
#include "data/row_labels.hpp"

namespace logodds {

void PlainLabels::begin(RowBuffer& buffer) const {
  buffer.labels.clear();
  buffer.label_values.clear();
  if (use_ != LabelUse::unread) { buffer.labels.reserve(buffer.rows); }
}

void PlainLabels::add(RowBuffer& buffer, std::string_view label) const {
  if (use_ != LabelUse::unread) { buffer.labels.push_back(code(buffer, label)); }
}

std::int32_t PlainLabels::code(RowBuffer& buffer, std::string_view label) const {
  constexpr std::size_t kMostNames = 10;
  if (label.empty()) {
    if (!refuses_none()) { return kMissingCode; }
    throw std::invalid_argument("there is no label; write one, or remove the row" +
                                std::string(discovers_ ? kUseUnlabeled : ""));
  }
  if (!discovers_) {
    const std::int32_t found = codes_.find(label);
    if (found >= 0 || !needed()) { return found; }
    throw std::invalid_argument(
        "the label " + csv::shown(label) + " is not one of the classes of the model (" +
        csv::name_list(codes_.values(), kMostNames) + "); correct it or remove the row");
  }
  const std::size_t known = buffer.label_values.size();
  const std::int32_t found = buffer.label_values.code(label);
  if (buffer.label_values.size() != known) {
    const std::string sentence = csv::encoding_sentence(label);
    if (!sentence.empty()) {
      throw std::invalid_argument("the label " + csv::shown(label) + " " + sentence);
    }
  }
  return found;
}

}  // namespace logodds
