#include "data/document_columns.hpp"

#include <cmath>
#include <unordered_set>

namespace logodds {
namespace {

constexpr double kFewestWords = 5;
constexpr double kFewestDifferent = 0.75;
/// Of a longer document no more is looked at.
constexpr std::size_t kMostBytes = std::size_t{64} << 10U;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool space = true;
  for (const char c : text) {
    words += space && !is_space(c) ? 1U : 0U;
    space = is_space(c);
  }
  return words;
}

}  // namespace

std::optional<double> looks_like_documents(std::span<const std::string_view> values) {
  std::size_t words = 0;
  std::size_t count = 0;
  std::unordered_set<std::string_view> different;
  for (const auto value : values) {
    if (value.empty()) { continue; }
    ++count;
    const auto start = value.substr(0, kMostBytes);
    words += count_words(start);
    different.insert(start);
  }
  if (count == 0) { return std::nullopt; }
  const auto total = static_cast<double>(count);
  const double average = static_cast<double>(words) / total;
  const double share = static_cast<double>(different.size()) / total;
  if (average < kFewestWords || share < kFewestDifferent) { return std::nullopt; }
  return average;
}

std::string documents_note(const std::string& column, double words) {
  return "column '" + column + "' is read as documents (" + std::to_string(std::llround(words)) +
         " words on average); --kinds " + column + "=categorical reads it as levels";
}

}  // namespace logodds
