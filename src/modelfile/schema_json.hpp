// Schema and options as the JSON texts that stand in a model file's metadata.
#pragma once

#include <map>
#include <string>

#include "logodds/data/schema.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/registry/options.hpp"

namespace logodds::modelfile {

/// {"target": TEXT, "labels": [TEXT, ...], "columns": [{"name": TEXT, "kind": KIND,
///  "levels": [TEXT, ...]}, ...]}, without "levels" for a column of numbers. TEXT is a string, or
/// {"hex": DIGITS} for bytes that are not UTF-8, since names and labels are kept as written. Many
/// columns of numbers called x1, x2, ..., as sparse rows have them, stand in "numbered" instead:
/// {"first": 1, "kinds": "rbc..."}, a letter a column (real, binary, count).
[[nodiscard]] std::string schema_text(const Schema& schema);
/// Reads the metadata "schema" and checks it: kinds are known, column names differ, labels and
/// levels are in label order and differ, there is a label if the rows are `labelled`, no level is
/// empty.
[[nodiscard]] Schema read_schema(const Reader& reader, bool labelled = true);

/// A JSON object of strings.
[[nodiscard]] std::string options_text(const Options& options);
[[nodiscard]] std::map<std::string, std::string> read_options(const Reader& reader);

}  // namespace logodds::modelfile
