#include "text_list.hpp"

#include <string>

namespace nb = nanobind;

namespace logodds::binding {

std::string_view text_view(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) { throw nb::python_error(); }
  return {bytes, static_cast<std::size_t>(size)};
}

std::size_t first_non_text(const nb::list& items) {
  std::size_t place = 0;
  for (const nb::handle item : items) {
    if (!PyUnicode_Check(item.ptr())) { break; }
    ++place;
  }
  return place;
}

TextList::TextList(const nb::list& items, bool allow_missing)
    : items_(nb::steal<nb::list>(PyList_GetSlice(items.ptr(), 0, PY_SSIZE_T_MAX))) {
  views_.reserve(items_.size());
  for (const nb::handle item : items_) {
    if (allow_missing && item.is_none()) {
      views_.emplace_back();
      continue;
    }
    if (!PyUnicode_Check(item.ptr())) {
      const std::string message = "document " + std::to_string(views_.size()) +
                                  " is no str but of type " +
                                  nb::cast<std::string>(nb::handle(item.type()).attr("__name__")) +
                                  ": " + std::string(nb::repr(item).c_str()).substr(0, 80);
      throw nb::type_error(message.c_str());
    }
    views_.push_back(text_view(item));
  }
}

}  // namespace logodds::binding
