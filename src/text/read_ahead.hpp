// Terms looked up a little after they are read, so that memory has time to answer.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "text/term_reader.hpp"
#include "text/term_table.hpp"

namespace logodds::text {

/// For every term of the document use(look_up(term or its key), amount). Terms that are too long
/// for a key of their own overtake the others, so the order is not that of the document.
template <class LookUp, class Use>
void read_ahead(TermReader& reader, std::string_view document, const TermTable& table,
                const LookUp& look_up, const Use& use) {
  constexpr std::size_t kAhead = 16;
  std::array<std::pair<TermTable::Key, double>, kAhead> waiting;
  std::size_t terms = 0;
  reader.read(document, [&](std::string_view term, double amount) {
    if (term.size() > TermTable::kShort) {
      use(look_up(term), amount);
      return;
    }
    auto& [key, waited] = waiting[terms % kAhead];
    if (terms >= kAhead) { use(look_up(key), waited); }
    key = TermTable::short_key(term);
    waited = amount;
    table.prefetch(key);
    ++terms;
  });
  for (std::size_t i = terms - std::min(terms, kAhead); i < terms; ++i) {
    use(look_up(waiting[i % kAhead].first), waiting[i % kAhead].second);
  }
}

}  // namespace logodds::text
