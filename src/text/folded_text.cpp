#include "text/folded_text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/kernels.hpp"
#include "text/padding.hpp"
#include "text/unicode.hpp"

namespace logodds::text {
namespace {

/// Bytes of the document in a piece: the piece, its copy and its bits stay in the fastest cache.
constexpr std::size_t kPiece = 16384;
/// A byte that is not UTF-8 becomes the three of U+FFFD; nothing grows more.
constexpr std::size_t kGrowth = 3;
/// Bytes that kernels and encode() may write behind the end, and that terms are padded with.
constexpr std::size_t kSlack = 64 + kPadding;
constexpr std::size_t kRoom = kLongestTerm + kGrowth * (kPiece + 4) + kSlack;
/// ASCII characters in a row after which the vector kernel pays again.
constexpr std::size_t kPatience = 4;

/// Appends characters and their bits.
struct Writer {
  char* bytes;
  std::uint64_t* marks;
  std::size_t size;

  void append(std::uint32_t code, bool mark) {
    const std::size_t length = encode(code, bytes + size);
    const std::uint64_t bits = mark ? (std::uint64_t{1} << length) - 1 : 0;
    marks[size / 64] |= bits << size % 64;
    marks[size / 64 + 1] = bits >> 1U >> (63 - size % 64);
    size += length;
  }
};

/// The two characters whose lower case is more than another character. `at`: where it stands. The
/// writer comes and goes by value, so that the loop keeps it in registers. The combining dot is no
/// word character.
Writer with_special(Writer out, std::uint32_t code, std::string_view document, std::size_t at,
                    bool items) {
  if (code == kCapitalSigma) {
    out.append(lower_sigma(document, at, at + 2), true);
  } else {
    out.append('i', true);
    out.append(kCombiningDot, items);
  }
  return out;
}

static_assert(kGrowth * (kPiece + 4) < kLongestTerm, "only a run broken off can be too long");

}  // namespace

FoldedText::FoldedText(bool lower, kernels::Marks kind, bool whole_runs)
    : lower_(lower),
      whole_runs_(whole_runs),
      kind_(kind),
      bytes_(std::make_unique_for_overwrite<char[]>(kRoom)),
      marks_(std::make_unique_for_overwrite<std::uint64_t[]>(kRoom / 64 + 3)) {}

void FoldedText::start(std::string_view document) {
  document_ = document;
  at_ = size_ = whole_ = 0;
  dropping_ = false;
}

bool FoldedText::next_piece() {
  if (at_ == document_.size()) { return false; }
  keep_last_run();
  const bool within_run = dropping_ || size_ > 0;
  fold(std::min(at_ + kPiece, document_.size()));
  if (within_run) { drop_long_run(); }
  whole_ = at_ == document_.size() || !whole_runs_ ? size_ : begin_of_last_run();
  std::memset(bytes_.get() + size_, 0, kPadding);
  return true;
}

void FoldedText::keep_last_run() {
  size_ -= whole_;
  std::memmove(bytes_.get(), bytes_.get() + whole_, size_);
  const std::size_t last = size_ / 64;
  std::fill_n(marks_.get(), last, ~std::uint64_t{0});
  marks_[last] = (std::uint64_t{1} << size_ % 64) - 1;
  marks_[last + 1] = 0;
}

void FoldedText::fold(std::size_t end) {
  while (at_ < end) {
    const std::size_t ascii = kernels::fold_ascii(document_.data() + at_, end - at_, lower_, kind_,
                                                  bytes_.get(), marks_.get(), size_);
    at_ += ascii;
    size_ += ascii;
    fold_foreign(end);
  }
}

/// One character at a time, until there are only ASCII characters for a while.
void FoldedText::fold_foreign(std::size_t end) {
  Writer out{bytes_.get(), marks_.get(), size_};
  std::size_t at = at_;
  const bool items = kind_ == kernels::Marks::items;
  for (std::size_t patience = kPatience; at < end && patience > 0; --patience) {
    const Character character = decode(document_.data() + at, document_.size() - at);
    if (character.code >= 0x80) { patience = kPatience; }
    const CharacterKind kind = kind_of(character.code);
    if (!character.valid) { ++bad_characters_; }
    if (lower_ && kind.special()) {
      out = with_special(out, character.code, document_, at, items);
    } else {
      const std::uint32_t step = lower_ ? static_cast<std::uint32_t>(kind.to_lower) : 0;
      out.append(character.code + step, items ? !kind.space() : kind.word());
    }
    at += character.bytes;
  }
  at_ = at;
  size_ = out.size;
}

/// The run at the beginning of the piece, if it is too long or the rest of one.
void FoldedText::drop_long_run() {
  std::size_t group = 0;
  while (marks_[group] == ~std::uint64_t{0}) { ++group; }
  const auto ones = static_cast<std::size_t>(std::countr_one(marks_[group]));
  const std::size_t end = 64 * group + ones;
  if (!dropping_ && end <= kLongestTerm) { return; }
  runs_too_long_ += dropping_ ? 0 : 1;
  dropping_ = end == size_;
  std::fill_n(marks_.get(), group, 0);
  marks_[group] &= ~((std::uint64_t{1} << ones) - 1);
}

std::size_t FoldedText::begin_of_last_run() const {
  if (size_ == 0) { return 0; }
  std::size_t group = size_ / 64;
  std::size_t bits = size_ % 64;  // of the group that belong to the piece
  while (true) {
    const std::uint64_t word = bits == 0 ? 0 : marks_[group] << (64 - bits);
    const auto ones = std::min(static_cast<std::size_t>(std::countl_one(word)), bits);
    if (ones < bits || group == 0) { return 64 * group + bits - ones; }
    --group;
    bits = 64;
  }
}

}  // namespace logodds::text
