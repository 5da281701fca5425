// Text inside of SVG and HTML.
#pragma once

#include <string>
#include <string_view>

namespace logodds::draw {

/// With < > & " as entities, bytes that are no UTF-8 as U+FFFD, and what XML has none of too:
/// control characters as spaces, U+FFFE and U+FFFF as U+FFFD. Newlines and tabs stay.
void append_escaped(std::string& out, std::string_view raw);
[[nodiscard]] std::string escaped(std::string_view raw);
/// Base 64 (RFC 4648), for data addresses.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace logodds::draw
