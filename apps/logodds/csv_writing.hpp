// Pieces of CSV that several subcommands write.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace logodds::app {

/// A field as RFC 4180 wants it: in quotes where it holds a separator, a quote or an end of line,
/// and where it could be taken for an empty line or trimmed.
[[nodiscard]] std::string csv_field(std::string_view text);

/// The name, with as many underscores behind it as tell it from the others.
[[nodiscard]] std::string unlike(std::string name, std::span<const std::string> others);

/// Shortest decimal text that reads back as the same double, appended without an allocation.
/// Nothing for NaN: the cell is empty.
void append_number(std::string& text, double value);

}  // namespace logodds::app
