// Columns of documents: which columns of words hold some, how large a block of them is, and sources
// of one such column.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/source.hpp"

namespace logodds {

/// A block with documents ends at kBlockRows rows or behind the row that brings it to this many
/// bytes, so that long documents are spread over the threads and need little memory.
inline constexpr std::size_t kBlockTextBytes = std::size_t{1} << 19U;

/// How many words the values of a column have on average, when these look like documents rather
/// than levels: 5 words or more separated by white space, and at least three quarters of the values
/// differ. Values that are missing or empty do not count.
[[nodiscard]] std::optional<double> looks_like_documents(std::span<const std::string_view> values);

/// What the user is told when a column is read as documents without being asked for.
[[nodiscard]] std::string documents_note(const std::string& column, double words);

/// Throws Error(usage) unless the only column of the schema is text; `holds` is what the rows do:
/// "a line holds one document".
void check_document_schema(const Schema& schema, const std::string& holds);

/// The one column of such a source.
[[nodiscard]] std::vector<SourceColumn> text_column(const std::string& name);

/// The parsed part of a buffer as it is before the rows of a source of one text column.
void begin_documents(RowBuffer& buffer);

}  // namespace logodds
