// What lanes have counted, put together in the order of the terms.
//
// Terms that begin alike make a part, and every part is sorted and added up by itself, over all
// lanes at once: no lane is ever sorted alone, and nothing is merged twice.
#include "stats/term_joining.hpp"

#include <algorithm>
#include <bit>

#include "parallel/team.hpp"

namespace logodds {

namespace {

constexpr std::size_t kMostParts = 64;  // enough for threads to end together

/// Both lists are in the order of their labels.
void add_entries(std::span<const TermCounts::Entry> a, std::span<const TermCounts::Entry> b,
                 std::vector<TermCounts::Entry>& sum) {
  sum.resize(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t n = 0;
  while (i < a.size() && j < b.size()) {
    const bool left = a[i].label <= b[j].label;
    const bool right = b[j].label <= a[i].label;
    sum[n] = left ? a[i] : b[j];
    if (left && right) { sum[n].amount += b[j].amount; }
    ++n;
    i += left ? 1U : 0U;
    j += right ? 1U : 0U;
  }
  for (; i < a.size(); ++i) { sum[n++] = a[i]; }
  for (; j < b.size(); ++j) { sum[n++] = b[j]; }
  sum.resize(n);
}

/// Runs of buckets that hold about as many terms each.
std::vector<std::uint16_t> parts_of(std::span<const std::size_t> bucket_sizes) {
  std::size_t all = 0;
  for (const std::size_t size : bucket_sizes) { all += size; }
  const std::size_t wanted = all / kMostParts + 1;
  std::vector<std::uint16_t> parts;
  parts.reserve(bucket_sizes.size());
  std::uint16_t part = 0;
  std::size_t held = 0;
  for (const std::size_t size : bucket_sizes) {
    if (held >= wanted) {
      ++part;
      held = 0;
    }
    held += size;
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

void sort_by_first(std::span<RankedTerm> terms, std::span<RankedTerm> room) {
  constexpr unsigned kDigit = 8;
  std::uint64_t differing = 0;
  for (const RankedTerm& term : terms) { differing |= term.first ^ terms.front().first; }
  std::span<RankedTerm> from = terms;
  std::span<RankedTerm> to = room;
  for (unsigned shift = 0; shift < 64; shift += kDigit) {
    if ((differing >> shift & 0xFFU) == 0) { continue; }
    std::array<std::uint32_t, 1U << kDigit> next{};
    for (const RankedTerm& term : from) { ++next[term.first >> shift & 0xFFU]; }
    std::uint32_t begin = 0;
    for (std::uint32_t& place : next) { begin += std::exchange(place, begin); }
    for (const RankedTerm& term : from) { to[next[term.first >> shift & 0xFFU]++] = term; }
    std::swap(from, to);
  }
  if (from.data() != terms.data()) { std::ranges::copy(from, terms.begin()); }
}

bool TermCounts::Counting::Part::before(const RankedTerm& a, const RankedTerm& b) const {
  if (a.next != b.next) { return a.next < b.next; }
  if (a.length == RankedTerm::kLong && b.length == RankedTerm::kLong) {
    const int order = bytes(a).compare(bytes(b));
    if (order != 0) { return order < 0; }
  }
  return a.length != b.length ? a.length < b.length : a.lane < b.lane;
}

bool TermCounts::Counting::Part::same(const RankedTerm& a, const RankedTerm& b) const {
  return a.first == b.first && a.next == b.next && a.length == b.length &&
         (a.length != RankedTerm::kLong || bytes(a) == bytes(b));
}

/// By the first eight bytes, then those that have the same.
void TermCounts::Counting::Part::sort(std::size_t part) {
  for (const Lane& lane : lanes_) {
    const auto terms = lane.terms(part);
    sorted_.insert(sorted_.end(), terms.begin(), terms.end());
  }
  std::vector<RankedTerm> room(sorted_.size());
  sort_by_first(sorted_, room);
  for (auto begin = sorted_.begin(); begin != sorted_.end();) {
    auto end = begin + 1;
    while (end != sorted_.end() && end->first == begin->first) { ++end; }
    if (end - begin > 1) {
      std::sort(begin, end,
                [this](const RankedTerm& a, const RankedTerm& b) { return before(a, b); });
    }
    begin = end;
  }
}

void TermCounts::Counting::Part::join(std::size_t part) {
  sort(part);
  constexpr std::size_t kUsualLength = 8;
  constexpr std::size_t kUsualEntries = 2;
  const std::size_t n = sorted_.size();
  terms_.reserve(n, kUsualLength * n, kUsualEntries * n);
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && same(sorted_[begin], sorted_[end])) { ++end; }
    add_term(std::span(sorted_).subspan(begin, end - begin));
    begin = end;
  }
  sorted_ = {};
}

/// `found`: of the lanes that have the term, in their order. Of a given vocabulary many terms are
/// in no document: these are left out.
void TermCounts::Counting::Part::add_term(std::span<const RankedTerm> found) {
  const RankedTerm& one = found.front();
  const std::array<std::uint64_t, 2> words{__builtin_bswap64(one.first),
                                           __builtin_bswap64(one.next)};
  const std::string_view term =
      one.length == RankedTerm::kLong
          ? bytes(one)
          : std::string_view(reinterpret_cast<const char*>(words.data()), one.length);
  const Sum sum = sum_of(found, std::bit_ceil(lanes_.size()), 1);
  if (!sum.entries.empty()) { terms_.append(term, sum.documents, sum.entries); }
}

/// Over so many lanes, of which `found` are those that have the term: of the first half, and of
/// the other half. `node`: of the tree of halves of halves, whose root is 1.
TermCounts::Counting::Part::Sum TermCounts::Counting::Part::sum_of(
    std::span<const RankedTerm> found, std::size_t width, std::size_t node) {
  if (found.size() == 1) {
    const Lane& lane = lanes_[found.front().lane];
    return {lane.documents_with(found.front().place), lane.entries(found.front().place)};
  }
  const std::size_t half = width / 2;
  std::size_t first = 0;
  while (first < found.size() && found[first].lane % width < half) { ++first; }
  if (first == 0) { return sum_of(found, half, 2 * node + 1); }
  if (first == found.size()) { return sum_of(found, half, 2 * node); }
  const Sum a = sum_of(found.first(first), half, 2 * node);
  const Sum b = sum_of(found.subspan(first), half, 2 * node + 1);
  add_entries(a.entries, b.entries, sums_[node]);
  return {a.documents + b.documents, sums_[node]};
}

void TermCounts::Counting::add_totals(TermCounts& result, std::span<Counting* const> lanes) {
  std::size_t classes = 0;
  for (const Counting* const lane : lanes) {
    if (lane == nullptr) { continue; }
    classes = std::max(classes, lane->documents_.size());
    result.totals_.add(lane->totals_);
  }
  std::vector<std::vector<double>> documents(std::bit_ceil(lanes.size()));
  for (std::size_t l = 0; l < documents.size(); ++l) {
    if (l < lanes.size() && lanes[l] != nullptr) { documents[l] = lanes[l]->documents_; }
    documents[l].resize(classes, 0.0);
  }
  for (std::size_t step = 1; step < documents.size(); step *= 2) {
    for (std::size_t l = 0; l < documents.size(); l += 2 * step) {
      for (std::size_t k = 0; k < classes; ++k) { documents[l][k] += documents[l + step][k]; }
    }
  }
  result.documents_ = std::move(documents.front());
}

TermCounts TermCounts::Counting::joined(std::span<Counting* const> countings, int threads) {
  const auto one =
      std::ranges::find_if(countings, [](const Counting* lane) { return lane != nullptr; });
  const auto plan = (*one)->plan_;
  TermCounts result(plan);
  add_totals(result, countings);
  std::vector<Lane> lanes(countings.size());
  const auto each_lane = [&](parallel::Team& team, const auto& work) {
    team.each(lanes.size(), [&](std::size_t lane) {
      if (countings[lane] != nullptr) { work(lane); }
    });
  };
  parallel::Team::run(threads, [&](parallel::Team& team) {
    each_lane(team, [&](std::size_t lane) { lanes[lane].collect(*countings[lane], lane); });
    std::vector<std::size_t> sizes(RankedTerm::kBuckets, 0);
    for (const Lane& lane : lanes) {
      for (std::size_t b = 0; b < lane.bucket_sizes().size(); ++b) {
        sizes[b] += lane.bucket_sizes()[b];
      }
    }
    const auto part_of = parts_of(sizes);
    std::vector<Part> parts(part_of.back() + std::size_t{1}, Part(lanes, plan));
    each_lane(team, [&](std::size_t lane) { lanes[lane].arrange(part_of, parts.size()); });
    team.each(parts.size(), [&](std::size_t p) { parts[p].join(p); });
    std::vector<Before> before(1);
    for (const Part& part : parts) { before.push_back(before.back().with(part.terms())); }
    result.make_room(before.back());
    team.each(parts.size(), [&](std::size_t p) { result.put(parts[p].terms(), before[p]); });
  });
  return result;
}

/// What stands before the next part.
TermCounts::Before TermCounts::Before::with(const TermCounts& part) const {
  return {terms + part.size(), bytes + part.bytes_.size(), entries + part.entries_.size()};
}

void TermCounts::make_room(const Before& all) {
  bytes_.resize(all.bytes);
  ends_.resize(all.terms);
  term_documents_.resize(all.terms);
  entries_.resize(all.entries);
  entry_ends_.resize(all.terms);
}

void TermCounts::put(const TermCounts& part, const Before& before) {
  std::ranges::copy(part.bytes_, bytes_.data() + before.bytes);
  std::ranges::copy(part.term_documents_, term_documents_.data() + before.terms);
  std::ranges::copy(part.entries_, entries_.data() + before.entries);
  for (std::size_t t = 0; t < part.size(); ++t) {
    ends_[before.terms + t] = before.bytes + part.ends_[t];
    entry_ends_[before.terms + t] = before.entries + part.entry_ends_[t];
  }
}

}  // namespace logodds
