#include "text/term_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "logodds/parallel/blocks.hpp"
#include "text/padding.hpp"

using logodds::text::PaddedTerm;
using logodds::text::TermTable;

namespace {

/// Terms of every length around the border of those that a slot holds itself.
std::string term_of(std::size_t i) {
  return std::to_string(i) + std::string(i % 40, static_cast<char>('a' + i % 26));
}

}  // namespace

TEST_CASE("term table: every term has its number, in the order of first appearance") {
  TermTable table;
  PaddedTerm padded;
  constexpr std::size_t kTerms = 20000;  // through several growths
  for (std::size_t i = 0; i < kTerms; ++i) {
    CHECK(table.insert(padded.of(term_of(i))).number() == i);
  }
  REQUIRE(table.size() == kTerms);
  for (std::size_t i = 0; i < kTerms; ++i) {
    const std::string term = term_of(i);
    const auto view = padded.of(term);
    REQUIRE(table.find(view) != nullptr);
    CHECK(table.find(view)->number() == i);
    CHECK(table.bytes(*table.find(view)) == term);
    CHECK(table.insert(view).number() == i);
    if (term.size() <= TermTable::kShort) {
      CHECK(table.find(TermTable::short_key(view)) == table.find(view));
      CHECK(table.insert(TermTable::short_key(view)).number() == i);
    }
  }
  CHECK(table.find(padded.of("never")) == nullptr);
  CHECK(table.find(padded.of("never at all in this table")) == nullptr);
  CHECK(table.size() == kTerms);
}

TEST_CASE("term table: terms are told apart by length, and by every byte") {
  TermTable table;
  PaddedTerm padded;
  const std::string zero("a\0", 2);
  const std::string longer(64, 'x');
  std::string other = longer;
  other[40] = 'y';
  for (const std::string& term : {std::string("a"), zero, std::string(), longer, other}) {
    const std::size_t before = table.size();
    CHECK(table.insert(padded.of(term)).number() == before);
  }
  CHECK(table.terms() ==
        std::vector<std::string>{std::string("a"), zero, std::string(), longer, other});
}

TEST_CASE("term table: what the user keeps in a slot survives its moves") {
  TermTable table;
  PaddedTerm padded;
  for (std::size_t i = 0; i < 5000; ++i) {
    table.insert(padded.of(term_of(i))).document = static_cast<std::uint32_t>(7 * i);
  }
  for (std::size_t i = 0; i < 5000; ++i) {
    CHECK(table.find(padded.of(term_of(i)))->document == 7 * i);
  }
}

TEST_CASE("term table: cleared, it is as new") {
  TermTable table;
  PaddedTerm padded;
  table.insert(padded.of("one"));
  table.insert(padded.of("one that is longer than a slot"));
  table.clear();
  CHECK(table.size() == 0);
  CHECK(table.find(padded.of("one")) == nullptr);
  CHECK(table.insert(padded.of("two")).number() == 0);
}

TEST_CASE("term table: terms that are known to differ are placed by many threads [threads]") {
  constexpr std::size_t kTerms = 3000;
  constexpr std::size_t kThreads = 3;
  std::vector<std::size_t> long_at(kTerms);
  std::size_t long_bytes = 0;
  for (std::size_t i = 0; i < kTerms; ++i) {
    long_at[i] = long_bytes;
    const std::size_t bytes = term_of(i).size();
    long_bytes += bytes > TermTable::kShort ? bytes : 0;
  }
  TermTable table;
  table.prepare(kTerms, long_bytes);
  logodds::parallel::run_lanes(kThreads, kThreads, [&](std::size_t lane) {
    PaddedTerm padded;
    for (std::size_t i = lane; i < kTerms; i += kThreads) {
      const auto term = padded.of(term_of(i));
      auto& slot =
          table.place(term, TermTable::key(term), static_cast<std::uint32_t>(i), long_at[i]);
      slot.document = static_cast<std::uint32_t>(5 * i);
    }
  });
  PaddedTerm padded;
  CHECK(table.size() == kTerms);
  for (std::size_t i = 0; i < kTerms; ++i) {
    const auto* const slot = table.find(padded.of(term_of(i)));
    REQUIRE(slot != nullptr);
    CHECK(slot->number() == i);
    CHECK(slot->document == 5 * i);
    CHECK(table.bytes(*slot) == term_of(i));
  }
  CHECK(table.find(padded.of("never")) == nullptr);
  CHECK(table.insert(padded.of("later")).number() == kTerms);
}
