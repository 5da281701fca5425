#include "logodds/measure/kept_rows.hpp"

#include <algorithm>

namespace logodds::measure {

namespace {

constexpr std::size_t kChunkRows = 16384;

/// `count` elements of `from`, beginning with `first`, after those of `to`.
template <class T>
void append(std::vector<T>& to, const std::vector<T>& from, std::size_t first, std::size_t count) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
  to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
}

}  // namespace

void KeptRows::give_up() {
  overflowed_ = true;
  rows_ = 0;
  chunks_ = {};
}

void KeptRows::add(std::size_t truth, std::size_t decision, std::span<const double> posteriors,
                   double weight) {
  if (overflowed_) { return; }
  if ((rows_ + 1) * row_bytes() > most_bytes_) { return give_up(); }
  if (chunks_.empty() || chunks_.back().truths.size() == kChunkRows) { chunks_.emplace_back(); }
  Chunk& chunk = chunks_.back();
  chunk.truths.push_back(static_cast<std::int32_t>(truth));
  chunk.decisions.push_back(static_cast<std::int32_t>(decision));
  chunk.weights.push_back(weight);
  chunk.posteriors.insert(chunk.posteriors.end(), posteriors.begin(), posteriors.end());
  ++rows_;
}

void KeptRows::merge(const KeptRows& other) {
  if (overflowed_) { return; }
  if (other.overflowed_ || (rows_ + other.rows_) * row_bytes() > most_bytes_) { return give_up(); }
  for (const Chunk& from : other.chunks_) {
    for (std::size_t done = 0; done < from.truths.size();) {
      if (chunks_.empty() || chunks_.back().truths.size() == kChunkRows) { chunks_.emplace_back(); }
      Chunk& to = chunks_.back();
      const std::size_t count = std::min(kChunkRows - to.truths.size(), from.truths.size() - done);
      append(to.truths, from.truths, done, count);
      append(to.decisions, from.decisions, done, count);
      append(to.weights, from.weights, done, count);
      append(to.posteriors, from.posteriors, done * classes_, count * classes_);
      done += count;
    }
  }
  rows_ += other.rows_;
}

}  // namespace logodds::measure
