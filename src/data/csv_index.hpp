// Where the separators of a text stand, found 64 bytes at a time, so that fields can be parsed
// without waiting for the end of the one before.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace logodds::csv {

/// Offsets of the delimiters and line feeds outside quotes, where every quote opens or closes
/// quoting, unless `quotes` is false and a quote is nothing special. `text` is shorter than 4 GiB
/// and ends in a line feed; `offsets` may end up larger than the number returned.
[[nodiscard]] std::size_t index_separators(std::string_view text, char delimiter,
                                           std::vector<std::uint32_t>& offsets, bool quotes = true);

}  // namespace logodds::csv
