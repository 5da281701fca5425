// Small files as text: specifications, values of options.
#pragma once

#include <string>

namespace logodds::app {

/// The contents of a file. Throws Error(io) that begins with `what` ("option --wishart-scale").
[[nodiscard]] std::string read_text_file(const std::string& path, const std::string& what);

}  // namespace logodds::app
