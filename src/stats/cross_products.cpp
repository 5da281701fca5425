#include "stats/cross_products.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/wide_products.hpp"
#include "logodds/error.hpp"
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

/// The rows with a 1 before each.
std::vector<double> with_ones(const DesignRows& rows) {
  const std::size_t m = 1 + rows.columns;
  std::vector<double> result(rows.rows * m);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    result[r * m] = 1.0;
    std::copy_n(rows.data + r * rows.stride, rows.columns, result.data() + r * m + 1);
  }
  return result;
}

}  // namespace

double CrossProducts::weight() const { return sums_.empty() ? 0.0 : sums_.front().value(); }

std::size_t CrossProducts::size_for(const Shape& shape) const {
  const std::size_t m =
      1 + std::accumulate(shape.levels.begin(), shape.levels.end(), shape.numeric);
  return 2 * m * m;
}

bool CrossProducts::compatible(const CrossProducts& other) const {
  return sums_.empty() || other.sums_.empty() || columns_ == other.columns_;
}

std::size_t CrossProducts::position(const DesignColumn& column) const {
  if (column.level < 0) { return 1 + column.position; }
  const auto coded = static_cast<std::ptrdiff_t>(column.position);
  return 1 + std::accumulate(shape_.levels.begin(), shape_.levels.begin() + coded, shape_.numeric) +
         static_cast<std::size_t>(column.level);
}

CrossProducts::Wide CrossProducts::at(std::size_t i, std::size_t j) const {
  return sums_[std::max(i, j) * size() + std::min(i, j)];
}

/// A level not seen so far is an indicator that was 0 in every earlier row.
void CrossProducts::grow(const Shape& shape) {
  const std::size_t before = sums_.empty() ? 0 : size();
  if (before == 0) {
    columns_ = all_columns({.classes = 0, .numeric = shape.numeric, .levels = {}});
    shape_ = {.classes = 0, .numeric = shape.numeric, .levels = {}};
    shape_.levels.assign(shape.levels.size(), 0);
  }
  for (std::size_t c = 0; c < shape.levels.size(); ++c) {
    for (; shape_.levels[c] < shape.levels[c]; ++shape_.levels[c]) {
      columns_.push_back({.position = c, .level = static_cast<int>(shape_.levels[c])});
    }
  }
  if (size() == before) { return; }
  std::vector<Wide> sums(size() * size());
  for (std::size_t i = 0; i < before; ++i) {
    std::copy_n(sums_.begin() + static_cast<std::ptrdiff_t>(i * before), before,
                sums.begin() + static_cast<std::ptrdiff_t>(i * size()));
  }
  sums_ = std::move(sums);
}

void CrossProducts::add(const RowBlock& block, const Shape& shape) {
  grow(shape);
  if (block.rows == 0) { return; }
  std::vector<double> scratch;
  const std::vector<double> rows = with_ones(encode_design(block, columns_, scratch));
  const std::size_t m = size();
  std::vector<double> high(m * m, 0.0);
  std::vector<double> low(m * m, 0.0);
  kernels::wide_products_add(rows.data(), block.rows, m, m, block.weights, high.data(), low.data());
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      Wide& sum = sums_[i * m + j];
      sum = sum + linalg::exact_sum(high[i * m + j], low[i * m + j]);
    }
  }
}

void CrossProducts::merge(const CrossProducts& other) {
  if (other.sums_.empty()) { return; }
  grow(other.shape_);
  for (std::size_t i = 0; i < sums_.size(); ++i) { sums_[i] = sums_[i] + other.sums_[i]; }
}

void CrossProducts::unmerge(const CrossProducts& other, const Schema& schema) {
  if (other.sums_.empty()) { return; }
  const CrossProducts before = *this;
  for (std::size_t i = 0; i < sums_.size(); ++i) { sums_[i] = sums_[i] - other.sums_[i]; }
  check_left(before, schema);
}

/// Squares of rows that were never there leave less than nothing; a level, or the weight, as well.
void CrossProducts::check_left(const CrossProducts& before, const Schema& schema) const {
  constexpr double kRounding = 1e-26;
  for (std::size_t i = 0; i < size(); ++i) {
    if (at(i, i).value() >= -kRounding * before.at(i, i).value()) { continue; }
    std::string name = i == 0 ? "the weight" : "the squares";
    for (std::size_t c = 0, number = 0; i > 0 && c < schema.columns.size(); ++c) {
      if (schema.columns[c].number() && number++ == i - 1) {
        name = "the squares of column '" + schema.columns[c].name + "'";
      }
    }
    throw Error(ErrorCode::input, "without them " + name +
                                      " would sum to less than nothing, so these rows were not "
                                      "all among those of the model; forget only rows that it "
                                      "was fitted to");
  }
}

Schema CrossProducts::remaining(const Schema& schema) const {
  constexpr double kNothing = 1e-9;  // of all weight
  Schema rest = schema;
  std::size_t coded = 0;
  for (auto& column : rest.columns) {
    if (!column.coded()) { continue; }
    std::vector<std::string> levels;
    for (std::size_t l = 0; l < column.levels.size(); ++l) {
      const std::size_t place = position({.position = coded, .level = static_cast<int>(l)});
      if (at(place, place).value() > kNothing * weight()) { levels.push_back(column.levels[l]); }
    }
    ++coded;
    if (!levels.empty()) { column = with_levels(column, std::move(levels)); }
  }
  return rest;
}

void CrossProducts::recode(const Recoding& recoding) {
  if (sums_.empty()) { return; }
  constexpr auto kDropped = static_cast<std::size_t>(-1);
  CrossProducts result;
  result.grow(recoding.shape);
  std::vector<std::size_t> target{0};
  for (DesignColumn column : columns_) {
    const bool coded = column.level >= 0;
    if (coded) {
      column.level = recoding.levels[column.position][static_cast<std::size_t>(column.level)];
    }
    target.push_back(coded && column.level < 0 ? kDropped : result.position(column));
  }
  const std::size_t m = result.size();
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (target[i] == kDropped || target[j] == kDropped) { continue; }
      result.sums_[std::max(target[i], target[j]) * m + std::min(target[i], target[j])] = at(i, j);
    }
  }
  *this = std::move(result);
}

void CrossProducts::save(modelfile::Writer& writer) const {
  std::vector<double> high;
  std::vector<double> low;
  for (const Wide& sum : sums_) {
    high.push_back(sum.high);
    low.push_back(sum.low);
  }
  writer.tensor("products.high", high, {size(), size()});
  writer.tensor("products.low", low, {size(), size()});
}

CrossProducts CrossProducts::load(const modelfile::Reader& reader, const Schema& schema) {
  CrossProducts result;
  const std::size_t m = 1 + all_columns(shape_of(schema)).size();
  const auto high = reader.doubles("products.high", {m, m});
  const auto low = reader.doubles("products.low", {m, m});
  result.grow(shape_of(schema));
  for (std::size_t i = 0; i < m * m; ++i) {
    if (!std::isfinite(high[i]) || !std::isfinite(low[i])) {
      reader.fail("its sums of products are not finite");
    }
    result.sums_[i] = linalg::exact_sum(high[i], low[i]);
  }
  for (std::size_t i = 0; i < m; ++i) {
    if (result.at(i, i).value() < 0.0) { reader.fail("a sum of squares in it is negative"); }
  }
  if (!(result.weight() > 0.0)) { reader.fail("its weight is not positive"); }
  return result;
}

}  // namespace logodds
