// Options of the CSV reader out of Python arguments.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "logodds/data/csv.hpp"
#include "logodds/error.hpp"

namespace logodds::binding {

struct CsvArguments {
  std::string target{};
  std::string weights{};
  std::vector<std::string> ignore{};
  std::map<std::string, std::string> kinds{};
  std::vector<std::string> missing_tokens{};
  std::string delimiter{};
  bool header = true;
};

/// Throws Error(usage) for a kind that does not exist and a delimiter that is no single character.
[[nodiscard]] inline CsvOptions csv_options(const CsvArguments& given) {
  if (given.delimiter.size() > 1) {
    throw Error(ErrorCode::usage,
                "delimiter='" + given.delimiter + "' is not a single one-byte character");
  }
  CsvOptions options{.target = given.target,
                     .weights = given.weights,
                     .ignore = given.ignore,
                     .missing_tokens = given.missing_tokens,
                     .delimiter = given.delimiter.empty() ? '\0' : given.delimiter.front(),
                     .header = given.header};
  for (const auto& [column, kind] : given.kinds) {
    options.kinds[column] = parse_column_kind(kind);
  }
  return options;
}

}  // namespace logodds::binding
