#include "logodds/stats/class_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/modelfile/container.hpp"

namespace logodds {

namespace {

std::vector<DesignColumn> all_columns(const Shape& shape) {
  std::vector<DesignColumn> columns;
  for (std::size_t i = 0; i < shape.numeric; ++i) { columns.push_back({.position = i}); }
  for (std::size_t c = 0; c < shape.levels.size(); ++c) {
    for (std::size_t l = 0; l < shape.levels[c]; ++l) {
      columns.push_back({.position = c, .level = static_cast<int>(l)});
    }
  }
  return columns;
}

}  // namespace

std::size_t ClassMoments::second_size() const {
  return second_ == SecondMoments::full ? columns_.size() * columns_.size() : columns_.size();
}

double ClassMoments::weight() const {
  return std::accumulate(weights_.begin(), weights_.end(), 0.0);
}

std::size_t ClassMoments::size_for(const Shape& shape) const {
  const std::size_t d = std::accumulate(shape.levels.begin(), shape.levels.end(), shape.numeric);
  return shape.classes * d * (second_ == SecondMoments::full ? d : 1);
}

std::size_t ClassMoments::position(const DesignColumn& column) const {
  if (column.level < 0) { return column.position; }
  const auto coded = static_cast<std::ptrdiff_t>(column.position);
  return std::accumulate(shape_.levels.begin(), shape_.levels.begin() + coded, shape_.numeric) +
         static_cast<std::size_t>(column.level);
}

double ClassMoments::scatter(std::size_t k, std::size_t i, std::size_t j) const {
  const double* second = second_moments_.data() + k * second_size();
  if (second_ == SecondMoments::diagonal) { return second[i]; }
  return second[std::max(i, j) * columns_.size() + std::min(i, j)];
}

bool ClassMoments::compatible(const ClassMoments& other) const {
  return second_ == other.second_ && (shape_ == other.shape_ || shape_ == Shape{});
}

/// A level not seen so far is an indicator that was 0 in every earlier row: mean 0, scatter 0.
void ClassMoments::grow(const Shape& shape) {
  if (columns_.empty() && shape_.numeric == 0) {
    columns_ = all_columns({.classes = 0, .numeric = shape.numeric, .levels = {}});
    shape_.numeric = shape.numeric;
    shape_.levels.assign(shape.levels.size(), 0);
  }
  const std::size_t old_columns = columns_.size();
  for (std::size_t c = 0; c < shape.levels.size(); ++c) {
    for (; shape_.levels[c] < shape.levels[c]; ++shape_.levels[c]) {
      columns_.push_back({.position = c, .level = static_cast<int>(shape_.levels[c])});
    }
  }
  if (columns_.size() != old_columns && !weights_.empty()) { resize_columns(old_columns); }
  shape_.classes = std::max(shape_.classes, shape.classes);
  weights_.resize(shape_.classes, 0.0);
  means_.resize(shape_.classes * columns_.size(), 0.0);
  second_moments_.resize(shape_.classes * second_size(), 0.0);
}

void ClassMoments::resize_columns(std::size_t old_columns) {
  const std::size_t d = columns_.size();
  std::vector<double> means(classes() * d, 0.0);
  std::vector<double> second(classes() * second_size(), 0.0);
  const bool full = second_ == SecondMoments::full;
  const std::size_t lines = full ? old_columns : 1;
  const std::size_t old_size = old_columns * lines;
  for (std::size_t k = 0; k < classes(); ++k) {
    std::copy_n(means_.data() + k * old_columns, old_columns, means.data() + k * d);
    for (std::size_t line = 0; line < lines; ++line) {
      std::copy_n(second_moments_.data() + k * old_size + line * old_columns, old_columns,
                  second.data() + k * second_size() + line * d);
    }
  }
  means_ = std::move(means);
  second_moments_ = std::move(second);
}

void ClassMoments::merge_class(std::size_t k, double weight, const double* mean,
                               const double* second) {
  if (weight == 0.0) { return; }
  const std::size_t d = columns_.size();
  const double before = weights_[k];
  const double total = before + weight;
  double* const class_mean = means_.data() + k * d;
  double* const class_second = second_moments_.data() + k * second_size();
  const double factor = before * (weight / total);
  std::vector<double> delta(d);
  for (std::size_t i = 0; i < d; ++i) { delta[i] = mean[i] - class_mean[i]; }
  if (before == 0.0) {
    std::copy_n(second, second_size(), class_second);
    std::copy_n(mean, d, class_mean);
  } else if (second_ == SecondMoments::diagonal) {
    for (std::size_t i = 0; i < d; ++i) {
      class_second[i] += second[i] + factor * delta[i] * delta[i];
    }
  } else {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        class_second[i * d + j] += second[i * d + j] + factor * delta[i] * delta[j];
      }
    }
  }
  if (before != 0.0) {
    for (std::size_t i = 0; i < d; ++i) { class_mean[i] += delta[i] * (weight / total); }
  }
  weights_[k] = total;
}

void ClassMoments::merge(const ClassMoments& other) {
  grow(other.shape_);
  for (std::size_t k = 0; k < classes(); ++k) {
    merge_class(k, other.weights_[k], other.means_.data() + k * columns_.size(),
                other.second_moments_.data() + k * second_size());
  }
}

void ClassMoments::recode(const Recoding& recoding) {
  constexpr auto kDropped = static_cast<std::size_t>(-1);
  ClassMoments result(second_);
  result.grow(recoding.shape);
  const std::size_t d = result.columns_.size();
  std::vector<std::size_t> target(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    DesignColumn column = columns_[i];
    if (column.level >= 0) {
      column.level = recoding.levels[column.position][static_cast<std::size_t>(column.level)];
      if (column.level < 0) {
        target[i] = kDropped;
        continue;
      }
    }
    target[i] = result.position(column);
  }
  for (std::size_t k = 0; k < classes(); ++k) {
    if (recoding.labels[k] < 0) { continue; }
    const auto to = static_cast<std::size_t>(recoding.labels[k]);
    result.weights_[to] = weights_[k];
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (target[i] == kDropped) { continue; }
      result.means_[to * d + target[i]] = mean(k, i);
      if (second_ == SecondMoments::diagonal) {
        result.second_moments_[to * d + target[i]] = scatter(k, i, i);
        continue;
      }
      for (std::size_t j = 0; j <= i; ++j) {
        if (target[j] == kDropped) { continue; }
        const std::size_t row = std::max(target[i], target[j]);
        const std::size_t column = std::min(target[i], target[j]);
        result.second_moments_[(to * d + row) * d + column] = scatter(k, i, j);
      }
    }
  }
  *this = std::move(result);
}

ClassMoments ClassMoments::given(const Shape& shape, SecondMoments second,
                                 std::vector<double> weights, std::vector<double> means,
                                 std::vector<double> scatters) {
  ClassMoments moments(second);
  moments.grow(shape);
  moments.weights_ = std::move(weights);
  moments.means_ = std::move(means);
  moments.second_moments_ = std::move(scatters);
  return moments;
}

void ClassMoments::save(modelfile::Writer& writer, const std::string& prefix) const {
  const std::size_t d = columns_.size();
  writer.tensor(prefix + ".weights", weights_, {classes()});
  writer.tensor(prefix + ".means", means_, {classes(), d});
  std::vector<std::size_t> shape{classes(), d};
  if (second_ == SecondMoments::full) { shape.push_back(d); }
  writer.tensor(prefix + ".scatter", second_moments_, shape);
}

ClassMoments ClassMoments::load(const modelfile::Reader& reader, const Shape& shape,
                                SecondMoments second, const std::string& prefix) {
  ClassMoments moments(second);
  moments.shape_ = shape;
  moments.columns_ = all_columns(shape);
  const std::size_t d = moments.columns_.size();
  const std::size_t k = shape.classes;
  std::vector<std::size_t> scatter_shape{k, d};
  if (second == SecondMoments::full) { scatter_shape.push_back(d); }
  moments.weights_ = reader.doubles(prefix + ".weights", {k});
  moments.means_ = reader.doubles(prefix + ".means", {k, d});
  moments.second_moments_ = reader.doubles(prefix + ".scatter", scatter_shape);
  const auto bad = [](double value) { return !std::isfinite(value); };
  if (std::any_of(moments.weights_.begin(), moments.weights_.end(),
                  [&](double w) { return bad(w) || w < 0.0; }) ||
      std::any_of(moments.means_.begin(), moments.means_.end(), bad) ||
      std::any_of(moments.second_moments_.begin(), moments.second_moments_.end(), bad)) {
    reader.fail("its statistics are not finite or a weight is negative");
  }
  return moments;
}

}  // namespace logodds
