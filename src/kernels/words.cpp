// Words of ASCII text, 64 bytes at a time.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/words.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::fold_ascii;

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::uint8_t, 64> kBytes;
using Bytes = hn::Vec<decltype(kBytes)>;
constexpr std::size_t kGroup = 64;

/// Bit i: byte i of the group is a word character; not ASCII.
struct GroupBits {
  std::uint64_t words;
  std::uint64_t foreign;
};

HWY_INLINE std::uint64_t bits_of(hn::Mask<decltype(kBytes)> mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(kBytes, mask, bits);
  std::uint64_t word = 0;
  std::memcpy(&word, bits, sizeof(word));
  return word;
}

/// Bytes from `first` to first + span; the comparison of unsigned bytes that every target has.
HWY_INLINE hn::Mask<decltype(kBytes)> within(Bytes bytes, std::uint8_t first, std::uint8_t span) {
  const Bytes above = hn::Sub(bytes, hn::Set(kBytes, first));
  return hn::Eq(hn::Min(above, hn::Set(kBytes, span)), above);
}

template <bool Lower>
HWY_INLINE GroupBits fold_group(const char* bytes, char* folded) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes);
  auto* to = reinterpret_cast<std::uint8_t*>(folded);
  const Bytes case_bit = hn::Set(kBytes, 0x20);
  GroupBits bits{0, 0};
  for (std::size_t i = 0; i < kGroup; i += hn::Lanes(kBytes)) {
    const Bytes raw = hn::LoadU(kBytes, from + i);
    const Bytes small = hn::Or(raw, case_bit);
    const auto letter = within(small, 'a', 25);
    const auto other = hn::Or(within(raw, '0', 9), hn::Eq(raw, hn::Set(kBytes, '_')));
    hn::StoreU(Lower ? hn::IfThenElse(letter, small, raw) : raw, kBytes, to + i);
    bits.words |= bits_of(hn::Or(letter, other)) << i;
    const hn::RebindToSigned<decltype(kBytes)> kSigned;
    const auto foreign = hn::Lt(hn::BitCast(kSigned, raw), hn::Zero(kSigned));
    bits.foreign |= bits_of(hn::RebindMask(kBytes, foreign)) << i;
  }
  return bits;
}

/// Up to the first byte that is not ASCII, at most `n` <= kGroup.
HWY_INLINE std::size_t keep(GroupBits bits, std::size_t n, std::uint64_t* words, std::size_t at) {
  const std::size_t ascii = static_cast<std::size_t>(std::countr_zero(bits.foreign));
  if (ascii < kGroup) { bits.words &= (std::uint64_t{1} << ascii) - 1; }
  const std::size_t shift = at % kGroup;
  words[at / kGroup] |= bits.words << shift;
  words[at / kGroup + 1] = bits.words >> 1U >> (kGroup - 1 - shift);
  return std::min(ascii, n);
}

template <bool Lower>
HWY_INLINE std::size_t fold(const char* bytes, std::size_t n, char* folded, std::uint64_t* words,
                            std::size_t at) {
  std::size_t done = 0;
  for (; n - done >= kGroup; done += kGroup) {
    const GroupBits bits = fold_group<Lower>(bytes + done, folded + at + done);
    const std::size_t kept = keep(bits, kGroup, words, at + done);
    if (kept < kGroup) { return done + kept; }
  }
  if (done == n) { return n; }
  char rest[kGroup] = {};
  std::memcpy(rest, bytes + done, n - done);
  return done + keep(fold_group<Lower>(rest, folded + at + done), n - done, words, at + done);
}

std::size_t fold_ascii(const char* bytes, std::size_t n, bool lower, char* folded,
                       std::uint64_t* words, std::size_t at) {
  return lower ? fold<true>(bytes, n, folded, words, at) : fold<false>(bytes, n, folded, words, at);
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(fold_ascii);

std::size_t fold_ascii(const char* bytes, std::size_t n, bool lower, char* folded,
                       std::uint64_t* words, std::size_t at) {
  return HWY_DYNAMIC_DISPATCH(fold_ascii)(bytes, n, lower, folded, words, at);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
