#include "logodds/stats/held_rows.hpp"

#include <algorithm>
#include <numeric>

#include "stats/sub_block.hpp"

namespace logodds {

PickedRows::PickedRows(const RowBlock& block, const std::vector<std::uint32_t>& members)
    : like_(block) {
  const std::size_t d = block.numeric_columns;
  numeric_.reserve(members.size() * d);
  for (const auto r : members) {
    const double* const row = block.numeric + r * block.numeric_stride;
    numeric_.insert(numeric_.end(), row, row + d);
    if (block.labels != nullptr) { labels_.push_back(block.labels[r]); }
    if (block.weights != nullptr) { weights_.push_back(block.weights[r]); }
  }
  for (const auto* column : block.codes) {
    codes_.emplace_back();
    for (const auto r : members) { codes_.back().push_back(column[r]); }
  }
  for (const auto* column : block.texts) {
    texts_.emplace_back();
    for (const auto r : members) { texts_.back().push_back(column[r]); }
  }
  for (const auto& column : codes_) { code_pointers_.push_back(column.data()); }
  for (const auto& column : texts_) { text_pointers_.push_back(column.data()); }
  like_.rows = members.size();
}

RowBlock PickedRows::view() const {
  RowBlock block = like_;
  block.numeric = numeric_.data();
  block.numeric_stride = block.numeric_columns;
  block.lasting = false;
  block.codes = code_pointers_;
  block.texts = text_pointers_;
  block.labels = labels_.empty() ? nullptr : labels_.data();
  block.weights = weights_.empty() ? nullptr : weights_.data();
  return block;
}

void for_each_class(const RowBlock& block, std::size_t classes, std::span<const double> shares,
                    const std::function<void(const RowBlock&)>& use) {
  std::vector<std::int32_t> labels(block.rows);
  std::vector<double> weights(block.rows);
  std::vector<std::uint32_t> members;
  RowBlock part = block;
  part.labels = labels.data();
  part.weights = weights.data();
  for (std::size_t k = 0; k < classes; ++k) {
    members.clear();
    for (std::size_t r = 0; r < block.rows; ++r) {
      weights[r] = shares[r * classes + k];
      labels[r] = static_cast<std::int32_t>(k);
      if (counts(weights[r], block.weight(r))) { members.push_back(static_cast<std::uint32_t>(r)); }
    }
    if (members.size() == block.rows) {
      use(part);
    } else if (!members.empty()) {
      use(PickedRows(part, members).view());
    }
  }
}

void HeldRows::add(const RowBlock& block) {
  if (block.rows == 0) { return; }
  std::vector<std::uint32_t> with;
  std::vector<std::uint32_t> without;
  for (std::size_t r = 0; r < block.rows; ++r) {
    const bool labeled = block.labels != nullptr && block.labels[r] >= 0;
    (labeled ? with : without).push_back(static_cast<std::uint32_t>(r));
  }
  if (with.empty() || without.empty()) { return keep(block, without.empty()); }
  keep(PickedRows(block, with).view(), true);
  keep(PickedRows(block, without).view(), false);
}

void HeldRows::keep(const RowBlock& block, bool labeled) {
  auto part = std::make_shared<Part>();
  const auto flags = incomplete_rows(block);
  part->ordinal = block.ordinal;
  part->labeled = labeled;
  part->complete = flags.empty();
  part->incomplete = static_cast<std::size_t>(std::count(flags.begin(), flags.end(), 1));
  part->rows = block.rows;
  part->columns = block.numeric_columns;
  part->stride = block.lasting ? block.numeric_stride : block.numeric_columns;
  if (block.lasting) {
    part->place = block.numeric;
  } else {
    part->numeric.reserve(block.rows * block.numeric_columns);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double* const row = block.numeric + r * block.numeric_stride;
      part->numeric.insert(part->numeric.end(), row, row + block.numeric_columns);
    }
  }
  for (const auto* column : block.codes) { part->codes.emplace_back(column, column + block.rows); }
  if (labeled) { part->labels.assign(block.labels, block.labels + block.rows); }
  if (block.weights != nullptr) { part->weights.assign(block.weights, block.weights + block.rows); }
  for (const auto* column : block.texts) {
    auto& documents = part->texts.emplace_back();
    for (std::size_t r = 0; r < block.rows; ++r) {
      documents.push_back({part->bytes.size(), column[r].size(), column[r].data() == nullptr});
      part->bytes += column[r];
    }
  }
  parts_.push_back(std::move(part));
}

void HeldRows::merge(const HeldRows& other) {
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
  std::ranges::stable_sort(parts_, {}, [](const auto& part) { return part->ordinal; });
}

namespace {

void recode_all(std::vector<std::int32_t>& codes, const std::vector<std::int32_t>& map) {
  for (auto& code : codes) {
    if (code >= 0) { code = map[static_cast<std::size_t>(code)]; }
  }
}

}  // namespace

void HeldRows::recode(const Recoding& recoding) {
  for (auto& part : parts_) {
    if (part.use_count() > 1) { part = std::make_shared<Part>(*part); }
    recode_all(part->labels, recoding.labels);
    for (std::size_t c = 0; c < part->codes.size(); ++c) {
      recode_all(part->codes[c], recoding.levels[c]);
    }
  }
}

double HeldRows::weight_of(const Part& part) {
  return part.weights.empty() ? static_cast<double>(part.rows)
                              : std::accumulate(part.weights.begin(), part.weights.end(), 0.0);
}

double HeldRows::weight() const {
  double sum = 0.0;
  for (const auto& part : parts_) { sum += weight_of(*part); }
  return sum;
}

double HeldRows::weight_unlabeled() const {
  double sum = 0.0;
  for (const auto& part : parts_) { sum += part->labeled ? 0.0 : weight_of(*part); }
  return sum;
}

std::size_t HeldRows::rows_unlabeled() const {
  std::size_t sum = 0;
  for (const auto& part : parts_) { sum += part->labeled ? 0 : part->rows; }
  return sum;
}

std::size_t HeldRows::rows_incomplete() const {
  std::size_t sum = 0;
  for (const auto& part : parts_) { sum += part->labeled ? 0 : part->incomplete; }
  return sum;
}

RowBlock HeldRows::view(std::size_t index, Pointers& pointers) const {
  const Part& part = *parts_[index];
  pointers.codes.clear();
  for (const auto& column : part.codes) { pointers.codes.push_back(column.data()); }
  pointers.texts.clear();
  for (const auto& column : part.texts) {
    auto& views = pointers.texts.emplace_back();
    for (const auto& document : column) {
      views.push_back(document.missing
                          ? std::string_view()
                          : std::string_view(part.bytes.data() + document.begin, document.size));
    }
  }
  pointers.text_columns.clear();
  for (const auto& column : pointers.texts) { pointers.text_columns.push_back(column.data()); }
  RowBlock block;
  block.ordinal = part.ordinal;
  block.rows = part.rows;
  block.numeric = part.place != nullptr ? part.place : part.numeric.data();
  block.numeric_columns = part.columns;
  block.numeric_stride = part.stride;
  block.codes = pointers.codes;
  block.labels = part.labeled ? part.labels.data() : nullptr;
  block.weights = part.weights.empty() ? nullptr : part.weights.data();
  block.complete = part.complete && part.texts.empty();
  block.lasting = true;
  block.texts = pointers.text_columns;
  return block;
}

}  // namespace logodds
