// What lanes have counted, put together in the order of the terms.
//
// Terms that begin alike make a part, and every part is sorted and added up by itself, over all
// lanes at once: no lane is ever sorted alone, and nothing is merged twice. Sums are added up once
// to see how many there are, and once more to put them where they stay: that takes less time than
// memory for a copy.
#include "stats/term_joining.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "parallel/team.hpp"

namespace logodds {

namespace {

constexpr std::size_t kMostParts = 64;  // enough for threads to end together

/// To its place in the order of the labels.
void add_entry(const TermCounts::Entry& entry, std::vector<TermCounts::Entry>& entries) {
  auto place = entries.end();
  while (place != entries.begin() && (place - 1)->label >= entry.label) { --place; }
  if (place != entries.end() && place->label == entry.label) {
    place->amount += entry.amount;
  } else {
    entries.insert(place, entry);
  }
}

/// Where the terms go: part by part, and in a part lane by lane.
struct Layout {
  std::vector<std::uint16_t> part_of;            ///< by bucket
  std::vector<std::vector<std::size_t>> starts;  ///< by lane and part
  std::vector<std::size_t> parts;                ///< where each begins, and one behind the last
};

/// Parts are runs of buckets that hold about as many terms each.
template <class Lanes>
Layout layout_of(const Lanes& lanes) {
  std::size_t all = 0;
  for (const auto& lane : lanes) {
    for (const std::uint32_t size : lane.bucket_sizes()) { all += size; }
  }
  const std::size_t wanted = all / kMostParts + 1;
  Layout layout{.part_of = {}, .starts = {}, .parts = {0}};
  layout.starts.resize(lanes.size());
  std::vector<std::size_t> in_part(lanes.size(), 0);
  const auto end_part = [&] {
    std::size_t next = layout.parts.back();
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      layout.starts[l].push_back(next);
      next += std::exchange(in_part[l], 0);
    }
    layout.parts.push_back(next);
  };
  std::size_t held = 0;
  for (std::size_t bucket = 0; bucket < RankedTerm::kBuckets; ++bucket) {
    if (held >= wanted) {
      end_part();
      held = 0;
    }
    layout.part_of.push_back(static_cast<std::uint16_t>(layout.parts.size() - 1));
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      if (lanes[l].bucket_sizes().empty()) { continue; }
      in_part[l] += lanes[l].bucket_sizes()[bucket];
      held += lanes[l].bucket_sizes()[bucket];
    }
  }
  end_part();
  return layout;
}

}  // namespace

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
void TermCounts::Counting::Part::sort() {
  memory::LargeVector<RankedTerm> room(terms_.size());
  sort_by_first(terms_, room);
  for (auto begin = terms_.begin(); begin != terms_.end();) {
    auto end = begin + 1;
    while (end != terms_.end() && end->first == begin->first) { ++end; }
    if (end - begin > 1) {
      std::sort(begin, end,
                [this](const RankedTerm& a, const RankedTerm& b) { return before(a, b); });
    }
    begin = end;
  }
}

template <class Use>
void TermCounts::Counting::Part::each_term(const Use& use) const {
  constexpr std::size_t kAhead = 16;
  for (std::size_t begin = 0; begin < terms_.size();) {
    std::size_t end = begin + 1;
    while (end < terms_.size() && same(terms_[begin], terms_[end])) { ++end; }
    for (std::size_t i = begin + kAhead; i < std::min(end + kAhead, terms_.size()); ++i) {
      const RankedTerm& term = terms_[i];
      if (term.elsewhere) { lanes_[term.lane].whole().prefetch(term.number); }
    }
    use(std::span<const RankedTerm>(terms_.subspan(begin, end - begin)));
    begin = end;
  }
}

void TermCounts::Counting::Part::add_whole(std::span<const RankedTerm> found) {
  rows_.clear();
  for (const RankedTerm& term : found) {
    if (term.elsewhere) { rows_.push_back(lanes_[term.lane].whole().row(term.number)); }
  }
  if (!rows_.empty()) {
    each_class(rows_, classes_, [this](std::size_t label) {
      std::uint64_t amount = 0;
      for (const auto& row : rows_) { amount += row.count(label); }
      whole_.push_back({static_cast<std::int32_t>(label), static_cast<double>(amount)});
    });
  }
  for (const RankedTerm& term : found) {
    if (term.amount > 0) {
      add_entry({static_cast<std::int32_t>(term.label), 1.0 * term.amount}, whole_);
    }
  }
}

std::span<const TermCounts::Entry> TermCounts::Counting::Part::entries_of(
    std::span<const RankedTerm> found) {
  whole_.clear();
  add_whole(found);
  const bool no_sums =
      std::ranges::none_of(found, [&](const auto& term) { return lanes_[term.lane].has_sums(); });
  if (no_sums) { return whole_; }
  add_entries(whole_, sum_of(found, std::bit_ceil(lanes_.size()), 1), both_);
  return both_;
}

/// Of a given vocabulary many terms are in no document: these are left out.
TermCounts::Before TermCounts::Counting::Part::measure() {
  Before all;
  each_term([&](std::span<const RankedTerm> found) {
    const std::size_t entries = entries_of(found).size();
    if (entries == 0) { return; }
    const RankedTerm& one = found.front();
    all.bytes += one.length == RankedTerm::kLong ? bytes(one).size() : one.length;
    all.entries += entries;
    ++all.terms;
  });
  return all;
}

void TermCounts::Counting::Part::put(TermCounts& result, const Before& before) {
  Before at = before;
  each_term([&](std::span<const RankedTerm> found) {
    const auto entries = entries_of(found);
    if (entries.empty()) { return; }
    std::ranges::copy(entries, result.entries_.data() + at.entries);
    at.entries += entries.size();
    const RankedTerm& one = found.front();
    const std::array<std::uint64_t, 2> words{__builtin_bswap64(one.first),
                                             __builtin_bswap64(one.next)};
    const std::string_view term =
        one.length == RankedTerm::kLong
            ? bytes(one)
            : std::string_view(reinterpret_cast<const char*>(words.data()), one.length);
    term.copy(result.bytes_.data() + at.bytes, term.size());
    at.bytes += term.size();
    double documents = 0.0;
    for (const RankedTerm& of_lane : found) {
      documents += lanes_[of_lane.lane].documents_with(of_lane);
    }
    result.ends_[at.terms] = at.bytes;
    result.entry_ends_[at.terms] = at.entries;
    result.term_documents_[at.terms++] = documents;
  });
}

/// Over so many lanes, of which `found` are those that have the term: of the first half, and of
/// the other half. `node`: of the tree of halves of halves, whose root is 1.
std::span<const TermCounts::Entry> TermCounts::Counting::Part::sum_of(
    std::span<const RankedTerm> found, std::size_t width, std::size_t node) {
  if (found.size() == 1) {
    const Lane& lane = lanes_[found.front().lane];
    return lane.has_sums() ? lane.entries(found.front().number) : std::span<const Entry>();
  }
  const std::size_t half = width / 2;
  std::size_t first = 0;
  while (first < found.size() && found[first].lane % width < half) { ++first; }
  if (first == 0) { return sum_of(found, half, 2 * node + 1); }
  if (first == found.size()) { return sum_of(found, half, 2 * node); }
  const auto a = sum_of(found.first(first), half, 2 * node);
  const auto b = sum_of(found.subspan(first), half, 2 * node + 1);
  add_entries(a, b, halves_[node]);
  return halves_[node];
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
  TermCounts result((*one)->plan_);
  add_totals(result, countings);
  std::vector<Lane> lanes(countings.size());
  const auto each_lane = [&](parallel::Team& team, const auto& work) {
    team.each(lanes.size(), [&](std::size_t lane) {
      if (countings[lane] != nullptr) { work(lane); }
    });
  };
  parallel::Team::run(threads, [&](parallel::Team& team) {
    each_lane(team, [&](std::size_t lane) { lanes[lane].survey(*countings[lane], lane); });
    const Layout layout = layout_of(lanes);
    memory::LargeVector<RankedTerm> terms(layout.parts.back());
    each_lane(team, [&](std::size_t lane) {
      lanes[lane].collect(layout.part_of, layout.starts[lane], terms);
    });
    std::vector<Part> parts;
    for (std::size_t p = 0; p + 1 < layout.parts.size(); ++p) {
      const std::size_t size = layout.parts[p + 1] - layout.parts[p];
      parts.emplace_back(lanes, std::span(terms).subspan(layout.parts[p], size),
                         result.documents_.size());
    }
    std::vector<Before> sizes(parts.size());
    team.each(parts.size(), [&](std::size_t p) {
      parts[p].sort();
      sizes[p] = parts[p].measure();
    });
    std::vector<Before> before(1);
    for (const Before& size : sizes) { before.push_back(before.back().with(size)); }
    result.make_room(before.back());
    team.each(parts.size(), [&](std::size_t p) { parts[p].put(result, before[p]); });
  });
  return result;
}

/// What stands before the next part.
TermCounts::Before TermCounts::Before::with(const Before& part) const {
  return {terms + part.terms, bytes + part.bytes, entries + part.entries};
}

void TermCounts::make_room(const Before& all) {
  bytes_.resize(all.bytes);
  ends_.resize(all.terms);
  term_documents_.resize(all.terms);
  entries_.resize(all.entries);
  entry_ends_.resize(all.terms);
}

}  // namespace logodds
