// Counts of terms to and from a model file.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "logodds/modelfile/container.hpp"
#include "logodds/parallel/blocks.hpp"
#include "stats/term_counting.hpp"
#include "stats/term_counts.hpp"

namespace logodds {

namespace {

using Integers = memory::LargeVector<std::int32_t>;

/// Arrays of a large vocabulary have megabytes, so the writer takes them as they are.
void save_integers(modelfile::Writer& writer, const std::string& name, Integers integers) {
  const auto owner = std::make_shared<const Integers>(std::move(integers));
  writer.tensor_in_place(name, *owner, owner);
}

/// value(0) ... value(n - 1), as integers where all are, which takes half the room.
template <class Value>
void save_values(modelfile::Writer& writer, const std::string& name, std::size_t n,
                 const Value& value) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  Integers integers(n);
  bool whole = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double v = value(i);
    const bool fits = v >= 0.0 && v <= kMost;
    integers[i] = fits ? static_cast<std::int32_t>(v) : 0;
    whole = whole && fits && v == static_cast<double>(integers[i]);
  }
  if (whole) { return save_integers(writer, name, std::move(integers)); }
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) { values[i] = value(i); }
  writer.tensor(name + ".real", values, {n});
}

memory::LargeVector<double> load_values(const modelfile::Reader& reader, const std::string& name,
                                        std::size_t n) {
  memory::LargeVector<double> values;
  if (reader.has_tensor(name)) {
    const auto integers = reader.integers_in_place(name, {n});
    values.resize(n);
    for (std::size_t i = 0; i < n; ++i) { values[i] = integers[i]; }
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
Integers lengths(const memory::LargeVector<std::size_t>& ends) {
  Integers result(ends.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    result[i] = static_cast<std::int32_t>(ends[i] - begin);
    begin = ends[i];
  }
  return result;
}

/// Classes and amounts of the entries from `first` on, as many as `entries` has, of `n`.
void load_entries(const modelfile::Reader& reader, const std::string& prefix, std::size_t classes,
                  std::size_t n, std::size_t first, std::span<TermCounts::Entry> entries) {
  const auto labels = reader.integers_in_place(prefix + ".labels", {n});
  const auto counts = reader.integers_in_place(prefix + ".counts", {n});
  bool known = true;
  std::int32_t least = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::int32_t label = labels[first + i];
    const std::int32_t count = counts[first + i];
    known = known && label >= 0 && static_cast<std::size_t>(label) < classes;
    least = std::min(least, count);
    entries[i] = {label, static_cast<double>(count)};
  }
  if (least < 0) { reader.fail("its counts of terms are none"); }
  if (!known) { reader.fail("its terms belong to no class"); }
}

/// The same for amounts that are no whole numbers.
void load_real_entries(const modelfile::Reader& reader, const std::string& prefix,
                       std::size_t classes, std::span<TermCounts::Entry> entries) {
  const std::size_t n = entries.size();
  const auto labels = reader.integers_in_place(prefix + ".labels", {n});
  const auto values = load_values(reader, prefix + ".counts", n);
  bool known = true;
  for (std::size_t i = 0; i < n; ++i) {
    known = known && labels[i] >= 0 && static_cast<std::size_t>(labels[i]) < classes;
    entries[i] = {labels[i], values[i]};
  }
  if (!known) { reader.fail("its terms belong to no class"); }
}

/// Lengths to ends; the last must be `size`.
memory::LargeVector<std::size_t> ends_of(const modelfile::Integers& lengths, std::size_t size,
                                         const modelfile::Reader& reader) {
  memory::LargeVector<std::size_t> ends(lengths.size());
  std::size_t end = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::int32_t length = lengths[i];
    if (length <= 0) { reader.fail("its terms have lengths that are none"); }
    end += static_cast<std::size_t>(length);
    ends[i] = end;
  }
  if (end != size) { reader.fail("its terms do not fill their place"); }
  return ends;
}

/// The first eight bytes, zeros behind the last, as a number that is ordered as they are. `end`: of
/// what may be read.
std::uint64_t first_bytes(std::string_view term, const char* end) {
  constexpr std::size_t kBytes = sizeof(std::uint64_t);
  const std::size_t size = std::min(term.size(), kBytes);
  std::uint64_t word = 0;
  if (static_cast<std::size_t>(end - term.data()) < kBytes) {
    std::memcpy(&word, term.data(), size);
    return __builtin_bswap64(word);
  }
  std::memcpy(&word, term.data(), kBytes);
  const std::size_t others = 8 * (kBytes - size);
  return __builtin_bswap64(word) >> others << others;
}

}  // namespace

void TermCounts::save(modelfile::Writer& writer, const std::string& prefix) const {
  writer.tensor(prefix + ".terms", std::string_view(bytes_.data(), bytes_.size()));
  save_integers(writer, prefix + ".lengths", lengths(ends_));
  save_integers(writer, prefix + ".classes", lengths(entry_ends_));
  Integers labels(entries_.size());
  for (std::size_t i = 0; i < labels.size(); ++i) { labels[i] = entries_[i].label; }
  save_integers(writer, prefix + ".labels", std::move(labels));
  save_values(writer, prefix + ".counts", entries_.size(),
              [this](std::size_t i) { return entries_[i].amount; });
  save_values(writer, prefix + ".documents", size(),
              [this](std::size_t t) { return term_documents_[t]; });
  writer.tensor(prefix + ".weights", documents_, {documents_.size()});
}

/// Both lists, that of the terms and that of the classes of each, ascend: terms from `first` to
/// before `last`, the first of them against the one before. Classes descend only from one term to
/// the next: where they do, over all entries, is counted without a look at the terms.
bool TermCounts::in_order(std::size_t first, std::size_t last) const {
  std::size_t descents = 0;
  const std::size_t end_entry = last == 0 ? 0 : entry_ends_[last - 1];
  for (std::size_t i = std::max<std::size_t>(first == 0 ? 0 : entry_ends_[first - 1], 1);
       i < end_entry; ++i) {
    descents += entries_[i - 1].label >= entries_[i].label ? 1U : 0U;
  }
  const char* const end = bytes_.data() + bytes_.size();
  std::uint64_t before = first == 0 ? 0 : first_bytes(term(first - 1), end);
  for (std::size_t t = first; t < last; ++t) {
    const std::uint64_t start = first_bytes(term(t), end);
    if (t > 0 && start <= before && (start < before || term(t - 1) >= term(t))) { return false; }
    before = start;
    if (t > 0) {
      const std::size_t entry = entry_ends_[t - 1];
      descents -= entries_[entry - 1].label >= entries_[entry].label ? 1U : 0U;
    }
  }
  return descents == 0;
}

/// Large ones in two threads: much of the time goes into memory that is used for the first time,
/// and what is left is too short for more.
TermCounts TermCounts::load(const modelfile::Reader& reader, std::size_t classes,
                            const std::string& prefix, std::shared_ptr<const TermPlan> plan) {
  constexpr std::size_t kMany = std::size_t{1} << 16U;  // entries
  TermCounts loaded(std::move(plan));
  const auto bytes = reader.byte_string(prefix + ".terms");
  const auto only = [&](const std::string& name) {
    const auto& shape = reader.shape(prefix + name);
    return shape.size() == 1 ? shape.front() : 0;
  };
  const std::size_t terms = only(".lengths");
  const std::size_t n = only(".labels");
  const int threads = n < kMany ? 1 : 2;
  const bool whole = reader.has_tensor(prefix + ".counts");
  loaded.entries_.resize(n);
  const std::span<Entry> entries(loaded.entries_);
  const std::size_t half = whole ? n / 2 : n;
  const std::array<std::function<void()>, 5> parts = {
      [&] {
        loaded.bytes_.assign(bytes.begin(), bytes.end());
        loaded.ends_ = ends_of(reader.integers_in_place(prefix + ".lengths", {terms}),
                               loaded.bytes_.size(), reader);
      },
      [&] {
        loaded.entry_ends_ =
            ends_of(reader.integers_in_place(prefix + ".classes", {terms}), n, reader);
      },
      [&] {
        if (!whole) { return load_real_entries(reader, prefix, classes, entries); }
        load_entries(reader, prefix, classes, n, 0, entries.first(half));
      },
      [&] {
        if (whole) { load_entries(reader, prefix, classes, n, half, entries.subspan(half)); }
      },
      [&] { loaded.term_documents_ = load_values(reader, prefix + ".documents", terms); }};
  parallel::run_lanes(threads, parts.size(), [&](std::size_t part) { parts[part](); });
  parallel::run_lanes(threads, 2, [&](std::size_t part) {
    const std::size_t middle = terms / 2;
    if (!(part == 0 ? loaded.in_order(0, middle) : loaded.in_order(middle, terms))) {
      reader.fail("its terms are not in order");
    }
  });
  loaded.documents_ = reader.doubles(prefix + ".weights", {classes});
  if (std::ranges::any_of(loaded.documents_,
                          [](double v) { return !std::isfinite(v) || v < 0.0; })) {
    reader.fail("its documents are not counted");
  }
  return loaded;
}

}  // namespace logodds
