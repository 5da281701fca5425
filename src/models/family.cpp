#include "logodds/models/family.hpp"

#include <algorithm>

namespace logodds {

namespace {

/// Of two kinds of numbers the wider: 0/1 in one part and 0..9 in the other is a count.
ColumnKind wider(ColumnKind a, ColumnKind b) {
  if (a == b) { return a; }
  return a == ColumnKind::real || b == ColumnKind::real ? ColumnKind::real : ColumnKind::count;
}

}  // namespace

Schema united_schema(const Schema& a, const Schema& b) {
  Schema schema = a;
  schema.labels = united(a.labels, b.labels);
  if (a.columns.size() != b.columns.size()) {
    throw Error(ErrorCode::usage, "models with " + std::to_string(a.columns.size()) + " and " +
                                      std::to_string(b.columns.size()) +
                                      " columns cannot be merged; train them on the same columns");
  }
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    const Column& other = b.columns[c];
    Column& column = schema.columns[c];
    if (column.name != other.name || column.coded() != other.coded()) {
      throw Error(ErrorCode::usage, "column " + std::to_string(c + 1) + " is '" + column.name +
                                        "' (" + std::string(to_string(column.kind)) +
                                        ") in one model and '" + other.name + "' (" +
                                        std::string(to_string(other.kind)) +
                                        ") in another; train them on the same columns and kinds");
    }
    column.levels = united(column.levels, other.levels);
    column.kind = !column.coded()             ? wider(column.kind, other.kind)
                  : column.levels.size() == 2 ? ColumnKind::binary
                                              : ColumnKind::categorical;
  }
  return schema;
}

Recoding recoding_between(const Schema& from, const Schema& to) {
  Recoding recoding{
      .shape = shape_of(to), .labels = codes_between(from.labels, to.labels), .levels = {}};
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    if (!from.columns[c].coded()) { continue; }
    recoding.levels.push_back(codes_between(from.columns[c].levels, to.columns[c].levels));
  }
  return recoding;
}

}  // namespace logodds
