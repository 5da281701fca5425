// A file of few rows as text, row by row: costs, traces. Not a source of rows to learn from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "data/csv_header.hpp"
#include "data/csv_splitter.hpp"

namespace logodds::csv {

class SmallTable {
 public:
  /// Reads the header. Throws Error(io | input).
  explicit SmallTable(const std::string& path);

  [[nodiscard]] const std::string& file() const { return header_.file; }
  [[nodiscard]] const std::vector<std::string>& names() const { return header_.names; }
  /// The fields of the next row, as many as names(); none at the end.
  [[nodiscard]] std::vector<std::string> next();
  /// A field of the last row, which must be a number; `cure` ends the sentence that says so.
  [[nodiscard]] double number(const std::vector<std::string>& fields, std::size_t field,
                              const std::string& cure) const;
  /// Throws Error(input) that names the file and the line of the last row, or of the header.
  [[noreturn]] void fail(const std::string& sentence) const;

 private:
  std::unique_ptr<TextReader> reader_;
  Header header_;
  std::size_t line_;
};

}  // namespace logodds::csv
