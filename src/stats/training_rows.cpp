#include "logodds/stats/training_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "logodds/modelfile/container.hpp"
#include "logodds/parallel/blocks.hpp"
#include "memory/large_array.hpp"

namespace logodds {

void TrainingRows::add_numbers(const RowBlock& block, Chunk& chunk) const {
  if (block.is_sparse()) {
    const std::size_t begin = block.sparse.starts[0];
    const std::size_t end = block.sparse.starts[block.rows];
    chunk.starts.reserve(block.rows + 1);
    for (std::size_t r = 0; r <= block.rows; ++r) {
      chunk.starts.push_back(block.sparse.starts[r] - begin);
    }
    chunk.indices.assign(block.sparse.indices + begin, block.sparse.indices + end);
    chunk.numeric.assign(block.sparse.values + begin, block.sparse.values + end);
    return;
  }
  if (keeps_places_ && block.lasting) {
    chunk.place = block.numeric;
    chunk.stride = block.numeric_stride;
    return;
  }
  const std::size_t width = block.numeric_columns;
  chunk.numeric.resize(block.rows * width);
  for (std::size_t r = 0; r < block.rows; ++r) {
    std::copy_n(block.numeric + r * block.numeric_stride, width, chunk.numeric.data() + r * width);
  }
}

void TrainingRows::add(const RowBlock& block, const Shape& shape) {
  shape_ = shape;
  if (block.rows == 0) { return; }
  Chunk chunk;
  chunk.ordinal = block.ordinal;
  chunk.rows = block.rows;
  chunk.first_row = block.first_row;
  if (block.row_numbers != nullptr) {
    chunk.numbers.assign(block.row_numbers, block.row_numbers + block.rows);
  }
  add_numbers(block, chunk);
  for (const auto* codes : block.codes) { chunk.codes.emplace_back(codes, codes + block.rows); }
  if (block.labels != nullptr) { chunk.labels.assign(block.labels, block.labels + block.rows); }
  if (block.weights != nullptr) { chunk.weights.assign(block.weights, block.weights + block.rows); }
  chunks_.push_back(std::move(chunk));
}

void TrainingRows::merge(const TrainingRows& other) {
  if (shape_ == Shape{}) { shape_ = other.shape_; }
  std::size_t before = 0;  // rows that were read before the other's
  for (const Chunk& chunk : chunks_) {
    if (chunk.joined) { before = std::max(before, end_number(chunk)); }
  }
  const std::size_t old = chunks_.size();
  chunks_.insert(chunks_.end(), other.chunks_.begin(), other.chunks_.end());
  for (std::size_t c = old; c < chunks_.size() && before > 0; ++c) {
    chunks_[c].first_row += before;
    for (std::size_t& number : chunks_[c].numbers) { number += before; }
  }
  std::stable_sort(chunks_.begin(), chunks_.end(),
                   [](const Chunk& a, const Chunk& b) { return a.ordinal < b.ordinal; });
}

void TrainingRows::recode(const Recoding& recoding) {
  const auto apply = [](std::vector<std::int32_t>& codes, const std::vector<std::int32_t>& map) {
    for (auto& code : codes) {
      if (code >= 0) { code = map[static_cast<std::size_t>(code)]; }
    }
  };
  for (auto& chunk : chunks_) {
    apply(chunk.labels, recoding.labels);
    for (std::size_t c = 0; c < chunk.codes.size(); ++c) {
      apply(chunk.codes[c], recoding.levels[c]);
    }
  }
  shape_ = recoding.shape;
}

bool TrainingRows::compatible(const TrainingRows& other) const {
  return shape_ == other.shape_ || shape_ == Shape{};
}

double TrainingRows::weight() const {
  double sum = 0.0;
  for (const auto& chunk : chunks_) {
    sum += chunk.weights.empty() ? static_cast<double>(chunk.rows)
                                 : std::accumulate(chunk.weights.begin(), chunk.weights.end(), 0.0);
  }
  return sum;
}

std::vector<double> TrainingRows::class_weights() const {
  std::vector<double> weights(shape_.classes, 0.0);
  for (const auto& chunk : chunks_) {
    for (std::size_t r = 0; r < chunk.labels.size(); ++r) {
      weights[static_cast<std::size_t>(chunk.labels[r])] +=
          chunk.weights.empty() ? 1.0 : chunk.weights[r];
    }
  }
  return weights;
}

std::size_t TrainingRows::rows() const {
  std::size_t rows = 0;
  for (const auto& chunk : chunks_) { rows += chunk.rows; }
  return rows;
}

std::size_t TrainingRows::doubles() const {
  std::size_t count = 0;
  for (const auto& chunk : chunks_) {
    count += chunk.place != nullptr ? chunk.rows * shape_.numeric : chunk.numeric.size();
  }
  return count;
}

void TrainingRows::keep_blocks(const std::function<bool(std::size_t)>& wanted) {
  std::erase_if(chunks_, [&](const Chunk& chunk) { return !wanted(chunk.ordinal); });
}

void TrainingRows::append_numbers(const Chunk& from, Chunk& to) const {
  if (to.place != nullptr) { return; }
  if (from.place == nullptr) {
    to.numeric.insert(to.numeric.end(), from.numeric.begin(), from.numeric.end());
    return;
  }
  for (std::size_t r = 0; r < from.rows; ++r) {
    const double* const row = from.place + r * from.stride;
    to.numeric.insert(to.numeric.end(), row, row + shape_.numeric);
  }
}

bool TrainingRows::in_one_place() const {
  const double* next = chunks_.front().place;
  const std::size_t stride = chunks_.front().stride;
  for (const auto& chunk : chunks_) {
    if (chunk.place == nullptr || chunk.place != next || chunk.stride != stride) { return false; }
    if (chunk.copied != nullptr) { return false; }
    next += chunk.rows * stride;
  }
  return true;
}

void TrainingRows::own(int threads) {
  join();
  own_numbers(threads);
}

void TrainingRows::own_numbers(int threads) const {
  constexpr std::size_t kPiece = 4096;  // rows that one thread copies at a time
  Chunk& all = chunks_.front();
  if (all.place == nullptr || all.copied != nullptr) { return; }
  auto copy = std::make_shared<memory::LargeArray<double>>(
      memory::LargeArray<double>::for_overwrite(all.rows * shape_.numeric));
  double* const to = copy->data();
  parallel::run_lanes(threads, (all.rows + kPiece - 1) / kPiece, [&](std::size_t piece) {
    for (std::size_t r = piece * kPiece; r < std::min(all.rows, (piece + 1) * kPiece); ++r) {
      std::copy_n(all.place + r * all.stride, shape_.numeric, to + r * shape_.numeric);
    }
  });
  all.copied = std::shared_ptr<const double>(std::move(copy), to);
  all.place = to;
  all.stride = shape_.numeric;
}

std::size_t TrainingRows::end_number(const Chunk& chunk) {
  return chunk.numbers.empty() ? chunk.first_row + chunk.rows : chunk.numbers.back() + 1;
}

const std::vector<std::size_t>& TrainingRows::numbers() const {
  join();
  return chunks_.front().numbers;
}

void TrainingRows::append(const Chunk& from, Chunk& to) const {
  const std::size_t before = to.numeric.size();
  append_numbers(from, to);
  to.indices.insert(to.indices.end(), from.indices.begin(), from.indices.end());
  if (to.starts.empty() && !from.starts.empty()) { to.starts.push_back(0); }
  for (std::size_t r = 1; r < from.starts.size(); ++r) {
    to.starts.push_back(before + from.starts[r]);
  }
  for (std::size_t c = 0; c < to.codes.size(); ++c) {
    to.codes[c].insert(to.codes[c].end(), from.codes[c].begin(), from.codes[c].end());
  }
  to.labels.insert(to.labels.end(), from.labels.begin(), from.labels.end());
  to.weights.insert(to.weights.end(), from.weights.begin(), from.weights.end());
}

void TrainingRows::join() const {
  if (chunks_.size() == 1 && chunks_.front().joined) { return; }
  std::vector<std::size_t> numbers = joined_numbers();
  if (chunks_.size() > 1) { join_chunks(); }
  chunks_.front().first_row = 0;
  chunks_.front().numbers = std::move(numbers);
  chunks_.front().joined = true;
}

std::vector<std::size_t> TrainingRows::joined_numbers() const {
  std::size_t rows = 0;
  const bool in_turn = std::ranges::all_of(chunks_, [&](const Chunk& chunk) {
    const std::size_t first = std::exchange(rows, rows + chunk.rows);
    // Ascending, so that no number is left out when the last one is as it would be then.
    return end_number(chunk) == rows &&
           (chunk.numbers.empty() ? chunk.first_row : chunk.numbers.front()) == first;
  });
  std::vector<std::size_t> numbers;
  for (const Chunk& chunk : chunks_) {
    for (std::size_t r = 0; r < chunk.rows && !in_turn; ++r) {
      numbers.push_back(chunk.numbers.empty() ? chunk.first_row + r : chunk.numbers[r]);
    }
  }
  return numbers;
}

void TrainingRows::join_chunks() const {
  Chunk all;
  all.rows = rows();
  if (in_one_place()) {
    all.place = chunks_.front().place;
    all.stride = chunks_.front().stride;
  } else {
    all.numeric.reserve(doubles());
  }
  all.labels.reserve(all.rows);
  all.codes.resize(shape_.levels.size());
  for (auto& codes : all.codes) { codes.reserve(all.rows); }
  const bool weighted = std::any_of(chunks_.begin(), chunks_.end(),
                                    [](const Chunk& chunk) { return !chunk.weights.empty(); });
  for (auto& chunk : chunks_) {
    if (weighted && chunk.weights.empty()) { chunk.weights.assign(chunk.rows, 1.0); }
    append(chunk, all);
    chunk = Chunk{};
  }
  chunks_.clear();
  chunks_.push_back(std::move(all));
}

RowBlock TrainingRows::view() const {
  join();
  const Chunk& all = chunks_.front();
  code_pointers_.clear();
  for (const auto& codes : all.codes) { code_pointers_.push_back(codes.data()); }
  const bool sparse = !all.starts.empty();
  const double* const numeric = all.place != nullptr ? all.place : all.numeric.data();
  const std::size_t stride = all.place != nullptr ? all.stride : shape_.numeric;
  return {.rows = all.rows,
          .numeric = sparse ? nullptr : numeric,
          .numeric_columns = shape_.numeric,
          .numeric_stride = sparse ? 0 : stride,
          .sparse = sparse ? SparseRows{all.starts.data(), all.indices.data(), all.numeric.data()}
                           : SparseRows{},
          .codes = code_pointers_,
          .labels = all.labels.empty() ? nullptr : all.labels.data(),
          .weights = all.weights.empty() ? nullptr : all.weights.data()};
}

void TrainingRows::save(modelfile::Writer& writer) const {
  join();
  own_numbers(1);
  const Chunk& all = chunks_.front();
  const double* const values = all.place != nullptr ? all.place : all.numeric.data();
  writer.tensor("rows.numeric", std::span(values, all.rows * shape_.numeric),
                {all.rows, shape_.numeric});
  for (std::size_t c = 0; c < all.codes.size(); ++c) {
    writer.tensor("rows.codes." + std::to_string(c), all.codes[c], {all.rows});
  }
  writer.tensor("rows.labels", all.labels, {all.rows});
  if (!all.weights.empty()) { writer.tensor("rows.weights", all.weights, {all.rows}); }
  if (!all.numbers.empty()) {
    const std::vector<double> numbers(all.numbers.begin(), all.numbers.end());
    writer.tensor("rows.numbers", numbers, {all.rows});
  }
}

namespace {

void check_codes(const modelfile::Reader& reader, const std::vector<std::int32_t>& codes,
                 std::size_t size) {
  for (const auto code : codes) {
    if (code < 0 || static_cast<std::size_t>(code) >= size) {
      reader.fail("a row refers to a class or level that does not exist");
    }
  }
}

/// Whole numbers, ascending, below 2^53, so that a double holds the next one, too.
std::vector<std::size_t> row_numbers(const modelfile::Reader& reader,
                                     const std::vector<double>& values) {
  constexpr double kMost = 9007199254740992.0;
  std::vector<std::size_t> numbers;
  std::size_t next = 0;
  for (const double value : values) {
    if (!(value >= static_cast<double>(next)) || value >= kMost || value != std::floor(value)) {
      reader.fail("the numbers of its rows are not in ascending order");
    }
    next = static_cast<std::size_t>(value) + 1;
    numbers.push_back(static_cast<std::size_t>(value));
  }
  return numbers;
}

}  // namespace

TrainingRows TrainingRows::load(const modelfile::Reader& reader, const Schema& schema) {
  TrainingRows result;
  result.shape_ = shape_of(schema);
  if (!reader.has_tensor("rows.labels") || reader.shape("rows.labels").size() != 1) {
    reader.fail("its rows are missing");
  }
  Chunk all;
  all.rows = reader.shape("rows.labels").front();
  if (all.rows == 0) { reader.fail("it holds no rows"); }
  all.labels = reader.integers("rows.labels", {all.rows});
  check_codes(reader, all.labels, schema.labels.size());
  all.numeric = reader.doubles("rows.numeric", {all.rows, result.shape_.numeric});
  for (const auto& column : schema.columns) {
    if (!column.coded()) { continue; }
    const std::string name = "rows.codes." + std::to_string(all.codes.size());
    all.codes.push_back(reader.integers(name, {all.rows}));
    check_codes(reader, all.codes.back(), column.levels.size());
  }
  if (reader.has_tensor("rows.weights")) {
    all.weights = reader.doubles("rows.weights", {all.rows});
  }
  const auto not_finite = [](double value) { return !std::isfinite(value); };
  const auto not_weight = [](double value) { return !std::isfinite(value) || value <= 0.0; };
  if (std::any_of(all.numeric.begin(), all.numeric.end(), not_finite) ||
      std::any_of(all.weights.begin(), all.weights.end(), not_weight)) {
    reader.fail("its rows hold values that are not finite or weights that are not positive");
  }
  if (reader.has_tensor("rows.numbers")) {
    all.numbers = row_numbers(reader, reader.doubles("rows.numbers", {all.rows}));
  }
  all.joined = true;
  result.chunks_.push_back(std::move(all));
  return result;
}

}  // namespace logodds
