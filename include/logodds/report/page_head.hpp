// How pages begin.
#pragma once

#include <string>
#include <string_view>

namespace logodds::report {

/// A page in English up to the end of its <head>, for screens of any width. `title` is any text.
[[nodiscard]] std::string page_head(std::string_view title, std::string_view style);

}  // namespace logodds::report
