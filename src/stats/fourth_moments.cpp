#include "logodds/stats/fourth_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/stats/class_moments.hpp"

namespace logodds {

namespace {

constexpr double kWeightTolerance = 1e-12;  // of the weight before: sums of weights are rounded

/// An old D x D matrix in the corner of a larger one.
std::vector<double> widened(const std::vector<double>& old, std::size_t from, std::size_t to) {
  std::vector<double> wide(to * to, 0.0);
  for (std::size_t i = 0; i < from; ++i) {
    std::copy_n(old.data() + i * from, from, wide.data() + i * to);
  }
  return wide;
}

/// Entry (i, j) to (target[i], target[j]); a target past the end drops it.
std::vector<double> permuted(const std::vector<double>& old, const std::vector<std::size_t>& target,
                             std::size_t size) {
  std::vector<double> moved(size * size, 0.0);
  for (std::size_t i = 0; i < target.size(); ++i) {
    for (std::size_t j = 0; j < target.size(); ++j) {
      if (target[i] >= size || target[j] >= size) { continue; }
      moved[target[i] * size + target[j]] = old[i * target.size() + j];
    }
  }
  return moved;
}

}  // namespace

FourthMoments::Sums FourthMoments::empty_sums(std::size_t d) {
  return {.weight = 0.0,
          .mean = std::vector<double>(d, 0.0),
          .second = std::vector<double>(d * d, 0.0),
          .third = std::vector<double>(d * d, 0.0),
          .fourth = std::vector<double>(d * d, 0.0)};
}

std::size_t FourthMoments::size_for(const Shape& shape) const {
  const std::size_t d = std::accumulate(shape.levels.begin(), shape.levels.end(), shape.numeric);
  return 3 * shape.classes * d * d;
}

std::size_t FourthMoments::position(const DesignColumn& column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  return static_cast<std::size_t>(found - columns_.begin());
}

/// A level not seen so far is an indicator that was 0 in every earlier row.
void FourthMoments::grow(const Shape& shape) {
  if (columns_.empty()) {
    for (std::size_t i = 0; i < shape.numeric; ++i) { columns_.push_back({.position = i}); }
    shape_.numeric = shape.numeric;
    shape_.levels.assign(shape.levels.size(), 0);
  }
  for (std::size_t c = 0; c < shape.levels.size(); ++c) {
    for (; shape_.levels[c] < shape.levels[c]; ++shape_.levels[c]) {
      columns_.push_back({.position = c, .level = static_cast<int>(shape_.levels[c])});
    }
  }
  const std::size_t before = size_;
  size_ = columns_.size();
  for (auto& sums : classes_) {
    if (before == size_) { break; }
    sums.mean.resize(size_, 0.0);
    for (auto* matrix : {&sums.second, &sums.third, &sums.fourth}) {
      *matrix = widened(*matrix, before, size_);
    }
  }
  shape_.classes = std::max(shape_.classes, shape.classes);
  classes_.resize(shape_.classes, empty_sums(size_));
}

void FourthMoments::add(const RowBlock& block, const Shape& shape) {
  grow(shape);
  std::vector<double> scratch;
  const DesignRows rows = encode_design(block, columns_, scratch);
  std::vector<std::vector<std::size_t>> members(shape_.classes);
  for (std::size_t r = 0; r < block.rows; ++r) {
    members[static_cast<std::size_t>(block.labels[r])].push_back(r);
  }
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (!members[k].empty()) { join(classes_[k], sums_of(rows, block, members[k])); }
  }
}

/// One scatter of the rows [y, y^2] holds all three matrices.
FourthMoments::Sums FourthMoments::sums_of(const DesignRows& rows, const RowBlock& block,
                                           std::span<const std::size_t> members) const {
  const std::size_t d = size_;
  Sums sums = empty_sums(d);
  std::vector<double> weights;
  for (const std::size_t r : members) {
    weights.push_back(block.weight(r));
    sums.weight += weights.back();
    for (std::size_t i = 0; i < d; ++i) {
      sums.mean[i] += weights.back() * rows.data[r * rows.stride + i];
    }
  }
  for (auto& mean : sums.mean) { mean /= sums.weight; }
  std::vector<double> powers;
  for (const std::size_t r : members) {
    const double* row = rows.data + r * rows.stride;
    for (std::size_t i = 0; i < d; ++i) { powers.push_back(row[i] - sums.mean[i]); }
    for (std::size_t i = 0; i < d; ++i) {
      const double y = row[i] - sums.mean[i];
      powers.push_back(y * y);
    }
  }
  std::vector<double> scatter(4 * d * d, 0.0);
  kernels::scatter_add(powers.data(), members.size(), 2 * d, 2 * d, weights.data(), scatter.data());
  const auto lower = [&](std::size_t i, std::size_t j) {
    return scatter[std::max(i, j) * 2 * d + std::min(i, j)];
  };
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      sums.second[i * d + j] = lower(i, j);
      sums.third[i * d + j] = lower(d + i, j);
      sums.fourth[i * d + j] = lower(d + i, d + j);
    }
  }
  return sums;
}

/// The same sums with y = x - point; sum w y = 0 about the mean makes most terms vanish.
FourthMoments::Sums FourthMoments::about(const Sums& sums, const std::vector<double>& point) {
  const std::size_t d = sums.mean.size();
  Sums moved = sums;
  moved.mean = point;
  const auto& s = sums.second;
  const auto& t = sums.third;
  const double n = sums.weight;
  std::vector<double> delta(d);
  for (std::size_t i = 0; i < d; ++i) { delta[i] = point[i] - sums.mean[i]; }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      const double a = delta[i];
      const double b = delta[j];
      const std::size_t ij = i * d + j;
      moved.second[ij] += n * a * b;
      moved.third[ij] -= b * s[i * d + i] + 2.0 * a * s[ij] + n * a * a * b;
      moved.fourth[ij] += b * b * s[i * d + i] + a * a * s[j * d + j] + 4.0 * a * b * s[ij] -
                          2.0 * b * t[ij] - 2.0 * a * t[j * d + i] + n * a * a * b * b;
    }
  }
  return moved;
}

void FourthMoments::join(Sums& into, const Sums& other) {
  if (other.weight == 0.0) { return; }
  if (into.weight == 0.0) {
    into = other;
    return;
  }
  const double total = into.weight + other.weight;
  std::vector<double> mean = into.mean;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    mean[i] += (other.mean[i] - mean[i]) * (other.weight / total);
  }
  const Sums part = about(other, mean);
  into = about(into, mean);
  into.weight = total;
  for (std::size_t e = 0; e < part.second.size(); ++e) {
    into.second[e] += part.second[e];
    into.third[e] += part.third[e];
    into.fourth[e] += part.fourth[e];
  }
}

void FourthMoments::merge(const FourthMoments& other) {
  grow(other.shape_);
  for (std::size_t k = 0; k < other.classes_.size(); ++k) { join(classes_[k], other.classes_[k]); }
}

void FourthMoments::unmerge(const FourthMoments& other) {
  for (std::size_t k = 0; k < other.classes_.size(); ++k) {
    Sums& sums = classes_[k];
    const Sums& gone = other.classes_[k];
    const double left = sums.weight - gone.weight;
    if (gone.weight == 0.0) { continue; }
    if (left <= kWeightTolerance * sums.weight) {
      sums = empty_sums(size_);
      continue;
    }
    std::vector<double> mean = sums.mean;
    for (std::size_t i = 0; i < size_; ++i) {
      mean[i] -= (gone.mean[i] - sums.mean[i]) * (gone.weight / left);
    }
    std::vector<double> spread;
    for (std::size_t i = 0; i < size_; ++i) { spread.push_back(sums.second[i * size_ + i]); }
    const Sums part = about(gone, mean);
    sums = about(sums, mean);
    sums.weight = left;
    const std::vector<double> before = sums.fourth;
    for (std::size_t e = 0; e < part.second.size(); ++e) {
      sums.second[e] -= part.second[e];
      sums.third[e] -= part.third[e];
      sums.fourth[e] -= part.fourth[e];
    }
    drop_rounding(sums, spread);
    check_digits(sums, before);
  }
}

/// Fourth powers of rows far away swallow those of the others: throws when too little is left of
/// 3 S^2 / n, which they are about.
void FourthMoments::check_digits(const Sums& sums, const std::vector<double>& before) {
  constexpr double kRounding = 1e-14;
  constexpr double kLost = 1e-4;
  const std::size_t d = sums.mean.size();
  for (std::size_t i = 0; i < d; ++i) {
    const double second = sums.second[i * d + i];
    if (second == 0.0) { continue; }
    if (kRounding * before[i * d + i] > kLost * 3.0 * second * second / sums.weight) {
      throw Error(ErrorCode::input,
                  "the rows to be forgotten are so far from the others that their fourth powers, "
                  "which --shrinkage ledoit-wolf needs, leave nothing but rounding; train on the "
                  "remaining rows instead");
    }
  }
}

bool FourthMoments::finite() const {
  const auto good = [](double value) { return std::isfinite(value); };
  return std::all_of(classes_.begin(), classes_.end(), [&](const Sums& sums) {
    return std::all_of(sums.third.begin(), sums.third.end(), good) &&
           std::all_of(sums.fourth.begin(), sums.fourth.end(), good);
  });
}

/// What is less than the rounding is 0, as in ClassMoments::unmerge().
void FourthMoments::drop_rounding(Sums& sums, const std::vector<double>& spread) {
  const std::size_t d = sums.mean.size();
  for (std::size_t i = 0; i < d; ++i) {
    if (sums.second[i * d + i] > kUnmergeTolerance * spread[i]) { continue; }
    for (auto* matrix : {&sums.second, &sums.third, &sums.fourth}) {
      for (std::size_t j = 0; j < d; ++j) { (*matrix)[i * d + j] = (*matrix)[j * d + i] = 0.0; }
    }
  }
}

void FourthMoments::recode(const Recoding& recoding) {
  FourthMoments result;
  result.grow(recoding.shape);
  std::vector<std::size_t> target;
  for (DesignColumn column : columns_) {
    if (column.level >= 0) {
      column.level = recoding.levels[column.position][static_cast<std::size_t>(column.level)];
    }
    const bool dropped = column.level < 0 && target.size() >= shape_.numeric;
    target.push_back(dropped ? result.size_ : result.position(column));
  }
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if (recoding.labels[k] < 0) { continue; }
    Sums& to = result.classes_[static_cast<std::size_t>(recoding.labels[k])];
    to.weight = classes_[k].weight;
    for (std::size_t i = 0; i < target.size(); ++i) {
      if (target[i] < result.size_) { to.mean[target[i]] = classes_[k].mean[i]; }
    }
    to.second = permuted(classes_[k].second, target, result.size_);
    to.third = permuted(classes_[k].third, target, result.size_);
    to.fourth = permuted(classes_[k].fourth, target, result.size_);
  }
  *this = std::move(result);
}

void FourthMoments::save(modelfile::Writer& writer) const {
  std::vector<double> weights;
  std::vector<double> means;
  std::vector<double> sums;
  for (const auto& part : classes_) {
    weights.push_back(part.weight);
    means.insert(means.end(), part.mean.begin(), part.mean.end());
    for (const auto* matrix : {&part.second, &part.third, &part.fourth}) {
      sums.insert(sums.end(), matrix->begin(), matrix->end());
    }
  }
  writer.tensor("fourth.weights", weights, {classes_.size()});
  writer.tensor("fourth.means", means, {classes_.size(), size_});
  writer.tensor("fourth.sums", sums, {classes_.size(), 3, size_, size_});
}

FourthMoments FourthMoments::load(const modelfile::Reader& reader, const Schema& schema) {
  FourthMoments result;
  result.grow(shape_of(schema));
  const std::size_t d = result.size_;
  const std::size_t k = result.classes_.size();
  const auto weights = reader.doubles("fourth.weights", {k});
  const auto means = reader.doubles("fourth.means", {k, d});
  const auto sums = reader.doubles("fourth.sums", {k, 3, d, d});
  for (const auto* values : {&weights, &means, &sums}) {
    if (!std::all_of(values->begin(), values->end(), [](double v) { return std::isfinite(v); })) {
      reader.fail("its statistics are not finite");
    }
  }
  for (std::size_t c = 0; c < k; ++c) {
    Sums& part = result.classes_[c];
    part.weight = weights[c];
    std::copy_n(means.data() + c * d, d, part.mean.data());
    std::size_t at = 3 * c * d * d;
    for (auto* matrix : {&part.second, &part.third, &part.fourth}) {
      std::copy_n(sums.data() + at, d * d, matrix->data());
      at += d * d;
    }
  }
  return result;
}

}  // namespace logodds
