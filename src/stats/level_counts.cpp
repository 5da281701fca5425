#include "stats/level_counts.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"

namespace logodds {

double weight_without(double before, double gone, const std::string& place) {
  constexpr double kRounding = 1e-12;  // of the weight before
  const double left = before - gone;
  if (left < -kRounding * before) {
    throw Error(ErrorCode::input, place + ": a weight of " + format_number(gone) +
                                      " is to be forgotten, and there is only " +
                                      format_number(before) +
                                      "; forget only rows that the model was trained on");
  }
  return left <= kRounding * before ? 0.0 : left;
}

void LevelCounts::grow(const Shape& shape) {
  levels_.resize(shape.levels.size(), 0);
  counts_.resize(shape.levels.size());
  for (std::size_t c = 0; c < levels_.size(); ++c) {
    const std::size_t before = levels_[c];
    if (shape.levels[c] == before && shape.classes == classes_) { continue; }
    std::vector<double> larger(shape.classes * shape.levels[c], 0.0);
    for (std::size_t k = 0; k < classes_; ++k) {
      std::copy_n(counts_[c].begin() + static_cast<std::ptrdiff_t>(k * before), before,
                  larger.begin() + static_cast<std::ptrdiff_t>(k * shape.levels[c]));
    }
    counts_[c] = std::move(larger);
    levels_[c] = shape.levels[c];
  }
  classes_ = shape.classes;
}

void LevelCounts::add(const RowBlock& block, const Shape& shape) {
  grow(shape);
  for (std::size_t c = 0; c < levels_.size(); ++c) {
    const std::int32_t* const codes = block.codes[c];
    double* const counts = counts_[c].data();
    const std::size_t levels = levels_[c];
    for (std::size_t r = 0; r < block.rows; ++r) {
      if (codes[r] < 0) { continue; }
      counts[static_cast<std::size_t>(block.labels[r]) * levels +
             static_cast<std::size_t>(codes[r])] += block.weight(r);
    }
  }
}

void LevelCounts::merge(const LevelCounts& other) {
  if (other.classes_ == 0) { return; }
  if (classes_ == 0) {
    *this = other;
    return;
  }
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    for (std::size_t i = 0; i < counts_[c].size(); ++i) { counts_[c][i] += other.counts_[c][i]; }
  }
}

void LevelCounts::unmerge(const LevelCounts& other, const Schema& schema) {
  std::size_t coded = 0;
  for (const Column& column : schema.columns) {
    if (!column.coded()) { continue; }
    auto& counts = counts_[coded];
    const auto& gone = other.counts_[coded];
    const std::size_t levels = levels_[coded++];
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (gone[i] == 0.0) { continue; }
      counts[i] = weight_without(counts[i], gone[i],
                                 "class '" + schema.labels[i / levels] + "', column '" +
                                     column.name + "' at '" + column.levels[i % levels] + "'");
    }
  }
}

void LevelCounts::recode(const Recoding& recoding) {
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    const std::size_t levels = recoding.shape.levels[c];
    std::vector<double> moved(recoding.shape.classes * levels, 0.0);
    for (std::size_t k = 0; k < std::min(classes_, recoding.labels.size()); ++k) {
      for (std::size_t l = 0; l < levels_[c]; ++l) {
        const auto label = recoding.labels[k];
        const auto level = recoding.levels[c][l];
        if (label < 0 || level < 0) { continue; }
        moved[static_cast<std::size_t>(label) * levels + static_cast<std::size_t>(level)] +=
            counts_[c][k * levels_[c] + l];
      }
    }
    counts_[c] = std::move(moved);
    levels_[c] = levels;
  }
  classes_ = recoding.shape.classes;
}

std::vector<double> LevelCounts::level_weights(std::size_t coded) const {
  std::vector<double> weights(levels_[coded], 0.0);
  for (std::size_t i = 0; i < counts_[coded].size(); ++i) {
    weights[i % levels_[coded]] += counts_[coded][i];
  }
  return weights;
}

void LevelCounts::save(modelfile::Writer& writer, const std::string& prefix) const {
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    writer.tensor(prefix + "." + std::to_string(c), counts_[c], {classes_, levels_[c]});
  }
}

LevelCounts LevelCounts::load(const modelfile::Reader& reader, const Shape& shape,
                              const std::string& prefix) {
  LevelCounts counts;
  counts.classes_ = shape.classes;
  counts.levels_ = shape.levels;
  for (std::size_t c = 0; c < shape.levels.size(); ++c) {
    counts.counts_.push_back(
        reader.doubles(prefix + "." + std::to_string(c), {shape.classes, shape.levels[c]}));
    const auto bad = [](double v) { return !std::isfinite(v) || v < 0.0; };
    if (std::any_of(counts.counts_[c].begin(), counts.counts_[c].end(), bad)) {
      reader.fail("its weights of levels are not weights");
    }
  }
  return counts;
}

}  // namespace logodds
