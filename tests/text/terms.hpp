// The terms of a document as a list.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/term_reader.hpp"

namespace logodds::text::testing {

using Terms = std::vector<std::string>;

inline Terms terms_of(TermReader& reader, std::string_view document) {
  Terms terms;
  reader.read(document, [&](std::string_view term, double) { terms.emplace_back(term); });
  return terms;
}

inline Terms terms_of(const TermRules& rules, std::string_view document) {
  TermReader reader(rules);
  return terms_of(reader, document);
}

inline std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) { result += text; }
  return result;
}

/// A piece of FoldedText is shorter.
inline constexpr std::size_t kManyBytes = 100'000;

}  // namespace logodds::text::testing
