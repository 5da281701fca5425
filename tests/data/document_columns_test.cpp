#include "data/document_columns.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace logodds;

namespace {

using Values = std::vector<std::string_view>;

}  // namespace

TEST_CASE("documents have five words on average, and most of them differ") {
  const Values names{"Braund, Mr. Owen Harris", "Heikkinen, Miss. Laina",
                     "Allen, Mr. William Henry"};
  CHECK_FALSE(looks_like_documents(names));
  const Values mails{"one two three four five six", "only four words here"};
  REQUIRE(looks_like_documents(mails));
  CHECK(*looks_like_documents(mails) == doctest::Approx(5.0));
  const Values short_mails{"one two three four five", "only four words here"};
  CHECK_FALSE(looks_like_documents(short_mails));
}

TEST_CASE("a few long levels that come again and again are levels") {
  constexpr std::string_view kHigh = "a level that is called by many words";
  constexpr std::string_view kLow = "and one more level of many words";
  const Values three_of_four{kHigh, kLow, "something else in five words", kLow};
  CHECK(looks_like_documents(three_of_four));
  const Values two_of_three{kHigh, kLow, kLow};
  CHECK_FALSE(looks_like_documents(two_of_three));
}

TEST_CASE("words are separated by any white space, and empty values do not count") {
  const Values mails{"a\tb\nc\r\nd  e ", "", std::string_view()};
  REQUIRE(looks_like_documents(mails));
  CHECK(*looks_like_documents(mails) == doctest::Approx(5.0));
  CHECK_FALSE(looks_like_documents(Values{}));
  CHECK_FALSE(looks_like_documents(Values{"", ""}));
}

TEST_CASE("of a document of megabytes the beginning is looked at") {
  std::string mail;
  while (mail.size() < (std::size_t{1} << 20U)) { mail += "abc "; }
  const auto words = looks_like_documents(Values{mail});
  REQUIRE(words);
  CHECK(*words == (std::size_t{64} << 10U) / 4);
}

TEST_CASE("the note names the column, its words and the way back") {
  CHECK(documents_note("body", 14.6) ==
        "column 'body' is read as documents (15 words on average); --kinds body=categorical reads "
        "it as levels");
}
