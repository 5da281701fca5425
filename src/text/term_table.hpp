// Terms to numbers, in the order of first appearance: the hash table that every word of every
// document goes through.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "memory/large_array.hpp"

namespace logodds::text {

/// Open addressing. A slot holds a term of up to 16 bytes itself, and what is being counted of it
/// in the present document, so that a word costs one cache line. Terms that are looked up must be
/// readable to kPadding bytes behind their end.
class TermTable {
 public:
  struct Slot {
    std::uint64_t low = 0;   ///< the first bytes; of a longer term its hash
    std::uint64_t high = 0;  ///< the next bytes; of a longer term where it stands in `long_terms_`
    std::uint32_t length = 0;
    std::uint32_t number_plus_1 = 0;  ///< 0: an empty slot
    std::uint32_t document = 0;       ///< free for the user: the last document that has it
    std::uint32_t count = 0;          ///< free for the user: its place in a list, say
    [[nodiscard]] std::uint32_t number() const { return number_plus_1 - 1; }
  };

  TermTable() : slots_(kFewest) {}

  [[nodiscard]] std::size_t size() const { return size_; }

  /// The slot of a term; a term not seen before gets the next number. Valid until the next call.
  Slot& insert(std::string_view term) {
    const Key key = key_of(term);
    if (term.size() <= kShort) { return insert(key); }
    std::size_t at = place_long(key, term);
    if (slots_[at].number_plus_1 == 0) {
      if (make_room()) { at = place_long(key, term); }
      occupy(slots_[at], key);
      slots_[at].high = long_terms_.size();
      long_terms_ += term;
    }
    return slots_[at];
  }

  /// What a short term is looked up by, once its slot has come from memory: a few terms are hashed
  /// and prefetched before the first of them is looked up.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint64_t hash = 0;
    std::uint32_t length = 0;
  };
  /// The longest term that has a key of its own.
  static constexpr std::size_t kShort = 16;
  [[nodiscard]] static Key short_key(std::string_view term) { return key_of(term); }
  void prefetch(const Key& key) const { __builtin_prefetch(&slots_[home(key.hash)]); }
  Slot& insert(const Key& key) {
    std::size_t at = place_short(key);
    if (slots_[at].number_plus_1 == 0) {
      if (make_room()) { at = place_short(key); }
      occupy(slots_[at], key);
    }
    return slots_[at];
  }

  /// An empty slot when the term is not there.
  [[nodiscard]] const Slot& slot_of(const Key& key) const { return slots_[place_short(key)]; }
  /// Null when the term is not there.
  [[nodiscard]] const Slot* find(const Key& key) const { return used(slots_[place_short(key)]); }
  [[nodiscard]] const Slot* find(std::string_view term) const {
    const Key key = key_of(term);
    return used(slots_[term.size() <= kShort ? place_short(key) : place_long(key, term)]);
  }

  /// All terms by number. Of short ones the bytes are copied, so this is a pass over the table.
  [[nodiscard]] std::vector<std::string> terms() const;
  /// Bytes of the term in a slot, which must not be empty.
  [[nodiscard]] std::string_view bytes(const Slot& slot) const {
    if (slot.length > kShort) { return long_bytes(slot.high, slot.length); }
    static_assert(std::endian::native == std::endian::little);
    return {reinterpret_cast<const char*>(&slot.low), slot.length};
  }
  /// Of a term of more than kShort bytes; `place`: Slot::high.
  [[nodiscard]] std::string_view long_bytes(std::uint64_t place, std::uint32_t length) const {
    return {long_terms_.data() + place, length};
  }
  using Slots = memory::LargeArray<Slot>;
  [[nodiscard]] const Slots& slots() const { return slots_; }
  [[nodiscard]] Slots& slots() { return slots_; }

  /// Room for so many terms, all different and numbered from 0 on, of which those of more than
  /// kShort bytes have `long_bytes` together. Then place() puts each, in any order and in many
  /// threads at once; `long_at`: where a long one stands among the long ones.
  void prepare(std::size_t terms, std::size_t long_bytes);
  Slot& place(std::string_view term, const Key& key, std::uint32_t number, std::size_t long_at) {
    Slot& slot = claim(key.hash, number);
    slot.low = key.low;
    slot.high = key.high;
    slot.length = key.length;
    if (term.size() > kShort) {
      slot.high = long_at;
      term.copy(long_terms_.data() + long_at, term.size());
    }
    return slot;
  }
  [[nodiscard]] static Key key(std::string_view term) { return key_of(term); }

  /// Forgets every term, but not the memory.
  void clear();
  /// Gives the memory of the slots back; of all that is here, only long_bytes() can be called then.
  void release_slots() { slots_ = {}; }
  /// Room for so many terms.
  void reserve(std::size_t terms);

 private:
  static constexpr std::size_t kFewest = 1024;

  static std::uint64_t load(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    return word;
  }
  /// By the length of a term, the bytes of its two words that belong to it: lengths come in no
  /// order that a processor could foresee, so that loading costs less than branching.
  static constexpr auto kMasks = [] {
    std::array<std::array<std::uint64_t, 2>, kShort + 1> masks{};
    for (std::size_t byte = 0; byte < kShort; ++byte) {
      for (std::size_t length = byte + 1; length <= kShort; ++length) {
        masks[length][byte / 8] |= std::uint64_t{0xFF} << 8 * (byte % 8);
      }
    }
    return masks;
  }();
  static std::uint64_t mixed(std::uint64_t low, std::uint64_t high) {
    std::uint64_t hash = low * 0x9E3779B97F4A7C15U + high * 0xD6E8FEB86659FD93U;
    hash ^= hash >> 32U;
    return hash * 0xA0761D6478BD642FU;
  }
  static Key key_of(std::string_view term) {
    if (term.size() > kShort) { return long_key(term); }
    const auto& mask = kMasks[term.size()];
    Key key{load(term.data()) & mask[0], load(term.data() + 8) & mask[1], 0,
            static_cast<std::uint32_t>(term.size())};
    key.hash = mixed(key.low, key.high);
    return key;
  }
  static Key long_key(std::string_view term);

  /// Where a term is looked for first.
  [[nodiscard]] std::size_t home(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash >> shift_);
  }
  [[nodiscard]] static const Slot* used(const Slot& slot) {
    return slot.number_plus_1 == 0 ? nullptr : &slot;
  }
  /// Where the term is that `holds` knows, or the empty slot where it belongs.
  template <class Holds>
  [[nodiscard]] std::size_t place(std::uint64_t hash, const Holds& holds) const {
    std::size_t at = home(hash);
    while (!holds(slots_[at]) && slots_[at].number_plus_1 != 0) {  // mostly the first slot has it
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }
  [[nodiscard]] std::size_t place_short(const Key& key) const {
    return place(key.hash, [&](const Slot& slot) {
      return ((slot.low ^ key.low) | (slot.high ^ key.high) | (slot.length ^ key.length)) == 0;
    });
  }
  [[nodiscard]] std::size_t place_long(const Key& key, std::string_view term) const {
    return place(key.hash, [&](const Slot& slot) {
      return slot.low == key.low && slot.length == key.length && bytes(slot) == term;
    });
  }
  /// Before one more term comes; true when the slots have moved.
  bool make_room() {
    if (4 * (size_ + 1) <= 3 * slots_.size()) { return false; }
    grow();
    return true;
  }
  /// The first empty slot from the place of the hash on, which now is that of the number.
  Slot& claim(std::uint64_t hash, std::uint32_t number) {
    std::size_t at = home(hash);
    while (true) {
      const std::atomic_ref mark(slots_[at].number_plus_1);
      std::uint32_t empty = 0;
      if (mark.load(std::memory_order_relaxed) == 0 &&
          mark.compare_exchange_strong(empty, number + 1, std::memory_order_relaxed)) {
        return slots_[at];
      }
      at = (at + 1) & (slots_.size() - 1);
    }
  }
  void occupy(Slot& slot, const Key& key);
  void grow();
  void resize(std::size_t slots);
  [[nodiscard]] std::uint64_t hash_of(const Slot& slot) const {
    return slot.length > kShort ? slot.low : mixed(slot.low, slot.high);
  }

  Slots slots_;
  unsigned shift_ = 64 - std::bit_width(kFewest - 1);
  std::size_t size_ = 0;
  std::string long_terms_;
};

}  // namespace logodds::text
