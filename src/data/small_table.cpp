#include "data/small_table.hpp"

#include "data/csv_input.hpp"
#include "data/csv_text.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"

namespace logodds::csv {

SmallTable::SmallTable(const std::string& path)
    : reader_(make_reader(open_input(path))),
      header_(read_header(*reader_, path == "-" ? "standard input" : path, {})),
      line_(header_.lines) {
  reader_->skip(header_.bytes);
}

void SmallTable::fail(const std::string& sentence) const {
  throw Error(ErrorCode::input, header_.file + ", line " + std::to_string(line_) + ": " + sentence);
}

double SmallTable::number(const std::vector<std::string>& fields, std::size_t field,
                          const std::string& cure) const {
  if (const auto value = parse_number(fields[field])) { return *value; }
  fail("column " + shown(header_.names[field]) + ": " + shown(fields[field]) +
       " is not a number; " + cure);
}

std::vector<std::string> SmallTable::next() {
  RowScanner scanner({.most_rows = 1});
  std::string storage;
  const std::string_view text = reader_->take(scanner, storage);
  std::vector<std::string> fields;
  if (scanner.rows() == 0) { return fields; }
  line_ += scanner.lines();
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  while (at_line_end(at, end)) { at = next_line(at, end); }
  for (;; ++at) {
    const Field field = read_field(at, end, header_.dialect);
    if (field.fault != FieldFault::none) {
      fail(fault_sentence(field.fault, header_.dialect.delimiter));
    }
    append_rewritten(field, header_.dialect, fields.emplace_back());
    at = field.next;
    if (at_line_end(at, end)) { break; }
  }
  if (fields.size() != header_.names.size()) {
    fail(std::to_string(fields.size()) + " fields, but the header has " +
         std::to_string(header_.names.size()) + "; add or remove fields");
  }
  return fields;
}

}  // namespace logodds::csv
