// Sums by small whole numbers of which most are absent: the words of one class.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace logodds {

/// Open addressing. A key that is asked for is there from then on.
template <class Sum>
class KeyedSums {
 public:
  Sum& at(std::uint32_t key) {
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
    return slots_[at].sum;
  }
  /// 0 for a key that is not there.
  [[nodiscard]] Sum of(std::uint32_t key) const {
    if (slots_.empty()) { return 0; }
    std::size_t at = place(key);
    while (slots_[at].key_plus_1 != 0 && slots_[at].key_plus_1 != key + 1) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return slots_[at].key_plus_1 == 0 ? 0 : slots_[at].sum;
  }
  void prefetch(std::uint32_t key) const {
    if (!slots_.empty()) { __builtin_prefetch(&slots_[place(key)], 1); }
  }
  template <class Use>
  void each(const Use& use) const {
    for (const Slot& slot : slots_) {
      if (slot.key_plus_1 != 0) { use(slot.key_plus_1 - 1, static_cast<double>(slot.sum)); }
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint32_t key_plus_1 = 0;  ///< 0: empty
    Sum sum = 0;
  };
  [[nodiscard]] std::size_t place(std::uint32_t key) const {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15U >> shift_);
  }
  void grow() {
    constexpr std::size_t kFewest = 16;  // there may be as many tables as classes
    constexpr std::size_t kLarge = 4096;
    const std::size_t now = slots_.size();
    std::vector<Slot> old(now == 0 ? kFewest : (now < kLarge ? 4 : 2) * now);
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

/// Nearly always all that is added are whole numbers: their sums need half the memory, which is
/// most of what counting documents needs. They become doubles with the first value that is none, or
/// too large; up to there both are exact, so that they are the same.
class SparseSums {
 public:
  void add(std::uint32_t key, double value) {
    if (whole_ && count(key, value)) { return; }
    if (whole_) { become_real(); }
    sums_.at(key) += value;
  }
  /// Brings the place of a key from memory, ahead of add().
  void prefetch(std::uint32_t key) const { whole_ ? counts_.prefetch(key) : sums_.prefetch(key); }
  /// use(key, sum)
  template <class Use>
  void each(const Use& use) const {
    whole_ ? counts_.each(use) : sums_.each(use);
  }
  [[nodiscard]] std::size_t size() const { return whole_ ? counts_.size() : sums_.size(); }

 private:
  bool count(std::uint32_t key, double value) {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (!(value >= 0.0 && value <= kMost)) { return false; }
    const auto whole = static_cast<std::uint32_t>(value);
    if (static_cast<double>(whole) != value) { return false; }
    std::uint32_t& sum = counts_.at(key);
    if (whole > kMost - sum) { return false; }
    sum += whole;
    return true;
  }
  void become_real() {
    counts_.each([this](std::uint32_t key, double sum) { sums_.at(key) = sum; });
    counts_ = {};
    whole_ = false;
  }

  KeyedSums<std::uint32_t> counts_;
  KeyedSums<double> sums_;
  bool whole_ = true;
};

}  // namespace logodds
