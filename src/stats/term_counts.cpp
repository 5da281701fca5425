#include "stats/term_counts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "stats/level_counts.hpp"
#include "stats/term_counting.hpp"

namespace logodds {

void TermTotals::add(const TermTotals& other) {
  documents += other.documents;
  terms += other.terms;
  terms_ignored += other.terms_ignored;
  terms_dropped += other.terms_dropped;
  dropped_amount += other.dropped_amount;
  bad_characters += other.bad_characters;
  words_too_long += other.words_too_long;
}

TermCounts::TermCounts() : plan_(std::make_shared<const TermPlan>()) {}
TermCounts::TermCounts(std::shared_ptr<const TermPlan> plan) : plan_(std::move(plan)) {}
TermCounts::TermCounts(TermCounts&&) noexcept = default;
TermCounts& TermCounts::operator=(TermCounts&&) noexcept = default;
TermCounts::~TermCounts() = default;

TermCounts::TermCounts(const TermCounts& other)
    : plan_(other.plan_),
      counting_(other.counting_ ? std::make_unique<Counting>(*other.counting_) : nullptr),
      bytes_(other.bytes_),
      ends_(other.ends_),
      entries_(other.entries_),
      entry_ends_(other.entry_ends_),
      documents_(other.documents_),
      totals_(other.totals_) {}

TermCounts& TermCounts::operator=(const TermCounts& other) {
  TermCounts copy(other);
  *this = std::move(copy);
  return *this;
}

double TermCounts::all_documents() const {
  return std::accumulate(documents_.begin(), documents_.end(), 0.0);
}

void TermCounts::add(const RowBlock& block, std::size_t position, std::size_t classes) {
  if (!counting_) { counting_ = std::make_unique<Counting>(plan_); }
  counting_->add(block, position, classes);
}

void TermCounts::finish() {
  if (!counting_) { return; }
  const auto counting = std::move(counting_);
  TermCounts added = counting->sorted();
  if (ends_.empty() && all_documents() == 0.0) {
    *this = std::move(added);
  } else {
    merge(added);
  }
}

void TermCounts::append(std::string_view term, std::span<const Entry> entries) {
  bytes_ += term;
  ends_.push_back(bytes_.size());
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  entry_ends_.push_back(entries_.size());
}

namespace {

using Entry = TermCounts::Entry;

/// Both lists are in the order of their labels.
void add_entries(std::span<const Entry> a, std::span<const Entry> b, std::vector<Entry>& sum) {
  sum.clear();
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool left = j == b.size() || (i < a.size() && a[i].label <= b[j].label);
    const bool right = i == a.size() || (j < b.size() && b[j].label <= a[i].label);
    Entry entry = left ? a[i] : b[j];
    if (left && right) {
      entry.documents += b[j].documents;
      entry.amount += b[j].amount;
    }
    i += left ? 1 : 0;
    j += right ? 1 : 0;
    sum.push_back(entry);
  }
}

}  // namespace

void TermCounts::merge(const TermCounts& other) {
  totals_.add(other.totals_);
  documents_.resize(std::max(documents_.size(), other.documents_.size()), 0.0);
  for (std::size_t k = 0; k < other.documents_.size(); ++k) {
    documents_[k] += other.documents_[k];
  }
  TermCounts sum(plan_);
  sum.bytes_.reserve(bytes_.size() + other.bytes_.size());
  sum.ends_.reserve(ends_.size() + other.ends_.size());
  sum.entries_.reserve(entries_.size() + other.entries_.size());
  sum.entry_ends_.reserve(ends_.size() + other.ends_.size());
  std::vector<Entry> both;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < size() && j < other.size()) {
    const int order = term(i).compare(other.term(j));
    if (order < 0) {
      sum.append(term(i), entries(i));
    } else if (order > 0) {
      sum.append(other.term(j), other.entries(j));
    } else {
      add_entries(entries(i), other.entries(j), both);
      sum.append(term(i), both);
    }
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  for (; i < size(); ++i) { sum.append(term(i), entries(i)); }
  for (; j < other.size(); ++j) { sum.append(other.term(j), other.entries(j)); }
  bytes_.swap(sum.bytes_);
  ends_.swap(sum.ends_);
  entries_.swap(sum.entries_);
  entry_ends_.swap(sum.entry_ends_);
}

namespace {

[[noreturn]] void refuse(const std::string& column, std::string_view term) {
  throw Error(ErrorCode::input, "column '" + column + "': '" + std::string(term) +
                                    "' is to be forgotten, and the documents of that class do not "
                                    "have it as often; forget only rows that the model was trained "
                                    "on");
}

/// What is left of `a` without `b`; a class whose documents are gone has no entry.
void take_entries(std::span<const Entry> a, std::span<const Entry> b, const std::string& column,
                  std::string_view term, std::vector<Entry>& rest) {
  rest.assign(a.begin(), a.end());
  for (const Entry& gone : b) {
    const auto found = std::ranges::find(rest, gone.label, &Entry::label);
    if (found == rest.end()) { refuse(column, term); }
    const std::string place = "column '" + column + "', '" + std::string(term) + "'";
    found->documents = weight_without(found->documents, gone.documents, place);
    found->amount = weight_without(found->amount, gone.amount, place);
    if (found->documents == 0.0) { rest.erase(found); }
  }
}

}  // namespace

void TermCounts::unmerge(const TermCounts& other, const Schema& schema, const std::string& column) {
  totals_.add(other.totals_);
  for (std::size_t k = 0; k < other.documents_.size(); ++k) {
    documents_[k] = weight_without(documents_[k], other.documents_[k],
                                   "class '" + schema.labels[k] + "', column '" + column + "'");
  }
  TermCounts rest(plan_);
  std::vector<Entry> left;
  std::size_t j = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const bool gone = j < other.size() && other.term(j) == term(i);
    if (!gone) {
      rest.append(term(i), entries(i));
      continue;
    }
    take_entries(entries(i), other.entries(j++), column, term(i), left);
    if (!left.empty()) { rest.append(term(i), left); }
  }
  if (j < other.size()) { refuse(column, other.term(j)); }
  bytes_.swap(rest.bytes_);
  ends_.swap(rest.ends_);
  entries_.swap(rest.entries_);
  entry_ends_.swap(rest.entry_ends_);
}

void TermCounts::recode(std::span<const std::int32_t> labels, std::size_t classes) {
  std::vector<double> documents(classes, 0.0);
  for (std::size_t k = 0; k < documents_.size(); ++k) {
    if (labels[k] >= 0) { documents[static_cast<std::size_t>(labels[k])] += documents_[k]; }
  }
  documents_ = std::move(documents);
  bool same = true;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    same = same && labels[k] == static_cast<std::int32_t>(k);
  }
  if (same) { return; }
  TermCounts recoded(plan_);
  std::vector<Entry> moved;
  for (std::size_t t = 0; t < size(); ++t) {
    moved.clear();
    for (Entry entry : entries(t)) {
      entry.label = labels[static_cast<std::size_t>(entry.label)];
      if (entry.label >= 0) { moved.push_back(entry); }
    }
    std::ranges::sort(moved, {}, &Entry::label);
    if (!moved.empty()) { recoded.append(term(t), moved); }
  }
  bytes_.swap(recoded.bytes_);
  ends_.swap(recoded.ends_);
  entries_.swap(recoded.entries_);
  entry_ends_.swap(recoded.entry_ends_);
}

namespace {

template <class Value, class Pick>
std::vector<Value> picked(const std::vector<Entry>& entries, Pick pick) {
  std::vector<Value> values;
  values.reserve(entries.size());
  for (const Entry& entry : entries) { values.push_back(static_cast<Value>(pick(entry))); }
  return values;
}

bool whole(const std::vector<Entry>& entries, double Entry::* value) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  return std::ranges::all_of(entries, [&](const Entry& entry) {
    const double number = entry.*value;
    return number >= 0.0 && number <= kMost && number == std::floor(number);
  });
}

/// As integers where all are, which takes half the room.
void save_values(modelfile::Writer& writer, const std::string& name,
                 const std::vector<Entry>& entries, double Entry::* value) {
  const auto pick = [&](const Entry& entry) { return entry.*value; };
  if (whole(entries, value)) {
    writer.tensor(name, picked<std::int32_t>(entries, pick), {entries.size()});
  } else {
    writer.tensor(name + ".real", picked<double>(entries, pick), {entries.size()});
  }
}

void load_values(const modelfile::Reader& reader, const std::string& name,
                 std::vector<Entry>& entries, double Entry::* value) {
  const std::size_t n = entries.size();
  const bool integers = reader.has_tensor(name);
  const auto counts = integers ? reader.integers(name, {n}) : std::vector<std::int32_t>{};
  const auto reals = integers ? std::vector<double>{} : reader.doubles(name + ".real", {n});
  for (std::size_t i = 0; i < n; ++i) {
    entries[i].*value = integers ? counts[i] : reals[i];
    if (!std::isfinite(entries[i].*value) || entries[i].*value < 0.0) {
      reader.fail("its counts of terms are none");
    }
  }
}

/// Ends to lengths.
std::vector<std::int32_t> lengths(const std::vector<std::size_t>& ends) {
  std::vector<std::int32_t> result;
  result.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    result.push_back(static_cast<std::int32_t>(end - begin));
    begin = end;
  }
  return result;
}

/// Lengths to ends; the last must be `size`.
std::vector<std::size_t> ends_of(const std::vector<std::int32_t>& lengths, std::size_t size,
                                 const modelfile::Reader& reader) {
  std::vector<std::size_t> ends;
  ends.reserve(lengths.size());
  std::size_t end = 0;
  for (const std::int32_t length : lengths) {
    if (length <= 0) { reader.fail("its terms have lengths that are none"); }
    end += static_cast<std::size_t>(length);
    ends.push_back(end);
  }
  if (end != size) { reader.fail("its terms do not fill their place"); }
  return ends;
}

}  // namespace

void TermCounts::save(modelfile::Writer& writer, const std::string& prefix) const {
  writer.tensor(prefix + ".terms", std::string_view(bytes_));
  writer.tensor(prefix + ".lengths", lengths(ends_), {size()});
  writer.tensor(prefix + ".classes", lengths(entry_ends_), {size()});
  const std::size_t n = entries_.size();
  writer.tensor(prefix + ".labels",
                picked<std::int32_t>(entries_, [](const Entry& e) { return e.label; }), {n});
  save_values(writer, prefix + ".documents", entries_, &Entry::documents);
  save_values(writer, prefix + ".counts", entries_, &Entry::amount);
  writer.tensor(prefix + ".weights", documents_, {documents_.size()});
}

TermCounts TermCounts::load(const modelfile::Reader& reader, std::size_t classes,
                            const std::string& prefix, std::shared_ptr<const TermPlan> plan) {
  TermCounts loaded(std::move(plan));
  loaded.bytes_ = reader.byte_string(prefix + ".terms");
  const auto only = [&](const std::string& name) {
    const auto& shape = reader.shape(prefix + name);
    return shape.size() == 1 ? shape.front() : 0;
  };
  const std::size_t terms = only(".lengths");
  const std::size_t n = only(".labels");
  loaded.ends_ =
      ends_of(reader.integers(prefix + ".lengths", {terms}), loaded.bytes_.size(), reader);
  loaded.entry_ends_ = ends_of(reader.integers(prefix + ".classes", {terms}), n, reader);
  const auto labels = reader.integers(prefix + ".labels", {n});
  loaded.entries_.resize(n);
  load_values(reader, prefix + ".documents", loaded.entries_, &Entry::documents);
  load_values(reader, prefix + ".counts", loaded.entries_, &Entry::amount);
  for (std::size_t i = 0; i < n; ++i) {
    if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= classes) {
      reader.fail("its terms belong to no class");
    }
    loaded.entries_[i].label = labels[i];
  }
  for (std::size_t t = 0; t < terms; ++t) {
    const auto of_term = loaded.entries(t);
    const bool ordered = std::ranges::is_sorted(of_term, std::ranges::less_equal{}, &Entry::label);
    if (!ordered || (t > 0 && loaded.term(t - 1) >= loaded.term(t))) {
      reader.fail("its terms are not in order");
    }
  }
  loaded.documents_ = reader.doubles(prefix + ".weights", {classes});
  if (std::ranges::any_of(loaded.documents_,
                          [](double v) { return !std::isfinite(v) || v < 0.0; })) {
    reader.fail("its documents are not counted");
  }
  return loaded;
}

}  // namespace logodds
