// Counts of terms to and from a model file.
#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/modelfile/container.hpp"
#include "stats/term_counting.hpp"
#include "stats/term_counts.hpp"

namespace logodds {

namespace {

/// value(0) ... value(n - 1), as integers where all are, which takes half the room.
template <class Value>
void save_values(modelfile::Writer& writer, const std::string& name, std::size_t n,
                 const Value& value) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> integers(n);
  bool whole = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double v = value(i);
    const bool fits = v >= 0.0 && v <= kMost;
    integers[i] = fits ? static_cast<std::int32_t>(v) : 0;
    whole = whole && fits && v == static_cast<double>(integers[i]);
  }
  if (whole) { return writer.tensor(name, integers, {n}); }
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) { values[i] = value(i); }
  writer.tensor(name + ".real", values, {n});
}

memory::LargeVector<double> load_values(const modelfile::Reader& reader, const std::string& name,
                                        std::size_t n) {
  memory::LargeVector<double> values;
  if (reader.has_tensor(name)) {
    const auto integers = reader.integers_in_place(name, {n});
    values.reserve(n);
    for (std::size_t i = 0; i < n; ++i) { values.push_back(integers[i]); }
  } else {
    const auto reals = reader.doubles(name + ".real", {n});
    values.assign(reals.begin(), reals.end());
  }
  if (std::ranges::any_of(values, [](double v) { return !std::isfinite(v) || v < 0.0; })) {
    reader.fail("its counts of terms are none");
  }
  return values;
}

/// Ends to lengths.
std::vector<std::int32_t> lengths(const memory::LargeVector<std::size_t>& ends) {
  std::vector<std::int32_t> result;
  result.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    result.push_back(static_cast<std::int32_t>(end - begin));
    begin = end;
  }
  return result;
}

/// Sets the amounts of all entries.
void load_amounts(const modelfile::Reader& reader, const std::string& name,
                  std::span<TermCounts::Entry> entries) {
  if (!reader.has_tensor(name)) {
    const auto values = load_values(reader, name, entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) { entries[i].amount = values[i]; }
    return;
  }
  const auto integers = reader.integers_in_place(name, {entries.size()});
  std::int32_t least = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    least = std::min(least, integers[i]);
    entries[i].amount = integers[i];
  }
  if (least < 0) { reader.fail("its counts of terms are none"); }
}

/// Sets the classes of all entries.
void load_labels(const modelfile::Reader& reader, const std::string& name, std::size_t classes,
                 std::span<TermCounts::Entry> entries) {
  const auto labels = reader.integers_in_place(name, {entries.size()});
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= classes) {
      reader.fail("its terms belong to no class");
    }
    entries[i].label = labels[i];
  }
}

/// Lengths to ends; the last must be `size`.
memory::LargeVector<std::size_t> ends_of(const modelfile::Integers& lengths, std::size_t size,
                                         const modelfile::Reader& reader) {
  memory::LargeVector<std::size_t> ends;
  ends.reserve(lengths.size());
  std::size_t end = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::int32_t length = lengths[i];
    if (length <= 0) { reader.fail("its terms have lengths that are none"); }
    end += static_cast<std::size_t>(length);
    ends.push_back(end);
  }
  if (end != size) { reader.fail("its terms do not fill their place"); }
  return ends;
}

}  // namespace

void TermCounts::save(modelfile::Writer& writer, const std::string& prefix) const {
  writer.tensor(prefix + ".terms", std::string_view(bytes_.data(), bytes_.size()));
  writer.tensor(prefix + ".lengths", lengths(ends_), {size()});
  writer.tensor(prefix + ".classes", lengths(entry_ends_), {size()});
  std::vector<std::int32_t> labels(entries_.size());
  for (std::size_t i = 0; i < labels.size(); ++i) { labels[i] = entries_[i].label; }
  writer.tensor(prefix + ".labels", labels, {labels.size()});
  save_values(writer, prefix + ".counts", entries_.size(),
              [this](std::size_t i) { return entries_[i].amount; });
  save_values(writer, prefix + ".documents", size(),
              [this](std::size_t t) { return term_documents_[t]; });
  writer.tensor(prefix + ".weights", documents_, {documents_.size()});
}

TermCounts TermCounts::load(const modelfile::Reader& reader, std::size_t classes,
                            const std::string& prefix, std::shared_ptr<const TermPlan> plan) {
  TermCounts loaded(std::move(plan));
  const auto bytes = reader.byte_string(prefix + ".terms");
  loaded.bytes_.assign(bytes.begin(), bytes.end());
  const auto only = [&](const std::string& name) {
    const auto& shape = reader.shape(prefix + name);
    return shape.size() == 1 ? shape.front() : 0;
  };
  const std::size_t terms = only(".lengths");
  const std::size_t n = only(".labels");
  loaded.ends_ =
      ends_of(reader.integers_in_place(prefix + ".lengths", {terms}), loaded.bytes_.size(), reader);
  loaded.entry_ends_ = ends_of(reader.integers_in_place(prefix + ".classes", {terms}), n, reader);
  loaded.entries_.resize(n);
  load_labels(reader, prefix + ".labels", classes, loaded.entries_);
  load_amounts(reader, prefix + ".counts", loaded.entries_);
  loaded.term_documents_ = load_values(reader, prefix + ".documents", terms);
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
