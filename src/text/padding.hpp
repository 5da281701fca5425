// Bounds that every term keeps.
#pragma once

#include <cstddef>

namespace logodds::text {

/// Bytes that may be read behind every term (they mean nothing), so that terms are compared by
/// whole machine words.
inline constexpr std::size_t kPadding = 16;
/// Longer words are no words: they are left out and counted.
inline constexpr std::size_t kLongestTerm = 65535;

}  // namespace logodds::text
