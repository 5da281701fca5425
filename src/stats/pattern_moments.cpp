#include "logodds/stats/pattern_moments.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "stats/sub_block.hpp"

namespace logodds {

namespace {

/// Doubles in the patterns of one lane of a pass; there are at most 16 lanes.
constexpr std::size_t kMostDoubles = std::size_t{1} << 21U;

std::size_t doubles_in(const ClassMoments& moments) {
  return 1 + moments.means().size() + moments.scatters().size();
}

/// The shape of the columns that a pattern has, for one class.
Shape shape_under(const std::string& pattern, const Shape& shape) {
  Shape part{.classes = 1, .numeric = 0, .levels = {}};
  const auto numbers = pattern.begin() + static_cast<std::ptrdiff_t>(shape.numeric);
  part.numeric = static_cast<std::size_t>(std::count(pattern.begin(), numbers, '1'));
  for (std::size_t c = 0; c < shape.levels.size(); ++c) {
    if (observed(pattern, shape.numeric + c)) { part.levels.push_back(shape.levels[c]); }
  }
  return part;
}

}  // namespace

void PatternMoments::add(const RowBlock& block, const Shape& shape) {
  const auto flags = incomplete_rows(block);
  if (flags.empty()) { return complete_.add(block, shape); }
  complete_.add(complete_rows(block, flags).view(), shape);
  add_incomplete(block, shape, flags);
}

void PatternMoments::add_incomplete(const RowBlock& block, const Shape& shape,
                                    std::span<const std::uint8_t> flags) {
  std::map<Key, std::vector<std::size_t>> members;
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (flags[r] == 0) { continue; }
    members[{static_cast<std::size_t>(block.labels[r]), pattern_of(block, r)}].push_back(r);
    ++rows_incomplete_;
  }
  for (const auto& [key, rows] : members) { add_pattern(key, block, shape, rows); }
  std::size_t doubles = 0;
  for (const auto& [key, moments] : incomplete_) { doubles += doubles_in(moments); }
  if (doubles > kMostDoubles) {
    throw Error(ErrorCode::numeric,
                "the rows lack values in so many different patterns (more than " +
                    std::to_string(incomplete_.size()) +
                    " in a part of them) that their moments are too many to keep; leave out the "
                    "columns that are often empty with --ignore, or such rows with --missing skip");
  }
}

void PatternMoments::add_pattern(const Key& key, const RowBlock& block, const Shape& shape,
                                 std::span<const std::size_t> members) {
  auto& moments = incomplete_.try_emplace(key, complete_.second()).first->second;
  const Shape part = shape_under(key.observed, shape);
  if (key.observed.find('1') != std::string::npos) {
    SubBlock rows(block, key.observed, members);
    std::fill(rows.labels.begin(), rows.labels.end(), 0);
    return moments.add(rows.view(), part);
  }
  double weight = 0.0;  // nothing is known of these rows but their class
  for (const std::size_t r : members) { weight += block.weight(r); }
  moments.merge(ClassMoments::given(part, complete_.second(), {weight}, {}, {}));
}

void PatternMoments::merge(const PatternMoments& other) {
  complete_.merge(other.complete_);
  for (const auto& [key, moments] : other.incomplete_) {
    incomplete_.try_emplace(key, complete_.second()).first->second.merge(moments);
  }
  rows_incomplete_ += other.rows_incomplete_;
}

void PatternMoments::unmerge(const PatternMoments& other, const Schema& schema) {
  complete_.unmerge(other.complete_, schema);
  for (const auto& [key, moments] : other.incomplete_) {
    const auto found = incomplete_.find(key);
    if (found == incomplete_.end()) {
      throw Error(ErrorCode::input,
                  "class '" + schema.labels[key.label] +
                      "': the model has no row that lacks the same values as one of these; forget "
                      "only rows that it was trained on");
    }
    Schema part;  // names for messages: the columns that are observed
    part.labels = {schema.labels[key.label]};
    std::size_t numeric = 0;
    std::size_t coded = schema.numeric_count();
    for (const auto& column : schema.columns) {
      if (observed(key.observed, column.coded() ? coded++ : numeric++)) {
        part.columns.push_back(column);
      }
    }
    found->second.unmerge(moments, part);
    if (found->second.weight() == 0.0) { incomplete_.erase(found); }
  }
}

void PatternMoments::recode(const Recoding& recoding) {
  complete_.recode(recoding);
  std::map<Key, ClassMoments> recoded;
  for (auto& [key, moments] : incomplete_) {
    Recoding part{.shape = shape_under(key.observed, recoding.shape), .labels = {0}, .levels = {}};
    for (std::size_t c = 0; c < recoding.levels.size(); ++c) {
      if (observed(key.observed, recoding.shape.numeric + c)) {
        part.levels.push_back(recoding.levels[c]);
      }
    }
    moments.recode(part);
    recoded.emplace(Key{static_cast<std::size_t>(recoding.labels[key.label]), key.observed},
                    std::move(moments));
  }
  incomplete_ = std::move(recoded);
}

bool PatternMoments::compatible(const PatternMoments& other) const {
  return complete_.compatible(other.complete_);
}

double PatternMoments::weight() const {
  double total = complete_.weight();
  for (const auto& [key, moments] : incomplete_) { total += moments.weight(); }
  return total;
}

double PatternMoments::weight(std::size_t k) const {
  double total = complete_.weight(k);
  for (const auto& [key, moments] : incomplete_) {
    if (key.label == k) { total += moments.weight(); }
  }
  return total;
}

/// How much of the rows has each level of the coded column.
std::vector<double> PatternMoments::level_weights(std::size_t coded, std::size_t coded_columns,
                                                  std::size_t levels) const {
  std::vector<double> weights(levels, 0.0);
  const auto count = [&](const ClassMoments& moments, std::size_t column) {
    for (std::size_t l = 0; l < levels; ++l) {
      const std::size_t at = moments.position({.position = column, .level = static_cast<int>(l)});
      for (std::size_t k = 0; k < moments.classes(); ++k) {
        weights[l] += moments.weight(k) * moments.mean(k, at);
      }
    }
  };
  count(complete_, coded);
  for (const auto& [key, moments] : incomplete_) {
    const std::size_t numeric = key.observed.size() - coded_columns;
    if (!observed(key.observed, numeric + coded)) { continue; }
    const auto* const first = key.observed.data() + numeric;
    count(moments, static_cast<std::size_t>(std::count(first, first + coded, '1')));
  }
  return weights;
}

Schema PatternMoments::remaining(const Schema& schema) const {
  constexpr double kNothing = 1e-9;  // of all weight: an indicator's mean is rounded
  Schema rest = schema;
  rest.labels.clear();
  for (std::size_t k = 0; k < schema.labels.size(); ++k) {
    if (weight(k) > 0.0) { rest.labels.push_back(schema.labels[k]); }
  }
  const double nothing = kNothing * weight();
  std::size_t coded = 0;
  for (auto& column : rest.columns) {
    if (!column.coded()) { continue; }
    const auto weights = level_weights(coded++, schema.coded_count(), column.levels.size());
    std::vector<std::string> levels;
    for (std::size_t l = 0; l < weights.size(); ++l) {
      if (weights[l] > nothing) { levels.push_back(column.levels[l]); }
    }
    if (!levels.empty()) { column = with_levels(column, std::move(levels)); }
  }
  return rest;
}

Schema ClassMoments::remaining(const Schema& schema) const {
  return PatternMoments(*this).remaining(schema);
}

void PatternMoments::save(modelfile::Writer& writer) const {
  complete_.save(writer);
  if (incomplete_.empty()) { return; }
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> patterns;
  std::vector<double> weights;
  std::vector<double> means;
  std::vector<double> scatters;
  for (const auto& [key, moments] : incomplete_) {
    labels.push_back(static_cast<std::int32_t>(key.label));
    for (const char mark : key.observed) { patterns.push_back(mark == '1' ? 1 : 0); }
    weights.push_back(moments.weight(0));
    means.insert(means.end(), moments.means().begin(), moments.means().end());
    scatters.insert(scatters.end(), moments.scatters().begin(), moments.scatters().end());
  }
  const std::size_t count = labels.size();
  writer.tensor("patterns.labels", labels, {count});
  writer.tensor("patterns.observed", patterns, {count, patterns.size() / count});
  writer.tensor("patterns.weights", weights, {count});
  writer.tensor("patterns.means", means, {means.size()});
  writer.tensor("patterns.scatter", scatters, {scatters.size()});
}

namespace {

std::size_t design_size(const Shape& shape) {
  std::size_t size = shape.numeric;
  for (const std::size_t levels : shape.levels) { size += levels; }
  return size;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

namespace {

/// The tensors of the patterns, read from front to back.
class PatternReader {
 public:
  PatternReader(const modelfile::Reader& reader, const Schema& schema, SecondMoments second)
      : reader_(reader), shape_(shape_of(schema)), second_(second) {
    const auto& label_shape = reader.shape("patterns.labels");
    if (label_shape.size() != 1) { refuse(); }
    columns_ = schema.columns.size();
    labels_ = reader.integers("patterns.labels", label_shape);
    marks_ = reader.integers("patterns.observed", {labels_.size(), columns_});
    weights_ = reader.doubles("patterns.weights", label_shape);
    means_ = reader.doubles("patterns.means", reader.shape("patterns.means"));
    scatters_ = reader.doubles("patterns.scatter", reader.shape("patterns.scatter"));
    if (!all_finite(weights_) || !all_finite(means_) || !all_finite(scatters_)) { refuse(); }
  }

  [[nodiscard]] std::size_t count() const { return labels_.size(); }

  std::pair<PatternMoments::Key, ClassMoments> next() {
    PatternMoments::Key key{static_cast<std::size_t>(labels_[at_]), {}};
    if (labels_[at_] < 0 || key.label >= shape_.classes || !(weights_[at_] > 0.0)) { refuse(); }
    for (std::size_t c = 0; c < columns_; ++c) {
      key.observed += marks_[at_ * columns_ + c] != 0 ? '1' : '0';
    }
    const Shape part = shape_under(key.observed, shape_);
    const std::size_t d = design_size(part);
    auto means = take(means_, mean_at_, d);
    auto scatters = take(scatters_, scatter_at_, second_ == SecondMoments::full ? d * d : d);
    return {std::move(key), ClassMoments::given(part, second_, {weights_[at_++]}, std::move(means),
                                                std::move(scatters))};
  }

 private:
  [[noreturn]] void refuse() const {
    reader_.fail("its patterns of missing values do not fit each other");
  }

  std::vector<double> take(const std::vector<double>& values, std::size_t& at,
                           std::size_t size) const {
    if (size > values.size() - at) { refuse(); }
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at);
    at += size;
    return {begin, begin + static_cast<std::ptrdiff_t>(size)};
  }

  const modelfile::Reader& reader_;
  Shape shape_;
  SecondMoments second_;
  std::size_t columns_ = 0;
  std::vector<std::int32_t> labels_;
  std::vector<std::int32_t> marks_;
  std::vector<double> weights_;
  std::vector<double> means_;
  std::vector<double> scatters_;
  std::size_t at_ = 0;
  std::size_t mean_at_ = 0;
  std::size_t scatter_at_ = 0;
};

}  // namespace

PatternMoments PatternMoments::load(const modelfile::Reader& reader, const Schema& schema,
                                    SecondMoments second) {
  PatternMoments result(ClassMoments::load(reader, shape_of(schema), second));
  if (reader.has_tensor("patterns.labels")) {
    PatternReader patterns(reader, schema, second);
    for (std::size_t p = 0; p < patterns.count(); ++p) {
      result.incomplete_.insert(patterns.next());
    }
  }
  for (std::size_t k = 0; k < schema.labels.size(); ++k) {
    if (!(result.weight(k) > 0.0)) { reader.fail("a class has no weight"); }
  }
  return result;
}

}  // namespace logodds
