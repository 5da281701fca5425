// Values to small codes, in the order of first appearance.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace logodds {

/// Open addressing over the words of a value: fields of a table are short, and there are many.
class Dictionary {
 public:
  Dictionary() = default;
  explicit Dictionary(const std::vector<std::string>& values) {
    for (const auto& value : values) { code(value); }
  }

  /// The code of `value`; a value not seen before gets the next code.
  std::int32_t code(std::string_view value) {
    if (2 * values_.size() >= slots_.size()) { grow(); }
    const std::uint64_t hash = hash_of(value);
    Slot& slot = slots_[place_of(value, hash)];
    if (slot.code < 0) {
      slot = {tag_of(hash), static_cast<std::int32_t>(values_.size())};
      values_.emplace_back(value);
    }
    return slot.code;
  }

  /// The code of `value`, or -1 when it is not in the dictionary.
  [[nodiscard]] std::int32_t find(std::string_view value) const {
    return slots_.empty() ? -1 : slots_[place_of(value, hash_of(value))].code;
  }

  [[nodiscard]] const std::vector<std::string>& values() const { return values_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  void clear() {
    slots_.assign(slots_.size(), Slot{});
    values_.clear();
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;   ///< upper half of the hash: most other values differ in it
    std::int32_t code = -1;  ///< -1: nothing is here
  };

  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 32U);
  }

  template <class Word>
  static std::uint64_t load(const char* from) {
    Word word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
  }

  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;  // the golden ratio
    return hash ^ std::rotl(hash, 32);
  }

  /// Words that overlap cover any length.
  static std::uint64_t hash_of(std::string_view value) {
    const char* const from = value.data();
    const std::size_t size = value.size();
    std::uint64_t hash = size * 0xC2B2AE3D27D4EB4FU;
    if (size >= 8) {
      for (std::size_t i = 0; i + 8 < size; i += 8) {
        hash = mixed(hash, load<std::uint64_t>(from + i));
      }
      return mixed(hash, load<std::uint64_t>(from + size - 8));
    }
    if (size >= 4) {
      return mixed(hash, load<std::uint32_t>(from) | load<std::uint32_t>(from + size - 4) << 32U);
    }
    if (size == 0) { return hash; }
    return mixed(hash, load<std::uint8_t>(from) | load<std::uint8_t>(from + size / 2) << 8U |
                           load<std::uint8_t>(from + size - 1) << 16U);
  }

  /// Where the value is, or where it would be.
  [[nodiscard]] std::size_t place_of(std::string_view value, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.code < 0) { return at; }
      if (slot.tag == tag_of(hash) && values_[static_cast<std::size_t>(slot.code)] == value) {
        return at;
      }
    }
  }

  void grow() {
    constexpr std::size_t kFewest = 16;
    slots_.assign(slots_.empty() ? kFewest : 2 * slots_.size(), Slot{});
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::uint64_t hash = hash_of(values_[i]);
      slots_[place_of(values_[i], hash)] = {tag_of(hash), static_cast<std::int32_t>(i)};
    }
  }

  std::vector<Slot> slots_;  ///< a power of two, at most half of them taken
  std::vector<std::string> values_;
};

}  // namespace logodds
