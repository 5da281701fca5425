#include "parallel/radix_sort.hpp"

#include <array>
#include <cstddef>

#include "logodds/parallel/blocks.hpp"

namespace logodds::parallel {

namespace {

constexpr unsigned kDigit = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigit;
using Places = std::array<std::size_t, kDigits>;

std::size_t digit_of(std::uint64_t key, unsigned shift) { return (key >> shift) % kDigits; }

/// From how often each piece has each digit to where its elements go.
void counts_to_places(std::vector<Places>& pieces) {
  std::size_t next = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    for (Places& piece : pieces) {
      const std::size_t count = piece[digit];
      piece[digit] = next;
      next += count;
    }
  }
}

}  // namespace

void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values, int threads) {
  constexpr std::size_t kPieceRows = 65536;  // fewer are not worth a thread
  const std::size_t n = keys.size();
  const auto pieces = static_cast<std::size_t>(useful_threads(threads, n / kPieceRows));
  const auto begin = [&](std::size_t piece) { return n * piece / pieces; };
  std::uint64_t differing = 0;
  for (const std::uint64_t key : keys) { differing |= key ^ keys.front(); }
  if (differing == 0) { return; }
  std::vector<std::uint64_t> moved_keys(n);
  std::vector<std::uint32_t> moved_values(n);
  std::vector<Places> places(pieces);
  for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += kDigit) {
    if ((differing >> shift) % kDigits == 0) { continue; }
    run_lanes(threads, pieces, [&](std::size_t piece) {
      Places& counts = places[piece];
      counts.fill(0);
      const std::size_t end = begin(piece + 1);
      for (std::size_t i = begin(piece); i < end; ++i) { ++counts[digit_of(keys[i], shift)]; }
    });
    counts_to_places(places);
    run_lanes(threads, pieces, [&](std::size_t piece) {
      Places& next = places[piece];
      const std::size_t end = begin(piece + 1);
      for (std::size_t i = begin(piece); i < end; ++i) {
        const std::size_t to = next[digit_of(keys[i], shift)]++;
        moved_keys[to] = keys[i];
        moved_values[to] = values[i];
      }
    });
    keys.swap(moved_keys);
    values.swap(moved_values);
  }
}

}  // namespace logodds::parallel
