// Sums by small whole numbers of which most are absent: the words of one class.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace logodds {

class SparseSums {
 public:
  struct Slot {
    std::uint32_t key_plus_1 = 0;  ///< 0: empty
    double sum = 0.0;
  };

  void add(std::uint32_t key, double value) {
    if (4 * (size_ + 1) > 3 * slots_.size()) { grow(); }
    std::size_t at = place(key);
    while (slots_[at].key_plus_1 != key + 1) {
      if (slots_[at].key_plus_1 == 0) {
        slots_[at].key_plus_1 = key + 1;
        ++size_;
        break;
      }
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at].sum += value;
  }
  /// Brings the place of a key from memory, ahead of add().
  void prefetch(std::uint32_t key) const {
    if (!slots_.empty()) { __builtin_prefetch(&slots_[place(key)], 1); }
  }
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  [[nodiscard]] std::size_t place(std::uint32_t key) const {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15U >> shift_);
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 256 : 2 * slots_.size());
    old.swap(slots_);
    shift_ = 64 - static_cast<unsigned>(std::bit_width(slots_.size() - 1));
    for (const Slot& slot : old) {
      if (slot.key_plus_1 == 0) { continue; }
      std::size_t at = place(slot.key_plus_1 - 1);
      while (slots_[at].key_plus_1 != 0) { at = (at + 1) & (slots_.size() - 1); }
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  unsigned shift_ = 64;
};

}  // namespace logodds
