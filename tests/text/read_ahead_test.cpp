#include "text/read_ahead.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

/// Scores are sums in the order of the terms, so the order is part of the result: a long term
/// overtakes the 16 short ones that were read last.
std::vector<std::string> in_stated_order(const std::vector<std::string>& words) {
  std::vector<std::string> waiting;
  std::vector<std::string> order;
  for (const auto& word : words) {
    if (word.size() > logodds::text::TermTable::kShort) {
      order.push_back(word);
      continue;
    }
    if (waiting.size() == 16) {
      order.push_back(waiting.front());
      waiting.erase(waiting.begin());
    }
    waiting.push_back(word);
  }
  order.insert(order.end(), waiting.begin(), waiting.end());
  return order;
}

std::vector<std::string> as_read(const std::vector<std::string>& words) {
  const logodds::text::TermRules rules;
  logodds::text::TermReader reader(rules);
  logodds::text::TermTable table;
  std::string document;
  for (const auto& word : words) {
    std::string padded = word + std::string(logodds::text::kPadding, '\0');
    table.insert({padded.data(), word.size()});
    document += word + " ";
  }
  std::vector<std::string> order;
  logodds::text::read_ahead(
      reader, document, table,
      [&](std::span<const logodds::text::TermTable::Key> keys, const double* amounts) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
          CHECK(amounts[i] == 1.0);
          order.emplace_back(table.bytes(table.slot_of(keys[i])));
        }
      },
      [&](std::string_view term, double) { order.emplace_back(term); });
  return order;
}

}  // namespace

TEST_CASE("read ahead: every term, the long ones before the last short ones") {
  for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 63U, 64U, 65U, 200U, 1000U}) {
    for (const std::size_t every : {1U, 2U, 5U, 23U, 70U, 5000U}) {
      std::vector<std::string> words;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string word = "w" + std::to_string(i);
        words.push_back(i % every == every - 1 ? word + "_of_many_characters" : word);
      }
      CHECK(as_read(words) == in_stated_order(words));
    }
  }
}
