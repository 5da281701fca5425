// The beginning of a table: encoding, delimiter, and the names of its fields.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_field.hpp"
#include "data/csv_splitter.hpp"
#include "logodds/data/csv.hpp"

namespace logodds::csv {

/// Where a NUL byte stands, from 0.
struct NulByte {
  std::size_t line = 0;
  std::size_t field = 0;
};

struct Header {
  std::string file;  ///< name for messages
  Dialect dialect;
  bool named = true;               ///< the names stood in the file
  std::vector<std::string> names;  ///< one a field: as written, or x1, x2, ...
  std::size_t bytes = 0;           ///< text before the first row
  std::size_t lines = 0;           ///< physical lines before the first row
  std::optional<NulByte> nul;      ///< the first one in the rows at the start of the text
  std::vector<std::string> notes;
};

/// Looks at the start of the text without taking it. Throws Error(input | usage).
[[nodiscard]] Header read_header(TextReader& reader, const std::string& file,
                                 const CsvOptions& options);

/// Error(input) for a NUL byte in a field that must be text.
[[noreturn]] void fail_nul_byte(const std::string& file, const NulByte& nul);

/// What is wrong and what to do about it, without the place.
[[nodiscard]] std::string fault_sentence(FieldFault fault, char delimiter);
/// The same for text that enters a dictionary or a header, or empty when there is no fault.
[[nodiscard]] std::string encoding_sentence(std::string_view text);

}  // namespace logodds::csv
