// The separators found 64 bytes at a time against those found byte by byte.
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "data/csv_index.hpp"

namespace {

std::vector<std::uint32_t> one_by_one(const std::string& text, char delimiter, bool quotes) {
  std::vector<std::uint32_t> offsets;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    quoted ^= quotes && text[i] == '"';
    if (!quoted && (text[i] == delimiter || text[i] == '\n')) {
      offsets.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return offsets;
}

std::vector<std::uint32_t> indexed(const std::string& text, char delimiter, bool quotes) {
  std::vector<std::uint32_t> offsets;
  const std::size_t count = logodds::csv::index_separators(text, delimiter, offsets, quotes);
  offsets.resize(count);
  return offsets;
}

}  // namespace

TEST_CASE("separators in random text, with and without quotes, of every length") {
  std::mt19937 random(11);
  for (const std::string alphabet : {"ab12.,\n", "a,\"\n", ",,,,\n", "abcdefgh"}) {
    for (std::size_t length = 0; length < 300; ++length) {
      std::string text;
      while (text.size() < length) { text += alphabet[random() % alphabet.size()]; }
      CAPTURE(text);
      CHECK(indexed(text, ',', true) == one_by_one(text, ',', true));
      CHECK(indexed(text, ',', false) == one_by_one(text, ',', false));
    }
  }
}
