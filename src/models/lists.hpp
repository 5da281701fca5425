// Options that name classes or columns: "a+b,c", "a=0.2,b=0.8". A backslash takes the next
// character as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace logodds::models {

/// The parts between separators that no backslash precedes; the backslashes stay.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);
[[nodiscard]] std::string unescaped(std::string_view text);
/// With a backslash before each separator and backslash.
[[nodiscard]] std::string escaped(std::string_view name);
/// The place of a class; Error(usage) with the nearest name when there is none. `option`:
/// "--groups".
[[nodiscard]] std::size_t find_class(const std::string& name,
                                     const std::vector<std::string>& labels,
                                     const std::string& option);

}  // namespace logodds::models
