// Small files as text: specifications, values of options.
#pragma once

#include <string>

namespace logodds::app {

/// The contents of a file, without a byte order mark. Throws Error that begins with `what` ("option
/// --wishart-scale") for a file that cannot be read, is no UTF-8, or is too long.
[[nodiscard]] std::string read_text_file(const std::string& path, const std::string& what);

}  // namespace logodds::app
