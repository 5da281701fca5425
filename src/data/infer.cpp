// From facts about columns to a schema: kinds, and levels and labels in their order.
#include <algorithm>
#include <string>

#include "logodds/data/source.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

[[noreturn]] void fail(const std::string& place, const std::string& sentence) {
  throw Error(ErrorCode::input, place + ": " + sentence);
}

std::string column_place(const BlockSource& source, const SourceColumn& column) {
  return source.name() + ", column '" + column.name + "'";
}

std::vector<std::string> in_label_order(std::vector<std::string> values) {
  std::ranges::sort(values, label_less);
  return values;
}

ColumnKind numeric_kind(const ColumnFacts& facts) {
  if (facts.zero_one) { return ColumnKind::binary; }
  return facts.counts ? ColumnKind::count : ColumnKind::real;
}

void check_numeric(const BlockSource& source, const SourceColumn& column,
                   const ColumnFacts& facts) {
  if (column.given_kind == ColumnKind::binary && !facts.zero_one) {
    fail(column_place(source, column),
         "holds values other than 0 and 1, so it is not binary; remove it from --kinds");
  }
  if (column.given_kind == ColumnKind::count && !facts.counts) {
    fail(column_place(source, column),
         "holds values that are no counts (0, 1, 2, ...); use --kinds " + column.name + "=real");
  }
}

Column numeric_column(const BlockSource& source, const SourceColumn& column,
                      const ColumnFacts& facts) {
  check_numeric(source, column, facts);
  return {column.name, column.given_kind.value_or(numeric_kind(facts)), {}};
}

Column coded_column(const BlockSource& source, const SourceColumn& column,
                    const std::vector<std::string>& levels) {
  const std::string place = column_place(source, column);
  if (column.given_kind == ColumnKind::binary && levels.size() > 2) {
    fail(place, "has " + std::to_string(levels.size()) + " different values ('" + levels[0] +
                    "', '" + levels[1] + "', '" + levels[2] +
                    "', ...), so it is not binary; use --kinds " + column.name + "=categorical");
  }
  const auto inferred = levels.size() == 2 ? ColumnKind::binary : ColumnKind::categorical;
  return {column.name, column.given_kind.value_or(inferred), in_label_order(levels)};
}

}  // namespace

void check_values(const BlockSource& source, std::span<const ColumnFacts> facts) {
  constexpr std::size_t kMostNames = 10;
  std::string names;
  std::string list;
  std::size_t empty = 0;
  for (std::size_t c = 0; c < facts.size(); ++c) {
    if (facts[c].any_value || ++empty > kMostNames) { continue; }
    const std::string& name = source.columns()[c].name;
    names += (empty == 1 ? "'" : ", '") + name + "'";
    list += (empty == 1 ? "" : ",") + name;
  }
  if (empty == 0) { return; }
  if (empty > kMostNames) {
    names += " and " + std::to_string(empty - kMostNames) + " more";
    list += ",...";
  }
  const std::string column = empty == 1 ? "column" : "columns";
  fail(source.name() + ", " + column + " " + names,
       "every value is missing; leave the " + column + " out with --ignore " + list);
}

Schema infer_schema(const BlockSource& source, std::span<const ColumnFacts> facts,
                    std::span<const std::vector<std::string>> levels,
                    const std::vector<std::string>& labels, bool values_needed) {
  if (values_needed) { check_values(source, facts); }
  Schema schema;
  schema.target = source.target();
  schema.weights = source.weights();
  schema.labels = in_label_order(labels);
  const auto& columns = source.columns();
  schema.columns.reserve(columns.size());
  std::size_t coded = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const SourceColumn& column = columns[c];
    schema.columns.push_back(column.text    ? Column{column.name, ColumnKind::text, {}}
                             : column.coded ? coded_column(source, column, levels[coded++])
                                            : numeric_column(source, column, facts[c]));
  }
  return schema;
}

}  // namespace logodds
