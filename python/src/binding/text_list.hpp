// A list of Python's str as views of their bytes.
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <string_view>
#include <vector>

namespace logodds::binding {

/// The UTF-8 of a str, which Python keeps as long as the object. Throws UnicodeEncodeError where it
/// holds half of a surrogate pair.
[[nodiscard]] std::string_view text_view(nanobind::handle text);

/// Place of the first item that is no str; the length of the list when there is none.
[[nodiscard]] std::size_t first_non_text(const nanobind::list& items);

/// Holds the items, whatever becomes of the list meanwhile. Make and destroy it with the GIL.
class TextList {
 public:
  /// Throws TypeError that names the place of an item that is no str (None is a missing one, if
  /// `allow_missing`: its view has no data).
  explicit TextList(const nanobind::list& items, bool allow_missing = false);
  [[nodiscard]] std::span<const std::string_view> views() const { return views_; }

 private:
  nanobind::list items_;
  std::vector<std::string_view> views_;
};

}  // namespace logodds::binding
