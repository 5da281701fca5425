#include "data/csv_index.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>

namespace logodds::csv {
namespace {

constexpr std::size_t kStep = 64;

struct StepBits {
  std::uint64_t separators = 0;
  std::uint64_t quotes = 0;
};

// One bit a byte, for the up to 64 bytes at `from`.
StepBits look_at_plain(const char* from, std::size_t bytes, char delimiter) {
  StepBits bits;
  for (std::size_t i = 0; i < bytes; ++i) {
    const bool separates = from[i] == delimiter || from[i] == '\n';
    bits.separators |= static_cast<std::uint64_t>(separates) << i;
    bits.quotes |= static_cast<std::uint64_t>(from[i] == '"') << i;
  }
  return bits;
}

#ifdef __SSE2__  // part of every x86-64 processor, so there is nothing to choose at run time
StepBits look_at(const char* from, char delimiter) {
  const __m128i delimiters = _mm_set1_epi8(delimiter);
  const __m128i feeds = _mm_set1_epi8('\n');
  const __m128i quotes = _mm_set1_epi8('"');
  const auto mask = [](__m128i matches) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(matches)));
  };
  StepBits bits;
  for (unsigned i = 0; i < kStep; i += sizeof(__m128i)) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    const __m128i separates =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiters), _mm_cmpeq_epi8(bytes, feeds));
    bits.separators |= mask(separates) << i;
    bits.quotes |= mask(_mm_cmpeq_epi8(bytes, quotes)) << i;
  }
  return bits;
}
#else
StepBits look_at(const char* from, char delimiter) { return look_at_plain(from, kStep, delimiter); }
#endif

// Bit i becomes the parity of bits 0 to i: 1 from an opening quote to just before its closing one.
std::uint64_t running_parity(std::uint64_t bits) {
  for (unsigned shift = 1; shift < kStep; shift *= 2) { bits ^= bits << shift; }
  return bits;
}

// Writes eight offsets at once, because a branch for each would often be guessed wrongly; those
// past the last bit are rubbish that the next step overwrites.
std::size_t append_offsets(std::uint64_t bits, std::size_t base, std::uint32_t* to) {
  const auto count = static_cast<std::size_t>(std::popcount(bits));
  for (std::size_t written = 0; written < count; written += 8) {
    for (std::size_t i = written; i < written + 8; ++i) {
      to[i] = static_cast<std::uint32_t>(base + static_cast<std::size_t>(std::countr_zero(bits)));
      bits &= bits - 1;
    }
  }
  return count;
}

}  // namespace

std::size_t index_separators(std::string_view text, char delimiter,
                             std::vector<std::uint32_t>& offsets, bool quotes) {
  std::uint64_t inside = 0;  // all ones while a quote is open
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += kStep) {
    const char* const from = text.data() + at;
    const std::size_t left = text.size() - at;
    StepBits bits = left < kStep ? look_at_plain(from, left, delimiter) : look_at(from, delimiter);
    if (quotes && (bits.quotes | inside) != 0) {
      const std::uint64_t quoted = running_parity(bits.quotes) ^ inside;
      bits.separators &= ~quoted;
      inside = std::uint64_t{0} - (quoted >> (kStep - 1));
    }
    if (bits.separators == 0) { continue; }
    if (count + kStep > offsets.size()) { offsets.resize(2 * offsets.size() + 2 * kStep); }
    count += append_offsets(bits.separators, at, offsets.data() + count);
  }
  return count;
}

}  // namespace logodds::csv
