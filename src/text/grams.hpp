// Runs of n words, with a space between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "text/padding.hpp"

namespace logodds::text {

/// The last words stand joined in one buffer, so that every n-gram is a part of it.
class Grams {
 public:
  Grams(std::size_t shortest, std::size_t longest)
      : shortest_(std::max<std::size_t>(shortest, 1)), longest_(std::max(longest, shortest_)) {}

  void clear() {
    starts_.clear();
    end_ = 0;
  }
  /// Calls use(std::string_view) with every n-gram that the word, which must be padded, ends.
  template <class Use>
  void add(std::string_view word, const Use& use) {
    append(word);
    const std::size_t most = std::min(longest_, starts_.size());
    for (std::size_t n = shortest_; n <= most; ++n) {
      const std::size_t begin = starts_[starts_.size() - n];
      if (end_ - begin > kLongestTerm) {
        too_long_ += most - n + 1;
        return;
      }
      use(std::string_view(joined_.data() + begin, end_ - begin));
    }
  }

  [[nodiscard]] std::size_t too_long() const { return too_long_; }

 private:
  void append(std::string_view word) {
    if (end_ + 1 + word.size() + kPadding > joined_.size()) { make_room(word.size()); }
    if (!starts_.empty()) { joined_[end_++] = ' '; }
    starts_.push_back(end_);
    char* const to = joined_.data() + end_;
    std::memcpy(to, word.data(), kPadding);
    if (word.size() > kPadding) { std::memcpy(to, word.data(), word.size()); }
    end_ += word.size();
  }
  /// Forgets the words that no further n-gram has.
  void make_room(std::size_t bytes);

  std::size_t shortest_;
  std::size_t longest_;
  std::vector<char> joined_;
  std::vector<std::size_t> starts_;
  std::size_t end_ = 0;
  std::size_t too_long_ = 0;
};

}  // namespace logodds::text
