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
                                      " columns cannot be joined; give them the same columns");
  }
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    const Column& other = b.columns[c];
    Column& column = schema.columns[c];
    if (column.name != other.name || column.coded() != other.coded() ||
        column.text() != other.text()) {
      throw Error(ErrorCode::usage,
                  "column " + std::to_string(c + 1) + " is '" + column.name + "' (" +
                      std::string(to_string(column.kind)) + ") in one model and '" + other.name +
                      "' (" + std::string(to_string(other.kind)) +
                      ") in another; give them the same columns and kinds (--kinds)");
    }
    if (column.coded()) {
      column = with_levels(column, united(column.levels, other.levels));
    } else {
      column.kind = wider(column.kind, other.kind);
    }
  }
  return schema;
}

namespace {

/// The place of each value in `known`, or -1.
std::vector<std::int32_t> codes_or_none(const std::vector<std::string>& values,
                                        const std::vector<std::string>& known) {
  std::vector<std::int32_t> codes;
  for (const auto& value : values) {
    const auto found = std::find(known.begin(), known.end(), value);
    codes.push_back(found == known.end() ? -1 : static_cast<std::int32_t>(found - known.begin()));
  }
  return codes;
}

[[noreturn]] void refuse_unknown(const std::string& what, const std::string& value) {
  throw Error(ErrorCode::input, "the model has no row with " + what + " '" + value +
                                    "'; forget only rows that it was trained on");
}

void check_all_known(const std::string& what, const std::vector<std::string>& values,
                     const std::vector<std::string>& known) {
  const auto codes = codes_or_none(values, known);
  const auto missing = std::find(codes.begin(), codes.end(), -1);
  if (missing != codes.end()) {
    refuse_unknown(what, values[static_cast<std::size_t>(missing - codes.begin())]);
  }
}

}  // namespace

void check_known(const Schema& rows, const Schema& model) {
  check_all_known("class", rows.labels, model.labels);
  static_cast<void>(united_schema(model, rows));  // refuses other columns
  for (std::size_t c = 0; c < model.columns.size(); ++c) {
    check_all_known("column '" + model.columns[c].name + "' at", rows.columns[c].levels,
                    model.columns[c].levels);
  }
}

Recoding recoding_dropping(const Schema& from, const Schema& to) {
  Recoding recoding{
      .shape = shape_of(to), .labels = codes_or_none(from.labels, to.labels), .levels = {}};
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    if (!from.columns[c].coded()) { continue; }
    recoding.levels.push_back(codes_or_none(from.columns[c].levels, to.columns[c].levels));
  }
  return recoding;
}

void throw_nothing_left(const BlockSource& source) {
  throw Error(ErrorCode::usage, source.name() +
                                    ": these are all the rows of the model, and nothing is left "
                                    "without them; delete the model instead");
}

MissingRows missing_rows(const Options& options, MissingRows asked) {
  if (!options.has("missing") || asked != MissingRows::use) { return asked; }
  if (options.choice("missing") == "skip") { return MissingRows::skip; }
  return options.choice("missing") == "error" ? MissingRows::error : MissingRows::use;
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
