// Runs of n characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "text/padding.hpp"

namespace logodds::text {

/// Characters are gathered and their n-grams then made of many at a time.
class CharacterGrams {
 public:
  CharacterGrams(std::size_t shortest, std::size_t longest)
      : shortest_(std::max<std::size_t>(shortest, 1)), longest_(std::max(longest, shortest_)) {}

  void clear() {
    starts_.resize(longest_ + kBatch);
    bytes_.resize(kLongestCharacter * starts_.size() + kPadding);
    count_ = done_ = end_ = 0;
  }
  /// `character` points to its bytes, at least kLongestCharacter of them readable.
  template <class Use>
  void add(const char* character, std::size_t size, const Use& use) {
    if (count_ + 1 == starts_.size()) { flush(use); }
    std::memcpy(bytes_.data() + end_, character, kLongestCharacter);
    starts_[count_++] = end_;
    end_ += static_cast<std::uint32_t>(size);
  }
  /// Calls use(std::string_view) with the n-grams that the characters since the last time end, by
  /// their last character.
  template <class Use>
  void flush(const Use& use) {
    starts_[count_] = end_;
    for (std::size_t last = done_; last < count_; ++last) {
      const std::uint32_t end = starts_[last + 1];
      const std::size_t most = std::min(longest_, last + 1);
      for (std::size_t n = shortest_; n <= most; ++n) {
        const std::uint32_t begin = starts_[last + 1 - n];
        if (end - begin > kLongestTerm) {
          too_long_ += most - n + 1;
          break;
        }
        use(std::string_view(bytes_.data() + begin, end - begin));
      }
    }
    keep_last();
  }
  /// flush() behind a word, whose n-grams are not to go on: if it is shorter than the shortest, it
  /// counts once, as it is.
  template <class Use>
  void finish_word(const Use& use) {
    if (count_ < shortest_) {
      use(std::string_view(bytes_.data(), end_));
    } else {
      flush(use);
    }
    count_ = done_ = end_ = 0;
  }

  [[nodiscard]] std::size_t too_long() const { return too_long_; }

 private:
  static constexpr std::size_t kBatch = 4096;
  static constexpr std::size_t kLongestCharacter = 4;

  /// The characters that n-grams of later ones begin with.
  void keep_last();

  std::size_t shortest_;
  std::size_t longest_;
  std::vector<char> bytes_;
  std::vector<std::uint32_t> starts_;  ///< of the characters, and behind the last
  std::size_t count_ = 0;              ///< characters
  std::size_t done_ = 0;               ///< those whose n-grams were made
  std::uint32_t end_ = 0;
  std::size_t too_long_ = 0;
};

}  // namespace logodds::text
