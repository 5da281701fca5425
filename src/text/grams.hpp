// Runs of n neighbors: words with a space between them, or characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "text/padding.hpp"

namespace logodds::text {

/// The last parts stand joined in one buffer, so that every n-gram is a part of it.
class Grams {
 public:
  Grams(std::size_t shortest, std::size_t longest, std::string_view separator)
      : shortest_(std::max<std::size_t>(shortest, 1)), longest_(longest), separator_(separator) {}

  void clear() {
    starts_.clear();
    end_ = 0;
  }
  /// Parts since clear(), as far as they are needed.
  [[nodiscard]] std::size_t parts() const { return starts_.size(); }
  [[nodiscard]] std::size_t shortest() const { return shortest_; }
  /// Everything since clear(), when there are not more parts than the longest n-gram has.
  [[nodiscard]] std::string_view all() const { return {joined_.data(), end_}; }

  /// Calls use(std::string_view) with every n-gram that the part, which must be padded, ends.
  template <class Use>
  void add(std::string_view part, const Use& use) {
    append(part);
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
  void append(std::string_view part) {
    if (end_ + separator_.size() + part.size() + kPadding > joined_.size()) {
      make_room(part.size());
    }
    if (!starts_.empty()) {
      std::memcpy(joined_.data() + end_, separator_.data(), separator_.size());
      end_ += separator_.size();
    }
    starts_.push_back(end_);
    char* const to = joined_.data() + end_;
    std::memcpy(to, part.data(), kPadding);
    if (part.size() > kPadding) { std::memcpy(to, part.data(), part.size()); }
    end_ += part.size();
  }
  /// Forgets the parts that no further n-gram has.
  void make_room(std::size_t bytes);

  std::size_t shortest_;
  std::size_t longest_;
  std::string_view separator_;
  std::vector<char> joined_;
  std::vector<std::size_t> starts_;
  std::size_t end_ = 0;
  std::size_t too_long_ = 0;
};

}  // namespace logodds::text
