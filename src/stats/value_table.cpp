#include "stats/value_table.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/modelfile/container.hpp"
#include "stats/level_counts.hpp"

namespace logodds {

namespace {

constexpr auto kBefore = [](const ValueTable::Entry& a, const ValueTable::Entry& b) {
  return a.value < b.value || (a.value == b.value && a.label < b.label);
};

bool same(const ValueTable::Entry& a, const ValueTable::Entry& b) {
  return a.value == b.value && a.label == b.label;
}

/// Adds up neighbors that are the same.
void unite(std::vector<ValueTable::Entry>& entries) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && same(entries[kept - 1], entries[i])) {
      entries[kept - 1].weight += entries[i].weight;
    } else {
      entries[kept++] = entries[i];
    }
  }
  entries.resize(kept);
}

}  // namespace

void ValueTable::add(const RowBlock& block, std::size_t column) {
  constexpr std::size_t kRoom = 16 * kBlockRows;
  for (std::size_t r = 0; r < block.rows; ++r) {
    const double x = block.numeric[r * block.numeric_stride + column];
    if (std::isnan(x)) { continue; }
    entries_.push_back({x + 0.0, block.labels[r], block.weight(r)});  // -0 becomes 0
  }
  if (entries_.size() > 2 * compacted_ + kRoom) { compact(); }
}

/// Tables that are read from a file, and copies, are in order already.
void ValueTable::compact() {
  if (compacted_ == entries_.size()) { return; }
  const auto middle = entries_.begin() + static_cast<std::ptrdiff_t>(compacted_);
  if (!std::is_sorted(middle, entries_.end(), kBefore)) {
    std::stable_sort(middle, entries_.end(), kBefore);
  }
  if (compacted_ > 0 && kBefore(*middle, *(middle - 1))) {
    std::inplace_merge(entries_.begin(), middle, entries_.end(), kBefore);
  }
  unite(entries_);
  compacted_ = entries_.size();
}

std::vector<ValueTable::Entry> ValueTable::entries() const {
  ValueTable copy = *this;
  copy.compact();
  return std::move(copy.entries_);
}

void ValueTable::merge(const ValueTable& other) {
  compact();
  const auto more = other.entries();
  entries_.insert(entries_.end(), more.begin(), more.end());
  compact();
}

void ValueTable::unmerge(const ValueTable& other, const std::vector<std::string>& labels,
                         const std::string& column) {
  compact();
  for (const Entry& gone : other.entries()) {
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), gone, kBefore);
    const bool there = found != entries_.end() && same(*found, gone);
    const double left =
        weight_without(there ? found->weight : 0.0, gone.weight,
                       "class '" + labels[static_cast<std::size_t>(gone.label)] + "', column '" +
                           column + "' at " + format_number(gone.value));
    if (!there) { continue; }
    found->weight = left;
  }
  std::erase_if(entries_, [](const Entry& entry) { return entry.weight == 0.0; });
  compacted_ = entries_.size();
}

void ValueTable::recode(std::span<const std::int32_t> labels) {
  compact();
  std::erase_if(entries_, [&](const Entry& entry) {
    return labels[static_cast<std::size_t>(entry.label)] < 0;
  });
  for (Entry& entry : entries_) { entry.label = labels[static_cast<std::size_t>(entry.label)]; }
  compacted_ = 0;
  compact();
}

void ValueTable::save(modelfile::Writer& writer, const std::string& prefix) const {
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (const Entry& entry : entries()) {
    values.push_back(entry.value);
    values.push_back(entry.weight);
    labels.push_back(entry.label);
  }
  writer.tensor(prefix + ".values", values, {labels.size(), 2});
  writer.tensor(prefix + ".labels", labels, {labels.size()});
}

ValueTable ValueTable::load(const modelfile::Reader& reader, std::size_t classes,
                            const std::string& prefix) {
  ValueTable table;
  const auto& shape = reader.shape(prefix + ".labels");
  if (shape.size() != 1) { reader.fail("its table of values is no table"); }
  const auto labels = reader.integers(prefix + ".labels", {shape[0]});
  const auto values = reader.doubles(prefix + ".values", {shape[0], 2});
  table.entries_.reserve(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Entry entry{values[2 * i], labels[i], values[2 * i + 1]};
    const bool fine = std::isfinite(entry.value) && std::isfinite(entry.weight) &&
                      entry.weight > 0.0 && entry.label >= 0 &&
                      static_cast<std::size_t>(entry.label) < classes;
    if (!fine) { reader.fail("its table of values holds what is no value"); }
    table.entries_.push_back(entry);
  }
  table.compact();
  return table;
}

}  // namespace logodds
