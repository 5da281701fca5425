#include "modelfile/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>

namespace logodds::modelfile {

std::optional<std::size_t> find_checksum(std::string_view bytes) {
  constexpr std::string_view kKey = "\"checksum\":\"";
  const std::size_t key = bytes.find(kKey);
  if (key == std::string_view::npos) { return std::nullopt; }
  const std::size_t digits = key + kKey.size();
  if (bytes.size() - digits < kChecksumDigits) { return std::nullopt; }
  return digits;
}

std::uint64_t checksum(std::string_view bytes, std::size_t digits) {
  const std::string zeros(kChecksumDigits, '0');
  const std::array<std::string_view, 3> pieces = {bytes.substr(0, digits), zeros,
                                                  bytes.substr(digits + kChecksumDigits)};
  return checksum(pieces);
}

std::uint64_t checksum(std::span<const std::string_view> pieces) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const std::string_view piece : pieces) {
    XXH3_64bits_update(&state, piece.data(), piece.size());
  }
  return XXH3_64bits_digest(&state);
}

std::string checksum_text(std::uint64_t value) {
  std::string text(kChecksumDigits, '0');
  for (std::size_t i = kChecksumDigits; i-- > 0; value >>= 4U) {
    text[i] = "0123456789abcdef"[value & 0xFU];
  }
  return text;
}

}  // namespace logodds::modelfile
