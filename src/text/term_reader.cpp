#include "text/term_reader.hpp"

#include <charconv>
#include <cmath>

#include "kernels/runs.hpp"

namespace logodds::text {

TermReader::TermReader(const TermRules& rules)
    : rules_(rules),
      text_(!rules.keep_case && rules.unit != Unit::pairs,
            rules.unit == Unit::words ? kernels::Marks::words : kernels::Marks::items,
            rules.unit == Unit::words || rules.unit == Unit::pairs),
      grams_(rules.shortest, rules.longest),
      character_grams_(rules.shortest, rules.longest) {
  std::string padded;
  for (const std::string& word : rules.stop_words) {
    padded.assign(word).append(kPadding, '\0');
    stop_words_.insert({padded.data(), word.size()});
  }
}

std::span<const TermReader::Run> TermReader::runs(bool singles) {
  constexpr std::size_t kBehind = 8;  // see run_edges()
  const std::size_t needed = text_.whole() + kBehind;
  if (edges_room_ < needed) {
    edges_ = std::make_unique_for_overwrite<std::uint32_t[]>(2 * needed);
    edges_room_ = 2 * needed;
  }
  const std::size_t count = kernels::run_edges(text_.marks(), text_.whole(), singles, edges_.get());
  return {reinterpret_cast<const Run*>(edges_.get()), count / 2};
}

std::string_view TermReader::hashed(std::string_view term) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint32_t bucket = hash_bucket(term, rules_.hash_bits);
  const std::size_t digits = (rules_.hash_bits + 3) / 4;
  hashed_[0] = '#';
  for (std::size_t i = digits; i > 0; --i, bucket >>= 4U) { hashed_[i] = kDigits[bucket & 15U]; }
  return {hashed_, digits + 1};
}

Pair pair_of(std::string_view item) {
  const std::size_t colon = item.rfind(':');
  if (colon == std::string_view::npos || colon == 0) { return {item}; }
  double amount = 0.0;
  const char* const end = item.data() + item.size();
  const auto [stop, error] = std::from_chars(item.data() + colon + 1, end, amount);
  if (error != std::errc() || stop != end || !std::isfinite(amount)) { return {item}; }
  return {item.substr(0, colon), amount};
}

}  // namespace logodds::text
