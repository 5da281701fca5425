#include "data/svmlight_line.hpp"

#include <fast_float/fast_float.h>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "data/csv_text.hpp"

namespace logodds {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// Cuts the first word off `text`; empty at the end.
std::string_view next_word(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && blank(text[begin])) { ++begin; }
  std::size_t end = begin;
  while (end < text.size() && !blank(text[end])) { ++end; }
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && blank(text.front())) { text.remove_prefix(1); }
  while (!text.empty() && blank(text.back())) { text.remove_suffix(1); }
  return text;
}

[[noreturn]] void fail(std::string_view word, const std::string& sentence) {
  throw std::invalid_argument(csv::shown(word) + " " + sentence);
}

double value_of(std::string_view word, std::string_view text) {
  if (text.starts_with('+')) { text.remove_prefix(1); }
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  const bool number = result.ec == std::errc() || result.ec == std::errc::result_out_of_range;
  if (!number || result.ptr != end) {
    fail(word, "is not of the form INDEX:VALUE; write an index, a colon and a number");
  }
  if (!std::isfinite(value)) { fail(word, "is not finite; remove the pair or the row"); }
  return value;
}

}  // namespace

bool svmlight_row(std::string_view line) {
  for (const char c : line) {
    if (!blank(c)) { return c != '#'; }
  }
  return false;
}

SvmlightLine split_svmlight(std::string_view line) {
  SvmlightLine result;
  std::string_view rest = line.substr(0, line.find('#'));
  std::string_view after = rest;
  const std::string_view first = next_word(after);
  if (first.find(':') == std::string_view::npos) {
    result.label = first;
    if (first.size() > 1 && first.starts_with('+')) { result.label.remove_prefix(1); }
    rest = after;
  }
  for (after = rest; next_word(after).starts_with("qid:"); rest = after) {}
  result.pairs = without_blanks(rest);
  return result;
}

std::optional<SvmlightPair> PairReader::next() {
  const std::string_view word = next_word(rest_);
  if (word.empty()) { return {}; }
  SvmlightPair pair;
  const char* const end = word.data() + word.size();
  const auto index = std::from_chars(word.data(), end, pair.index);
  if (index.ec != std::errc() || index.ptr == end || *index.ptr != ':') {
    fail(word, "is not of the form INDEX:VALUE; write an index, a colon and a number");
  }
  if (last_ && pair.index <= *last_) {
    fail(word, "comes after the index " + std::to_string(*last_) +
                   "; sort the pairs of the line by index, each once");
  }
  last_ = pair.index;
  const auto used = static_cast<std::size_t>(index.ptr + 1 - word.data());
  pair.value = value_of(word, word.substr(used));
  const bool zeros = used > 2 && word.front() == '0';
  plain_ = plain_ && !zeros && word[used] != '+' && pair.value != 0;
  return pair;
}

}  // namespace logodds
