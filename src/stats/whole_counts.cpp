#include "stats/whole_counts.hpp"

#include <algorithm>
#include <utility>

namespace logodds {

template <class Move>
void WholeCounts::rewrite(std::size_t stride, const Move& move) {
  for (auto& chunk : chunks_) {
    memory::LargeArray<std::uint8_t> rewritten(kChunkRows * stride);
    for (std::size_t row = 0; row < kChunkRows; ++row) {
      const std::uint8_t* const from = chunk.data() + row * stride_;
      std::uint8_t* const to = rewritten.data() + row * stride;
      set_head(to, head(from));
      move(from + kHead, to + kHead);
    }
    chunk.swap(rewritten);
  }
  stride_ = stride;
}

void WholeCounts::make_room(std::size_t classes) {
  if (classes <= carried_.size()) { return; }
  carried_.resize(classes);
  if (kHead + classes <= stride_) { return; }
  // Files that are sorted by class bring one after the other.
  const std::size_t wanted = classes <= kFewClasses ? classes : classes + classes / 4;
  const std::size_t kept = stride_ - kHead;
  rewrite(kHead + (wanted + sizeof(Four) - 1) / sizeof(Four) * sizeof(Four),
          [kept](const std::uint8_t* from, std::uint8_t* to) { std::copy_n(from, kept, to); });
}

void WholeCounts::recode(std::span<const std::int32_t> labels, std::size_t classes) {
  std::vector<KeyedSums<std::uint64_t>> carried(classes);
  for (std::size_t k = 0; k < carried_.size(); ++k) {
    carried[static_cast<std::size_t>(labels[k])] = std::move(carried_[k]);
  }
  const auto moved = labels.first(carried_.size());
  carried_ = std::move(carried);
  rewrite(kHead + (classes + sizeof(Four) - 1) / sizeof(Four) * sizeof(Four),
          [moved](const std::uint8_t* from, std::uint8_t* to) {
            for (std::size_t k = 0; k < moved.size(); ++k) { to[moved[k]] = from[k]; }
          });
}

void WholeCounts::add_chunk() {
  chunks_.emplace_back(kChunkRows * stride_);
  rows_ += kChunkRows;
}

/// One stays, so that the byte is not 0.
void WholeCounts::carry(std::uint32_t row, std::uint32_t label, std::uint32_t sum) {
  std::uint8_t* const begin = begin_of(row);
  begin[kHead + label] = 1;
  carried_[label].at(row) += sum - 1;
  set_head(begin, head(begin) | kCarried);
}

void WholeCounts::clear() {
  chunks_.clear();
  rows_ = 0;
  for (auto& of_class : carried_) { of_class = {}; }
}

}  // namespace logodds
