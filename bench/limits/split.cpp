// logodds_split FILE THREADS: the words of a file, found at white space as fast as may be and only
// looked at. What reads text cannot well be faster; the benchmark of documents says how near it is.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace split::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<std::uint8_t, 64>;

/// One bit a byte: a blank, or \t \n \v \f \r. Needs 64 bytes.
std::uint64_t white_space(const std::uint8_t* bytes) {
  const Tag tag;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(tag)) {
    const auto values = hn::LoadU(tag, bytes + i);
    const auto blank = hn::Eq(values, hn::Set(tag, std::uint8_t{' '}));
    const auto control = hn::Sub(values, hn::Set(tag, std::uint8_t{'\t'}));
    const auto found =
        hn::Or(blank, hn::Eq(control, hn::Min(control, hn::Set(tag, std::uint8_t{4}))));
    std::uint8_t stored[8] = {};
    hn::StoreMaskBits(tag, found, stored);
    std::uint64_t part = 0;
    std::memcpy(&part, stored, sizeof(part));
    bits |= part << i;
  }
  return bits;
}

/// Words that begin in [begin, end), which is preceded by white space if `after_space`; `bytes` are
/// added up at their beginnings, so that each word is looked at.
std::size_t count_words(const std::uint8_t* begin, const std::uint8_t* end, bool after_space,
                        std::size_t* bytes) {
  std::size_t words = 0;
  std::size_t sum = 0;
  std::uint64_t before = after_space ? 1 : 0;
  for (const std::uint8_t* at = begin; at < end; at += 64) {
    std::uint8_t rest[64];
    std::memset(rest, ' ', sizeof(rest));
    const bool whole = end - at >= 64;
    if (!whole) { std::memcpy(rest, at, static_cast<std::size_t>(end - at)); }
    const std::uint8_t* const from = whole ? at : rest;
    const std::uint64_t space = white_space(from);
    for (std::uint64_t starts = ~space & (space << 1U | before); starts != 0;
         starts &= starts - 1) {
      sum += from[std::countr_zero(starts)];
      ++words;
    }
    before = space >> 63U;
  }
  *bytes = sum;
  return words;
}

}  // namespace split::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace split {

HWY_EXPORT(count_words);

std::size_t count_words(const std::uint8_t* bytes, std::size_t size, unsigned threads) {
  std::vector<std::size_t> found(threads);
  std::vector<std::size_t> sums(threads);
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; ++t) {
    team.emplace_back([&, t] {
      const std::uint8_t* const begin = bytes + size * t / threads;
      const std::uint8_t* const end = bytes + size * (t + 1) / threads;
      const bool after_space =
          t == 0 || begin[-1] == ' ' || (begin[-1] >= '\t' && begin[-1] <= '\r');
      found[t] = HWY_DYNAMIC_DISPATCH(count_words)(begin, end, after_space, &sums[t]);
    });
  }
  std::size_t total = 0;
  for (unsigned t = 0; t < threads; ++t) {
    team[t].join();
    total += found[t];
  }
  return total;
}

}  // namespace split

int main(int count, char** words) {
  const int file = count == 3 ? open(words[1], O_RDONLY) : -1;
  struct stat facts{};
  if (file < 0 || fstat(file, &facts) != 0 || facts.st_size == 0) {
    std::fputs("usage: logodds_split FILE THREADS (a file that is not empty)\n", stderr);
    return 2;
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* const bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) {
    std::perror(words[1]);
    return 2;
  }
  const unsigned threads = static_cast<unsigned>(std::strtoul(words[2], nullptr, 10));
  std::printf("%zu\n", split::count_words(static_cast<const std::uint8_t*>(bytes), size,
                                          threads == 0 ? 1 : threads));
}
#endif  // HWY_ONCE
