// Terms looked up a little after they are read, so that memory has time to answer.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/term_reader.hpp"
#include "text/term_table.hpp"

namespace logodds::text {

/// Terms that wait between being read and being looked up.
class WaitingTerms {
 public:
  /// Terms looked up before a term of more than TermTable::kShort bytes are those that were read so
  /// many before it, whatever is looked up together.
  static constexpr std::size_t kAhead = 16;

  void add(std::string_view term, double amount, const TermTable& table) {
    keys_[size_] = TermTable::short_key(term);
    amounts_[size_] = amount;
    table.prefetch(keys_[size_++]);
  }
  void add_long(std::string_view term, double amount) {
    const std::size_t read = used_ + size_;
    long_terms_.push_back({read - std::min(read, kAhead), amount, PaddedTerm()});
    static_cast<void>(long_terms_.back().term.of(term));
  }
  [[nodiscard]] bool full() const { return size_ == kRoom; }

  /// See read_ahead(). `all`: none is to come; else the last ones wait on.
  template <class UseKeys, class UseLong>
  void use(bool all, const UseKeys& use_keys, const UseLong& use_long) {
    const std::size_t count = all ? size_ : size_ - kAhead;
    std::size_t done = 0;
    const auto use_to = [&](std::size_t end) {
      if (end > done) { use_keys(std::span(keys_).subspan(done, end - done), &amounts_[done]); }
      done = end;
    };
    std::size_t overtaken = 0;
    for (const LongTerm& term : long_terms_) {
      if (!all && term.before >= used_ + count) { break; }
      use_to(term.before - used_);
      use_long(term.term.view(), term.amount);
      ++overtaken;
    }
    use_to(count);
    forget(count, overtaken);
  }

 private:
  static constexpr std::size_t kRoom = 4 * kAhead;
  struct LongTerm {
    std::size_t before = 0;  ///< the number of the short term
    double amount = 0.0;
    PaddedTerm term;
  };
  void forget(std::size_t count, std::size_t long_terms) {
    std::copy(keys_.begin() + count, keys_.begin() + size_, keys_.begin());
    std::copy(amounts_.begin() + count, amounts_.begin() + size_, amounts_.begin());
    size_ -= count;
    used_ += count;
    long_terms_.erase(long_terms_.begin(),
                      long_terms_.begin() + static_cast<std::ptrdiff_t>(long_terms));
  }

  std::array<TermTable::Key, kRoom> keys_;
  std::array<double, kRoom> amounts_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;  ///< short terms
  std::vector<LongTerm> long_terms_;
};

/// Calls use_keys(keys, amounts) for the terms of the document that have a key of their own, some
/// at a time, whose slots are on their way from memory; and use_long(term, amount) for the others.
/// These overtake some, so the order is not that of the document.
template <class UseKeys, class UseLong>
void read_ahead(TermReader& reader, std::string_view document, const TermTable& table,
                const UseKeys& use_keys, const UseLong& use_long) {
  WaitingTerms waiting;
  reader.read(document, [&](std::string_view term, double amount) {
    if (term.size() > TermTable::kShort) {
      waiting.add_long(term, amount);
      return;
    }
    waiting.add(term, amount, table);
    if (waiting.full()) { waiting.use(false, use_keys, use_long); }
  });
  waiting.use(true, use_keys, use_long);
}

}  // namespace logodds::text
