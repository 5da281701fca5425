// One column of an Arrow record batch as numbers, levels or documents, read in place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/arrow_abi.hpp"
#include "logodds/data/row_block.hpp"

namespace logodds::arrow {

enum class Type : std::uint8_t {
  null,
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  text32,    ///< strings with 32-bit offsets
  text64,    ///< strings with 64-bit offsets
  text_view  ///< strings as 16-byte views
};

struct Field {
  std::string name;
  Type type = Type::null;       ///< of the values; in a dictionary, of its entries
  std::optional<Type> index{};  ///< type of the indices, when the column is a dictionary

  [[nodiscard]] bool text() const { return type >= Type::text32; }
  [[nodiscard]] bool coded() const { return text() || index.has_value(); }
};

/// Throws Error(input) that names the column when its type is none of the above.
[[nodiscard]] Field read_field(const ArrowSchema& schema);

/// Rows of one array. `first` is where the rows of interest begin in it, its own offset included.
class ColumnView {
 public:
  ColumnView(const Field& field, const ArrowArray& array, std::size_t first);

  /// Writes `count` numbers to out, out + stride, ...; NaN for a null. Not for text.
  void numbers(std::size_t count, double* out, std::size_t stride) const;

  /// Writes code_of(text of the value) for every row to `out`, kMissingCode for a null or a NaN.
  /// In a dictionary every entry that occurs is looked up once.
  template <class CodeOf>
  void codes(std::size_t count, CodeOf code_of, std::int32_t* out) const {
    if (!field_.index && field_.type == Type::text_view) { return view_codes(count, code_of, out); }
    if (!field_.index) {
      for (std::size_t r = 0; r < count; ++r) { out[r] = code(r, code_of); }
      return;
    }
    const ColumnView entries = dictionary();
    std::vector<std::int32_t> known(static_cast<std::size_t>(array_.dictionary->length), kUnknown);
    for (std::size_t r = 0; r < count; ++r) {
      if (!valid(r)) {
        out[r] = kMissingCode;
        continue;
      }
      const std::size_t entry = dictionary_index(r);
      if (known[entry] == kUnknown) { known[entry] = entries.code(entry, code_of); }
      out[r] = known[entry];
    }
  }

  /// The string of a row, also of a dictionary; one whose data() is null when it is missing. Only
  /// for text.
  [[nodiscard]] std::string_view document(std::size_t row) const;

 private:
  static constexpr std::int32_t kUnknown = -2;
  using View = std::array<std::uint64_t, 2>;
  [[nodiscard]] View view_of(std::size_t row) const;

  /// A short string stands in its view, so equal bytes of the view are the same string: of few
  /// levels each is looked up once, and found again by two comparisons.
  template <class CodeOf>
  void view_codes(std::size_t count, CodeOf& code_of, std::int32_t* out) const {
    struct Known {
      View view{};
      std::int32_t code = kUnknown;
    };
    std::array<Known, 64> known;
    for (std::size_t r = 0; r < count; ++r) {
      if (!valid(r)) {
        out[r] = kMissingCode;
        continue;
      }
      const View view = view_of(r);
      Known& place = known[(view[0] ^ view[1] * 3) * 0x9E3779B97F4A7C15U >> 58U];
      if (place.code == kUnknown || place.view != view) { place = {view, code(r, code_of)}; }
      out[r] = place.code;
    }
  }
  template <class CodeOf>
  [[nodiscard]] std::int32_t code(std::size_t row, CodeOf& code_of) const {
    std::string scratch;
    const auto value = text(row, scratch);
    return value ? code_of(*value) : kMissingCode;
  }
  [[nodiscard]] bool valid(std::size_t row) const;
  /// The value as text, in the array's memory or in `scratch`; nothing when it is missing.
  [[nodiscard]] std::optional<std::string_view> text(std::size_t row, std::string& scratch) const;
  [[nodiscard]] std::string_view string(std::size_t row) const;
  [[nodiscard]] ColumnView dictionary() const;
  [[nodiscard]] std::size_t dictionary_index(std::size_t row) const;

  const Field& field_;
  const ArrowArray& array_;
  std::size_t first_;
};

}  // namespace logodds::arrow
