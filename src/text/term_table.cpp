#include "text/term_table.hpp"

#include <algorithm>

#include "logodds/error.hpp"

namespace logodds::text {

/// A longer term is known by its hash and its bytes. The last words overlap.
TermTable::Key TermTable::long_key(std::string_view term) {
  std::uint64_t hash = term.size();
  const char* at = term.data();
  const char* const last = at + term.size() - kShort;
  for (; at < last; at += kShort) { hash = mixed(load(at) ^ hash, load(at + 8)); }
  hash = mixed(load(last) ^ hash, load(last + 8));
  return {hash, 0, hash, static_cast<std::uint32_t>(term.size())};
}

void TermTable::occupy(Slot& slot, const Key& key) {
  constexpr std::size_t kMost = 0xFFFFFFFE;
  if (size_ == kMost) {
    throw Error(ErrorCode::numeric,
                "there are more than 4 billion different terms; bound them with --max-vocabulary "
                "or --hash-bits");
  }
  slot.low = key.low;
  slot.high = key.high;
  slot.length = key.length;
  slot.number_plus_1 = static_cast<std::uint32_t>(++size_);
  slot.document = slot.count = 0;
}

void TermTable::grow() {
  constexpr std::size_t kLarge = std::size_t{1} << 16U;
  resize((slots_.size() < kLarge ? 4 : 2) * slots_.size());
}

void TermTable::reserve(std::size_t terms) {
  const std::size_t slots = std::bit_ceil(2 * terms + 2);
  if (slots > slots_.size()) { resize(slots); }
}

void TermTable::prepare(std::size_t terms, std::size_t long_bytes) {
  reserve(terms);
  size_ = terms;
  long_terms_.resize(long_bytes);
}

void TermTable::resize(std::size_t slots) {
  Slots old(slots);
  old.swap(slots_);
  shift_ = 64 - static_cast<unsigned>(std::bit_width(slots - 1));
  const auto move = [&](std::size_t first, std::size_t last) {
    for (const Slot& slot : old) {
      if (slot.number_plus_1 <= first || slot.number_plus_1 > last) { continue; }
      std::size_t at = home(hash_of(slot));
      while (slots_[at].number_plus_1 != 0) { at = (at + 1) & (slots - 1); }
      slots_[at] = slot;
    }
  };
  // The first to come are mostly the most frequent: they get the slots they are looked for in.
  const std::size_t early = size_ / 8;
  move(0, early);
  move(early, size_);
}

std::vector<std::string> TermTable::terms() const {
  std::vector<std::string> terms(size_);
  for (const Slot& slot : slots_) {
    if (slot.number_plus_1 != 0) { terms[slot.number()] = bytes(slot); }
  }
  return terms;
}

void TermTable::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot{});
  size_ = 0;
  long_terms_.clear();
}

}  // namespace logodds::text
