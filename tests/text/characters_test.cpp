// N-grams of characters, across and within words.
#include <algorithm>

#include "text/terms.hpp"

using namespace logodds::text;
using namespace logodds::text::testing;

namespace {

TermRules characters(std::size_t shortest, std::size_t longest, Unit unit = Unit::chars) {
  return {.unit = unit, .shortest = shortest, .longest = longest};
}

/// All n-grams of an ASCII text, the plain way, by their last character.
Terms grams(const std::string& text, std::size_t shortest, std::size_t longest) {
  Terms terms;
  for (std::size_t end = 1; end <= text.size(); ++end) {
    for (std::size_t n = shortest; n <= std::min(longest, end); ++n) {
      terms.push_back(text.substr(end - n, n));
    }
  }
  return terms;
}

}  // namespace

TEST_CASE("runs of white space are one space, a single one stays what it is") {
  CHECK(terms_of(characters(1, 1), "A\tb \n c") == Terms{"a", "\t", "b", " ", "c"});
  CHECK(terms_of(characters(2, 2), "\u00A0\u2003x\u3000") == Terms{" x", "x\u3000"});
  CHECK(terms_of(characters(1, 1), "  ") == Terms{" "});
  CHECK(terms_of(characters(1, 3), "").empty());
  CHECK(terms_of(characters(3, 5), "ab").empty());
}

TEST_CASE("characters, not bytes, are counted") {
  CHECK(terms_of(characters(2, 3), "\u00C9\u4E2Dx") ==
        Terms{"\u00E9\u4E2D", "\u4E2Dx", "\u00E9\u4E2Dx"});
  CHECK(terms_of(characters(2, 2), "\u0130a") == Terms{"i\u0307",
                                                       "\u0307"
                                                       "a"});
}

TEST_CASE("n-grams of characters go on across pieces") {
  std::string text = repeated("abc defg", kManyBytes / 8);
  CHECK(terms_of(characters(3, 5), text) == grams(text, 3, 5));
  text = "ab" + std::string(kManyBytes, ' ') + "cd";
  CHECK(terms_of(characters(1, 4), text) == grams("ab cd", 1, 4));
}

TEST_CASE("within words, each between two spaces") {
  const auto within = [](std::size_t shortest, std::size_t longest, std::string_view text) {
    return terms_of(characters(shortest, longest, Unit::chars_in_words), text);
  };
  CHECK(within(3, 3, " Ab\n c") == Terms{" ab", "ab ", " c "});
  CHECK(within(2, 3, "ab") == grams(" ab ", 2, 3));
  CHECK(within(5, 7, "ab c") == Terms{" ab ", " c "});  // shorter than all: once, as it is
  CHECK(within(4, 7, "ab") == Terms{" ab "});
  CHECK(within(3, 4, " \t ").empty());
  CHECK(within(3, 4, std::string(kManyBytes, 'x')) ==
        grams(" " + std::string(kManyBytes, 'x') + " ", 3, 4));
}
