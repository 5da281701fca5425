// Bounds that every term keeps.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace logodds::text {

/// Bytes that may be read behind every term (they mean nothing), so that terms are compared by
/// whole machine words.
inline constexpr std::size_t kPadding = 16;
/// Longer words are no words: they are left out and counted.
inline constexpr std::size_t kLongestTerm = 65535;

/// A copy of a term that may be read beyond its end, with memory that is used again.
class PaddedTerm {
 public:
  std::string_view of(std::string_view term) {
    bytes_.assign(term).append(kPadding, '\0');
    return view();
  }
  /// "FIRST SECOND"
  std::string_view of(std::string_view first, std::string_view second) {
    bytes_.assign(first).append(1, ' ').append(second).append(kPadding, '\0');
    return view();
  }
  /// The last one; of() must have been called.
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), bytes_.size() - kPadding}; }

 private:
  std::string bytes_;
};

}  // namespace logodds::text
