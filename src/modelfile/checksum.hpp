// The checksum of a model file, which stands in the file itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace logodds::modelfile {

inline constexpr std::size_t kChecksumDigits = 16;

/// Where the digits of the checksum begin: after the first `"checksum":"`. Nothing when there is no
/// such key or the bytes end before the digits do.
[[nodiscard]] std::optional<std::size_t> find_checksum(std::string_view bytes);

/// XXH3-64 of the bytes with the kChecksumDigits bytes from `digits` on read as '0'.
[[nodiscard]] std::uint64_t checksum(std::string_view bytes, std::size_t digits);

/// The same of bytes in pieces, whose digits are '0' still.
[[nodiscard]] std::uint64_t checksum(std::span<const std::string_view> pieces);

/// As 16 lower-case hexadecimal digits.
[[nodiscard]] std::string checksum_text(std::uint64_t value);

}  // namespace logodds::modelfile
