#include "data/arrow_column.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"

namespace logodds::arrow {
namespace {

// Format strings of the C data interface.
constexpr std::pair<std::string_view, Type> kFormats[] = {
    {"n", Type::null},   {"b", Type::boolean}, {"c", Type::int8},       {"C", Type::uint8},
    {"s", Type::int16},  {"S", Type::uint16},  {"i", Type::int32},      {"I", Type::uint32},
    {"l", Type::int64},  {"L", Type::uint64},  {"f", Type::float32},    {"g", Type::float64},
    {"u", Type::text32}, {"U", Type::text64},  {"vu", Type::text_view},
};

Type type_of(std::string_view format, const std::string& column) {
  for (const auto& [text, type] : kFormats) {
    if (text == format) { return type; }
  }
  throw Error(ErrorCode::input, "column '" + column + "' has the Arrow type '" +
                                    std::string(format) +
                                    "', which is neither numbers, booleans nor strings; cast it "
                                    "to one of these or leave it out");
}

bool bit(const void* bits, std::size_t index) {
  const unsigned byte = static_cast<const std::uint8_t*>(bits)[index / 8];
  return ((byte >> (index % 8)) & 1U) != 0;
}

template <class T>
T value_at(const ArrowArray& array, std::size_t index) {
  return static_cast<const T*>(array.buffers[1])[index];
}

/// Calls use(T{}) with the C++ type of a number; false when `type` is no such type.
template <class Use>
bool with_number_type(Type type, Use use) {
  switch (type) {
    case Type::int8:
      use(std::int8_t{});
      return true;
    case Type::uint8:
      use(std::uint8_t{});
      return true;
    case Type::int16:
      use(std::int16_t{});
      return true;
    case Type::uint16:
      use(std::uint16_t{});
      return true;
    case Type::int32:
      use(std::int32_t{});
      return true;
    case Type::uint32:
      use(std::uint32_t{});
      return true;
    case Type::int64:
      use(std::int64_t{});
      return true;
    case Type::uint64:
      use(std::uint64_t{});
      return true;
    case Type::float32:
      use(float{});
      return true;
    case Type::float64:
      use(double{});
      return true;
    default:
      return false;
  }
}

template <class Offset>
std::string_view text_at(const ArrowArray& array, std::size_t index) {
  const Offset begin = value_at<Offset>(array, index);
  const Offset end = value_at<Offset>(array, index + 1);
  return {static_cast<const char*>(array.buffers[2]) + begin,
          static_cast<std::size_t>(end - begin)};
}

/// A view holds its length, then up to 12 bytes inline, or 4 bytes of prefix, the number of a data
/// buffer and an offset in it.
std::string_view view_at(const ArrowArray& array, std::size_t index) {
  constexpr std::size_t kViewBytes = 16;
  constexpr std::int32_t kInlineBytes = 12;
  const char* view = static_cast<const char*>(array.buffers[1]) + index * kViewBytes;
  std::int32_t header[4];
  std::memcpy(header, view, kViewBytes);
  const auto length = static_cast<std::size_t>(header[0]);
  if (header[0] <= kInlineBytes) { return {view + sizeof(std::int32_t), length}; }
  return {static_cast<const char*>(array.buffers[2 + header[2]]) + header[3], length};
}

}  // namespace

Field read_field(const ArrowSchema& schema) {
  Field field{.name = schema.name == nullptr ? "" : schema.name};
  field.type = type_of(schema.format, field.name);
  if (schema.dictionary != nullptr) {
    field.index = field.type;
    field.type = type_of(schema.dictionary->format, field.name);
  }
  return field;
}

ColumnView::ColumnView(const Field& field, const ArrowArray& array, std::size_t first)
    : field_(field), array_(array), first_(first) {}

bool ColumnView::valid(std::size_t row) const {
  if (field_.type == Type::null && !field_.index) { return false; }
  const void* bits = array_.buffers[0];
  return array_.null_count == 0 || bits == nullptr || bit(bits, first_ + row);
}

void ColumnView::numbers(std::size_t count, double* out, std::size_t stride) const {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  const bool copied = with_number_type(field_.type, [&](auto example) {
    const auto* values = static_cast<const decltype(example)*>(array_.buffers[1]) + first_;
    for (std::size_t r = 0; r < count; ++r) { out[r * stride] = static_cast<double>(values[r]); }
  });
  if (!copied && field_.type == Type::boolean) {
    for (std::size_t r = 0; r < count; ++r) {
      out[r * stride] = bit(array_.buffers[1], first_ + r) ? 1.0 : 0.0;
    }
  }
  if (field_.type != Type::null && array_.null_count == 0) { return; }
  for (std::size_t r = 0; r < count; ++r) {
    if (!valid(r)) { out[r * stride] = kMissing; }
  }
}

std::optional<std::string_view> ColumnView::text(std::size_t row, std::string& scratch) const {
  if (!valid(row)) { return std::nullopt; }
  if (field_.text()) { return string(row); }
  const std::size_t index = first_ + row;
  if (field_.type == Type::boolean) { return bit(array_.buffers[1], index) ? "True" : "False"; }
  double number = 0.0;
  with_number_type(field_.type, [&](auto example) {
    number = static_cast<double>(value_at<decltype(example)>(array_, index));
  });
  if (std::isnan(number)) { return std::nullopt; }
  scratch = format_number(number);
  return scratch;
}

std::string_view ColumnView::document(std::size_t row) const {
  if (!valid(row)) { return {}; }
  if (field_.index) {
    const ColumnView entries = dictionary();
    const std::size_t entry = dictionary_index(row);
    return entries.valid(entry) ? entries.string(entry) : std::string_view();
  }
  return string(row);
}

std::string_view ColumnView::string(std::size_t row) const {
  const std::size_t index = first_ + row;
  const auto text = field_.type == Type::text32   ? text_at<std::int32_t>(array_, index)
                    : field_.type == Type::text64 ? text_at<std::int64_t>(array_, index)
                                                  : view_at(array_, index);
  return text.empty() ? std::string_view("") : text;  // empty strings may come without memory
}

ColumnView::View ColumnView::view_of(std::size_t row) const {
  View view;
  std::memcpy(view.data(),
              static_cast<const char*>(array_.buffers[1]) + (first_ + row) * sizeof view,
              sizeof view);
  return view;
}

ColumnView ColumnView::dictionary() const {
  // The entries are an array of their own; `field_` describes their type, and its index type does
  // not matter for code().
  return {field_, *array_.dictionary, static_cast<std::size_t>(array_.dictionary->offset)};
}

std::size_t ColumnView::dictionary_index(std::size_t row) const {
  std::size_t index = 0;
  with_number_type(*field_.index, [&](auto example) {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): a valid index is not negative
    index = static_cast<std::size_t>(value_at<decltype(example)>(array_, first_ + row));
  });
  return index;
}

}  // namespace logodds::arrow
