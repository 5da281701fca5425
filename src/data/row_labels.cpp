#include "data/row_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "logodds/data/schema.hpp"
#include "logodds/data/source.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

/// Integer labels to codes of a block's dictionary. A small direct-mapped cache answers nearly
/// always, so that a million labels cost a few milliseconds.
class LabelCoder {
 public:
  explicit LabelCoder(const std::vector<std::string>& names) : names_(names) {
    cache_.fill({0, -1});
  }

  std::int32_t code(std::int64_t label, Dictionary& dictionary) {
    auto& entry = cache_[static_cast<std::uint64_t>(label) % cache_.size()];
    if (entry.code < 0 || entry.label != label) {
      entry = {label, dictionary.code(names_.empty() ? std::to_string(label)
                                                     : names_[static_cast<std::size_t>(label)])};
    }
    return entry.code;
  }

 private:
  struct Entry {
    std::int64_t label;
    std::int32_t code;
  };
  const std::vector<std::string>& names_;
  std::array<Entry, 256> cache_;
};

}  // namespace

std::vector<std::uint8_t> read_weights(RowBuffer& buffer, const double* weights) {
  buffer.weights.clear();
  if (weights == nullptr) { return {}; }
  const double* const first = weights + buffer.first_row;
  buffer.weights.assign(first, first + buffer.rows);
  std::vector<std::uint8_t> flags(buffer.rows, 0);
  for (std::size_t r = 0; r < buffer.rows; ++r) {
    if (!(first[r] >= 0.0) || std::isinf(first[r])) {
      throw Error(ErrorCode::input, "row " + std::to_string(buffer.first_row + r + 1) +
                                        ": the weight " + format_number(first[r]) +
                                        " is not a finite number of at least 0; correct it");
    }
    flags[r] = first[r] == 0.0 ? 1 : 0;
  }
  if (std::ranges::find(flags, 1) == flags.end()) { flags.clear(); }
  return flags;
}

void read_labels(RowBuffer& buffer, const std::int64_t* labels,
                 const std::vector<std::string>& names, const std::vector<std::uint8_t>& flags) {
  constexpr std::size_t kFew = 256;
  // Codes need not be new for every block, only few.
  if (labels == nullptr || buffer.label_values.size() > kFew) { buffer.label_values.clear(); }
  buffer.labels.clear();
  if (labels == nullptr) { return; }
  buffer.labels.assign(buffer.rows, kMissingCode);
  const std::int64_t* const first = labels + buffer.first_row;
  std::int32_t* const codes = buffer.labels.data();
  LabelCoder coder(names);
  for (std::size_t r = 0; r < buffer.rows; ++r) {
    if (!flags.empty() && flags[r] != 0) { continue; }
    if (first[r] != kNoLabel) { codes[r] = coder.code(first[r], buffer.label_values); }
  }
}

}  // namespace logodds
