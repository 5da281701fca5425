#include "stats/cell_counts.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/modelfile/container.hpp"
#include "stats/level_counts.hpp"

namespace logodds {

namespace {

void add_at(std::vector<double>& weights, std::size_t label, double weight) {
  if (label >= weights.size()) { weights.resize(label + 1, 0.0); }
  weights[label] += weight;
}

}  // namespace

void CellCounts::add(std::span<const std::int32_t> codes, std::size_t label, double weight) {
  thread_local Key key;
  key.assign(codes.begin(), codes.end());
  add_at(index_[key], label, weight);
}

void CellCounts::merge(const CellCounts& other) {
  columns_ = other.columns_;
  for (const auto& [key, weights] : other.index_) {
    auto& mine = index_[key];
    for (std::size_t k = 0; k < weights.size(); ++k) { add_at(mine, k, weights[k]); }
  }
}

void CellCounts::unmerge(const CellCounts& other, const std::string& place) {
  for (const auto& [key, weights] : other.index_) {
    auto& mine = index_[key];
    mine.resize(std::max(mine.size(), weights.size()), 0.0);
    bool any = false;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      mine[k] = weight_without(mine[k], weights[k], place);
    }
    for (const double weight : mine) { any = any || weight > 0.0; }
    if (!any) { index_.erase(key); }
  }
}

void CellCounts::recode(std::span<const std::int32_t> labels,
                        std::span<const std::vector<std::int32_t>> codes) {
  std::unordered_map<Key, std::vector<double>> moved;
  for (const auto& [key, weights] : index_) {
    Key to = key;
    bool kept = true;
    for (std::size_t c = 0; c < columns_; ++c) {
      if (codes[c].empty()) { continue; }
      const std::int32_t code = codes[c][key[c]];
      kept = kept && code >= 0;
      to[c] = static_cast<char32_t>(code);
    }
    if (!kept) { continue; }
    auto& mine = moved[to];
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (weights[k] != 0.0 && labels[k] >= 0) {
        add_at(mine, static_cast<std::size_t>(labels[k]), weights[k]);
      }
    }
  }
  index_ = std::move(moved);
}

double CellCounts::weight(std::size_t k) const {
  double sum = 0.0;
  for (const auto& [key, weights] : index_) { sum += k < weights.size() ? weights[k] : 0.0; }
  return sum;
}

std::vector<CellCounts::Cell> CellCounts::cells(std::size_t classes) const {
  std::vector<Cell> all;
  all.reserve(index_.size());
  for (const auto& [key, weights] : index_) {
    Cell cell{{key.begin(), key.end()}, weights};
    cell.weights.resize(classes, 0.0);
    all.push_back(std::move(cell));
  }
  std::ranges::sort(all, [](const Cell& a, const Cell& b) { return a.codes < b.codes; });
  return all;
}

void CellCounts::save(modelfile::Writer& writer, std::size_t classes,
                      const std::string& prefix) const {
  std::vector<std::int32_t> codes;
  std::vector<double> weights;
  const auto all = cells(classes);
  for (const Cell& cell : all) {
    codes.insert(codes.end(), cell.codes.begin(), cell.codes.end());
    weights.insert(weights.end(), cell.weights.begin(), cell.weights.end());
  }
  writer.tensor(prefix + ".cells", codes, {all.size(), columns_});
  writer.tensor(prefix + ".weights", weights, {all.size(), classes});
}

CellCounts CellCounts::load(const modelfile::Reader& reader, std::size_t classes,
                            std::span<const std::size_t> levels, const std::string& prefix) {
  CellCounts counts(levels.size());
  const auto& shape = reader.shape(prefix + ".cells");
  if (shape.size() != 2) { reader.fail("its table is no table"); }
  const auto codes = reader.integers(prefix + ".cells", {shape[0], levels.size()});
  const auto weights = reader.doubles(prefix + ".weights", {shape[0], classes});
  for (std::size_t i = 0; i < shape[0]; ++i) {
    const std::span<const std::int32_t> cell(codes.data() + i * levels.size(), levels.size());
    for (std::size_t c = 0; c < levels.size(); ++c) {
      if (cell[c] < 0 || static_cast<std::size_t>(cell[c]) >= levels[c]) {
        reader.fail("its table has a cell that no row can be in");
      }
    }
    for (std::size_t k = 0; k < classes; ++k) {
      const double weight = weights[i * classes + k];
      if (!std::isfinite(weight) || weight < 0.0) { reader.fail("its table holds no weights"); }
      if (weight > 0.0) { counts.add(cell, k, weight); }
    }
  }
  return counts;
}

}  // namespace logodds
