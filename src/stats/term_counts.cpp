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
      term_documents_(other.term_documents_),
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

void TermCounts::append(std::string_view term, double documents, std::span<const Entry> entries) {
  bytes_ += term;
  ends_.push_back(bytes_.size());
  term_documents_.push_back(documents);
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  entry_ends_.push_back(entries_.size());
}

void TermCounts::reserve(std::size_t terms, std::size_t bytes, std::size_t entries) {
  bytes_.reserve(bytes);
  ends_.reserve(terms);
  term_documents_.reserve(terms);
  entries_.reserve(entries);
  entry_ends_.reserve(terms);
}

void TermCounts::swap_terms(TermCounts& other) {
  bytes_.swap(other.bytes_);
  ends_.swap(other.ends_);
  term_documents_.swap(other.term_documents_);
  entries_.swap(other.entries_);
  entry_ends_.swap(other.entry_ends_);
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
    if (left && right) { entry.amount += b[j].amount; }
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
  sum.reserve(size() + other.size(), bytes_.size() + other.bytes_.size(),
              entries_.size() + other.entries_.size());
  std::vector<Entry> both;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < size() && j < other.size()) {
    const int order = term(i).compare(other.term(j));
    if (order < 0) {
      sum.append(*this, i);
    } else if (order > 0) {
      sum.append(other, j);
    } else {
      add_entries(entries(i), other.entries(j), both);
      sum.append(term(i), documents_with(i) + other.documents_with(j), both);
    }
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  for (; i < size(); ++i) { sum.append(*this, i); }
  for (; j < other.size(); ++j) { sum.append(other, j); }
  swap_terms(sum);
}

namespace {

[[noreturn]] void refuse(const std::string& column, std::string_view term) {
  throw Error(ErrorCode::input, "column '" + column + "': '" + std::string(term) +
                                    "' is to be forgotten, and the documents of that class do not "
                                    "have it as often; forget only rows that the model was trained "
                                    "on");
}

/// What is left of `a` without `b`.
void take_entries(std::span<const Entry> a, std::span<const Entry> b, const std::string& place,
                  std::vector<Entry>& rest) {
  rest.assign(a.begin(), a.end());
  for (const Entry& gone : b) {
    const auto found = std::ranges::find(rest, gone.label, &Entry::label);
    const double before = found == rest.end() ? 0.0 : found->amount;
    const double left = weight_without(before, gone.amount, place);
    if (found == rest.end()) { continue; }
    found->amount = left;
    if (left == 0.0) { rest.erase(found); }
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
      rest.append(*this, i);
      continue;
    }
    const std::string place = "column '" + column + "', '" + std::string(term(i)) + "'";
    const double documents = weight_without(documents_with(i), other.documents_with(j), place);
    take_entries(entries(i), other.entries(j++), place, left);
    if (documents > 0.0) { rest.append(term(i), documents, left); }
  }
  if (j < other.size()) { refuse(column, other.term(j)); }
  swap_terms(rest);
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
    if (!moved.empty()) { recoded.append(term(t), documents_with(t), moved); }
  }
  swap_terms(recoded);
}

namespace {

/// As integers where all are, which takes half the room.
void save_values(modelfile::Writer& writer, const std::string& name, std::vector<double> values) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  const bool whole = std::ranges::all_of(
      values, [](double v) { return v >= 0.0 && v <= kMost && v == std::floor(v); });
  if (whole) {
    const std::vector<std::int32_t> integers(values.begin(), values.end());
    writer.tensor(name, integers, {values.size()});
  } else {
    writer.tensor(name + ".real", values, {values.size()});
  }
}

std::vector<double> load_values(const modelfile::Reader& reader, const std::string& name,
                                std::size_t n) {
  std::vector<double> values;
  if (reader.has_tensor(name)) {
    const auto integers = reader.integers(name, {n});
    values.assign(integers.begin(), integers.end());
  } else {
    values = reader.doubles(name + ".real", {n});
  }
  if (std::ranges::any_of(values, [](double v) { return !std::isfinite(v) || v < 0.0; })) {
    reader.fail("its counts of terms are none");
  }
  return values;
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
  std::vector<std::int32_t> labels;
  std::vector<double> amounts;
  for (const Entry& entry : entries_) {
    labels.push_back(entry.label);
    amounts.push_back(entry.amount);
  }
  writer.tensor(prefix + ".labels", labels, {labels.size()});
  save_values(writer, prefix + ".counts", std::move(amounts));
  save_values(writer, prefix + ".documents", term_documents_);
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
  const auto amounts = load_values(reader, prefix + ".counts", n);
  loaded.term_documents_ = load_values(reader, prefix + ".documents", terms);
  loaded.entries_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= classes) {
      reader.fail("its terms belong to no class");
    }
    loaded.entries_[i] = {labels[i], amounts[i]};
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
