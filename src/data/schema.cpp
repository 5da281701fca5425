// Kinds by name, label order, numbers from and to text.
#include "logodds/data/schema.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "logodds/error.hpp"

namespace logodds {
namespace {

constexpr std::array<std::pair<ColumnKind, std::string_view>, 6> kKindNames{{
    {ColumnKind::real, "real"},
    {ColumnKind::binary, "binary"},
    {ColumnKind::categorical, "categorical"},
    {ColumnKind::count, "count"},
    {ColumnKind::text, "text"},
    {ColumnKind::ignore, "ignore"},
}};

}  // namespace

std::string_view to_string(ColumnKind kind) {
  const auto* const found =
      std::ranges::find(kKindNames, kind, &std::pair<ColumnKind, std::string_view>::first);
  return found->second;
}

ColumnKind parse_column_kind(std::string_view name) {
  const auto* const found =
      std::ranges::find(kKindNames, name, &std::pair<ColumnKind, std::string_view>::second);
  if (found != kKindNames.end()) { return found->first; }
  std::string sentence = "'";
  sentence += name;
  sentence += "' is no column kind; the kinds are";
  for (const auto& [kind, known] : kKindNames) {
    sentence += kind == kKindNames.front().first ? " " : ", ";
    sentence += known;
  }
  throw Error(ErrorCode::usage, sentence);
}

std::size_t Schema::coded_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(columns, &Column::coded));
}

Column with_levels(const Column& column, std::vector<std::string> levels) {
  const bool same = levels.size() == column.levels.size();
  const auto kind = levels.size() == 2 ? ColumnKind::binary : ColumnKind::categorical;
  return {column.name, same ? column.kind : kind, std::move(levels)};
}

std::size_t Schema::numeric_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(columns, &Column::number));
}

std::size_t Schema::text_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(columns, &Column::text));
}

bool label_less(std::string_view a, std::string_view b) {
  const auto left = parse_number(a);
  const auto right = parse_number(b);
  if (left.has_value() != right.has_value()) { return left.has_value(); }
  if (left && *left != *right) { return *left < *right; }
  return a < b;
}

std::optional<double> parse_number(std::string_view token) {
  if (token.starts_with('+')) {
    token.remove_prefix(1);
    if (token.starts_with('-')) { return std::nullopt; }
  }
  double value = 0;
  const char* const end = token.data() + token.size();
  const auto result = fast_float::from_chars(token.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::string format_number(double value) {
  std::array<char, 32> text{};  // the longest shortest form has 24 characters
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

}  // namespace logodds
