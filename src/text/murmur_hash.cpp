// MurmurHash3_x86_32 (Austin Appleby, public domain), with seed 0.
#include <bit>
#include <cstdlib>
#include <cstring>

#include "text/term_reader.hpp"

namespace logodds::text {
namespace {

std::uint32_t scrambled(std::uint32_t block) {
  return std::rotl(block * 0xCC9E2D51U, 15) * 0x1B873593U;
}

std::uint32_t avalanched(std::uint32_t hash) {
  hash = (hash ^ hash >> 16U) * 0x85EBCA6BU;
  hash = (hash ^ hash >> 13U) * 0xC2B2AE35U;
  return hash ^ hash >> 16U;
}

std::uint32_t load(const char* at) {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t block = 0;
  std::memcpy(&block, at, sizeof(block));
  return block;
}

/// The last size % 4 bytes, little-endian.
std::uint32_t rest_of(std::string_view term) {
  const std::size_t bits = 8 * (term.size() % 4);
  if (term.size() >= 4) {
    return static_cast<std::uint32_t>(std::uint64_t{load(term.data() + term.size() - 4)} >>
                                      (32 - bits));
  }
  std::uint32_t block = 0;
  for (std::size_t i = term.size(); i > 0; --i) {
    block = block << 8U | static_cast<unsigned char>(term[i - 1]);
  }
  return block;
}

}  // namespace

std::int32_t murmur_hash(std::string_view term) {
  std::uint32_t hash = 0;
  for (std::size_t at = 0; at + 4 <= term.size(); at += 4) {
    hash = std::rotl(hash ^ scrambled(load(term.data() + at)), 13) * 5 + 0xE6546B64U;
  }
  hash ^= scrambled(rest_of(term));
  return static_cast<std::int32_t>(avalanched(hash ^ static_cast<std::uint32_t>(term.size())));
}

std::uint32_t hash_bucket(std::string_view term, unsigned bits) {
  const std::int32_t hash = murmur_hash(term);
  const auto unsigned_hash = static_cast<std::uint32_t>(hash);
  const std::uint32_t magnitude = hash < 0 ? 0U - unsigned_hash : unsigned_hash;
  return bits >= 32 ? magnitude : magnitude & ((std::uint32_t{1} << bits) - 1);
}

}  // namespace logodds::text
