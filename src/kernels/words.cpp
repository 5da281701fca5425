// Words, or what stands between white space, of ASCII text, 64 bytes at a time.
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

/// Bit i: byte i of the group is marked; is not ASCII.
struct GroupBits {
  std::uint64_t marks;
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

/// `letters` is known already.
template <Marks Kind>
HWY_INLINE hn::Mask<decltype(kBytes)> marked(Bytes raw, hn::Mask<decltype(kBytes)> letters) {
  if constexpr (Kind == Marks::words) {
    const auto digits = within(raw, '0', 9);
    return hn::Or(letters, hn::Or(digits, hn::Eq(raw, hn::Set(kBytes, '_'))));
  } else {
    return hn::Not(hn::Or(within(raw, '\t', '\r' - '\t'), within(raw, 0x1C, ' ' - 0x1C)));
  }
}

template <bool Lower, Marks Kind>
HWY_INLINE GroupBits fold_group(const char* bytes, char* folded) {
  const hn::RebindToSigned<decltype(kBytes)> kSigned;
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes);
  auto* to = reinterpret_cast<std::uint8_t*>(folded);
  GroupBits bits{0, 0};
  for (std::size_t i = 0; i < kGroup; i += hn::Lanes(kBytes)) {
    const Bytes raw = hn::LoadU(kBytes, from + i);
    const Bytes small = hn::Or(raw, hn::Set(kBytes, 0x20));
    const auto letters = within(small, 'a', 25);
    hn::StoreU(Lower ? hn::IfThenElse(letters, small, raw) : raw, kBytes, to + i);
    const auto foreign = hn::Lt(hn::BitCast(kSigned, raw), hn::Zero(kSigned));
    bits.marks |= bits_of(marked<Kind>(raw, letters)) << i;
    bits.foreign |= bits_of(hn::RebindMask(kBytes, foreign)) << i;
  }
  return bits;
}

/// Up to the first byte that is not ASCII, at most `n` <= kGroup.
HWY_INLINE std::size_t keep(GroupBits bits, std::size_t n, std::uint64_t* marks, std::size_t at) {
  const std::size_t kept = std::min(static_cast<std::size_t>(std::countr_zero(bits.foreign)), n);
  if (kept < kGroup) { bits.marks &= (std::uint64_t{1} << kept) - 1; }
  const std::size_t shift = at % kGroup;
  marks[at / kGroup] |= bits.marks << shift;
  marks[at / kGroup + 1] = bits.marks >> 1U >> (kGroup - 1 - shift);
  return kept;
}

template <bool Lower, Marks Kind>
HWY_INLINE std::size_t fold(const char* bytes, std::size_t n, char* folded, std::uint64_t* marks,
                            std::size_t at) {
  std::size_t done = 0;
  for (; n - done >= kGroup; done += kGroup) {
    const GroupBits bits = fold_group<Lower, Kind>(bytes + done, folded + at + done);
    const std::size_t kept = keep(bits, kGroup, marks, at + done);
    if (kept < kGroup) { return done + kept; }
  }
  if (done == n) { return n; }
  char rest[kGroup] = {};
  std::memcpy(rest, bytes + done, n - done);
  return done + keep(fold_group<Lower, Kind>(rest, folded + at + done), n - done, marks, at + done);
}

std::size_t fold_ascii(const char* bytes, std::size_t n, bool lower, Marks kind, char* folded,
                       std::uint64_t* marks, std::size_t at) {
  if (kind == Marks::words) {
    return lower ? fold<true, Marks::words>(bytes, n, folded, marks, at)
                 : fold<false, Marks::words>(bytes, n, folded, marks, at);
  }
  return lower ? fold<true, Marks::items>(bytes, n, folded, marks, at)
               : fold<false, Marks::items>(bytes, n, folded, marks, at);
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(fold_ascii);

std::size_t fold_ascii(const char* bytes, std::size_t n, bool lower, Marks kind, char* folded,
                       std::uint64_t* marks, std::size_t at) {
  return HWY_DYNAMIC_DISPATCH(fold_ascii)(bytes, n, lower, kind, folded, marks, at);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
