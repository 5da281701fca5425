#include "models/naive_bayes/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/models/row_problem.hpp"
#include "logodds/stats/held_rows.hpp"
#include "random/philox.hpp"
#include "stats/sub_block.hpp"

namespace logodds::models::naive_bayes {

void NaiveStatistics::bind(std::span<const SourceColumn> columns) {
  keeping_ = keeping(wish_, places_of(columns));
  bound_ = true;
  values_.assign(keeping_.values.size(), {});
  texts_.assign(keeping_.texts.size(), TermCounts(wish_.text.plan));
  joint_.clear();
  for (const auto& block : keeping_.joint) {
    std::vector<Place> places;
    for (const auto i : block) { places.push_back(keeping_.places[i]); }
    joint_.emplace_back(std::move(places));
  }
  second_half_.clear();
  if (wish_.blocks_auto) { second_half_ = joint_; }
  index_joint();
}

/// Of documents alone, unless rare terms are dropped as they come.
bool NaiveStatistics::exact() const {
  const TermPlan& plan = *wish_.text.plan;
  return bound_ && !texts_.empty() && texts_.size() == keeping_.places.size() &&
         (plan.amount == TermAmount::counts || plan.amount == TermAmount::presence) &&
         plan.rules.unit != text::Unit::pairs && plan.most_terms == 0;
}

void NaiveStatistics::index_joint() {
  joint_index_.clear();
  for (std::size_t i = 0; i < keeping_.joint.size(); ++i) { joint_index_[keeping_.joint[i]] = i; }
}

void NaiveStatistics::note_minima(const RowBlock& block) {
  for (const auto c : keeping_.bounded) {
    auto& least = minima_.emplace(c, std::numeric_limits<double>::infinity()).first->second;
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double x = block.numeric[r * block.numeric_stride + keeping_.places[c].position];
      least = x < least ? x : least;
    }
  }
}

void NaiveStatistics::check_column(const Column& column, std::size_t c,
                                   const ColumnFamily& family) const {
  const Place& place = keeping_.places[c];
  if (place.number() && numbers_.overflows(place.position)) {
    throw Error(ErrorCode::numeric, "column '" + column.name +
                                        "': the values are so large that their squares overflow; "
                                        "give it in larger units");
  }
  const auto least = minima_.find(c);
  if (least == minima_.end() || !std::isfinite(least->second)) { return; }
  const auto why = family.refusal(least->second);
  if (why.empty()) { return; }
  throw Error(ErrorCode::input, "column '" + column.name + "' holds " +
                                    format_number(least->second) + ", which " + std::string(why) +
                                    ", so it cannot be " + std::string(family.name()) +
                                    "; correct the value or choose another family in --families");
}

void NaiveStatistics::check_support(const RowBlock& block) const {
  for (const auto& [index, family] : keeping_.checked) {
    const Place& place = keeping_.places[index];
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double x = block.numeric[r * block.numeric_stride + place.position];
      if (std::isnan(x)) { continue; }
      const auto why = family->refusal(x);
      if (!why.empty()) {
        throw RowProblem{r, place.name, x,
                         std::string(why) + ", so the column cannot be " +
                             std::string(family->name()) +
                             "; correct the value or choose another family in --families"};
      }
    }
  }
}

template <class Add>
void NaiveStatistics::add_texts(const Add& add) {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    try {
      add(texts_[i], i);
    } catch (RowProblem& problem) {
      problem.column = keeping_.places[keeping_.texts[i]].name;
      throw;
    }
  }
}

void NaiveStatistics::add(const RowBlock& block, const Shape& shape) {
  add_columns(block, shape);
  if (block.rows == 0) { return; }
  add_texts([&](TermCounts& text, std::size_t i) { text.add(block, i, shape.classes); });
}

void NaiveStatistics::add_shares(const RowBlock& block, const Shape& shape,
                                 std::span<const double> shares) {
  for_each_class(block, shape.classes, shares,
                 [&](const RowBlock& part) { add_columns(part, shape); });
  add_texts(
      [&](TermCounts& text, std::size_t i) { text.add_shares(block, i, shape.classes, shares); });
}

void NaiveStatistics::add_columns(const RowBlock& block, const Shape& shape) {
  class_weights_.resize(shape.classes, 0.0);
  if (block.rows == 0) { return; }
  check_support(block);
  const Grouped groups = group_by_class(block, shape.classes);
  for (std::size_t k = 0; k < shape.classes; ++k) {
    class_weights_[k] += weight_of(block, groups.of(k));
  }
  if (!block.complete) {
    const auto flags = incomplete_rows(block);
    rows_incomplete_ += static_cast<std::size_t>(std::count(flags.begin(), flags.end(), 1));
  }
  note_minima(block);
  numbers_.add(block, groups);
  levels_.add(block, shape);
  if (!keeping_.logs.empty()) { add_logs(block, groups); }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].add(block, keeping_.places[keeping_.values[i]].position);
  }
  add_joint(block, shape);
}

void NaiveStatistics::finish() {
  for (auto& text : texts_) { text.finish(); }
}

void NaiveStatistics::join(std::span<NaiveStatistics> lanes, int threads) {
  for (std::size_t i = 0; i < lanes.front().texts_.size(); ++i) {
    std::vector<TermCounts*> texts;
    for (auto& lane : lanes) { texts.push_back(&lane.texts_[i]); }
    TermCounts::join(texts, threads);
  }
}

namespace {

/// By a hash of the row's number: tables are often sorted, or alternate.
bool in_second_half(std::size_t row) {
  return (random::philox(
              {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32U), 0, 0},
              {0, 0})[0] &
          1U) != 0;
}

}  // namespace

void NaiveStatistics::add_joint(const RowBlock& block, const Shape& shape) {
  if (!wish_.blocks_auto) {
    for (auto& joint : joint_) { joint.add(block, shape, wish_.max_cells); }
    return;
  }
  std::vector<double> weights(block.rows);
  RowBlock half = block;
  half.weights = weights.data();
  for (const bool second : {false, true}) {
    for (std::size_t r = 0; r < block.rows; ++r) {
      weights[r] = in_second_half(block.first_row + r) == second ? block.weight(r) : 0.0;
    }
    for (auto& joint : second ? second_half_ : joint_) { joint.add(half, shape, wish_.max_cells); }
  }
}

std::pair<const JointStatistic*, const JointStatistic*> NaiveStatistics::halves(
    const std::vector<std::size_t>& columns) const {
  const auto found = joint_index_.find(columns);
  if (found == joint_index_.end()) { return {nullptr, nullptr}; }
  return {&joint_[found->second], &second_half_[found->second]};
}

void NaiveStatistics::settle(const Wish& wish) {
  for (std::size_t i = 0; i < second_half_.size(); ++i) { joint_[i].merge(second_half_[i]); }
  second_half_.clear();
  wish_ = wish;
  trim();
}

void NaiveStatistics::add_logs(const RowBlock& block, const Grouped& groups) {
  const std::size_t d = keeping_.logs.size();
  std::vector<double> logs(block.rows * d);
  for (std::size_t r = 0; r < block.rows; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      const std::size_t position = keeping_.places[keeping_.logs[i]].position;
      const double x = block.numeric[r * block.numeric_stride + position];
      logs[r * d + i] = x > 0.0 ? std::log(x) : std::numeric_limits<double>::quiet_NaN();
    }
  }
  RowBlock of_logs = block;
  of_logs.numeric = logs.data();
  of_logs.numeric_columns = of_logs.numeric_stride = d;
  logs_.add(of_logs, groups);
}

void NaiveStatistics::trim() {
  const Keeping wanted = keeping(wish_, keeping_.places);
  if (keeping_ == wanted) { return; }
  NaiveStatistics kept = *this;
  kept.values_.clear();
  kept.joint_.clear();
  for (const auto column : wanted.values) {
    const auto found = std::ranges::find(keeping_.values, column);
    kept.values_.push_back(values_[static_cast<std::size_t>(found - keeping_.values.begin())]);
  }
  for (const auto& columns : wanted.joint) { kept.joint_.push_back(*joint(columns)); }
  if (wanted.logs != keeping_.logs) {
    std::vector<std::size_t> places;
    for (const auto column : wanted.logs) {
      const auto found = std::ranges::find(keeping_.logs, column);
      places.push_back(static_cast<std::size_t>(found - keeping_.logs.begin()));
    }
    kept.logs_ = logs_.of_columns(places);
  }
  kept.keeping_ = wanted;
  kept.index_joint();
  *this = std::move(kept);
}

void NaiveStatistics::merge(const NaiveStatistics& other) {
  if (!bound_) {
    const Wish wish = wish_;
    *this = other;
    wish_ = wish;
    if (bound_) { trim(); }
    return;
  }
  class_weights_.resize(std::max(class_weights_.size(), other.class_weights_.size()), 0.0);
  for (std::size_t k = 0; k < other.class_weights_.size(); ++k) {
    class_weights_[k] += other.class_weights_[k];
  }
  rows_incomplete_ += other.rows_incomplete_;
  for (const auto& [c, least] : other.minima_) {
    const auto found = minima_.emplace(c, least).first;
    found->second = std::min(found->second, least);
  }
  numbers_.merge(other.numbers_);
  levels_.merge(other.levels_);
  logs_.merge(other.logs_);
  for (std::size_t i = 0; i < values_.size(); ++i) { values_[i].merge(other.values_[i]); }
  for (std::size_t i = 0; i < joint_.size(); ++i) { joint_[i].merge(other.joint_[i]); }
  for (std::size_t i = 0; i < second_half_.size(); ++i) {
    second_half_[i].merge(other.second_half_[i]);
  }
  for (std::size_t i = 0; i < texts_.size(); ++i) { texts_[i].merge(other.texts_[i]); }
}

std::vector<std::string> NaiveStatistics::number_names() const {
  std::vector<std::string> names;
  for (const auto& place : keeping_.places) {
    if (place.number()) { names.push_back(place.name); }
  }
  return names;
}

void NaiveStatistics::unmerge(const NaiveStatistics& other, const Schema& schema) {
  for (std::size_t k = 0; k < other.class_weights_.size(); ++k) {
    class_weights_[k] = weight_without(class_weights_[k], other.class_weights_[k],
                                       "class '" + schema.labels[k] + "'");
  }
  numbers_.unmerge(other.numbers_, schema.labels, number_names());
  levels_.unmerge(other.levels_, schema);
  std::vector<std::string> names;
  for (const auto i : keeping_.logs) { names.push_back("ln " + keeping_.places[i].name); }
  logs_.unmerge(other.logs_, schema.labels, names);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].unmerge(other.values_[i], schema.labels, keeping_.places[keeping_.values[i]].name);
  }
  for (std::size_t i = 0; i < joint_.size(); ++i) { joint_[i].unmerge(other.joint_[i], schema); }
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    texts_[i].unmerge(other.texts_[i], schema, keeping_.places[keeping_.texts[i]].name);
  }
}

void NaiveStatistics::recode(const Recoding& recoding) {
  std::vector<double> weights(recoding.shape.classes, 0.0);
  for (std::size_t k = 0; k < class_weights_.size(); ++k) {
    if (recoding.labels[k] >= 0) {
      weights[static_cast<std::size_t>(recoding.labels[k])] += class_weights_[k];
    }
  }
  class_weights_ = std::move(weights);
  numbers_.recode(recoding.labels, recoding.shape.classes);
  levels_.recode(recoding);
  logs_.recode(recoding.labels, recoding.shape.classes);
  for (auto& values : values_) { values.recode(recoding.labels); }
  for (auto& joint : joint_) { joint.recode(recoding); }
  for (auto& joint : second_half_) { joint.recode(recoding); }
  for (auto& text : texts_) { text.recode(recoding.labels, recoding.shape.classes); }
}

bool NaiveStatistics::compatible(const NaiveStatistics& other) const {
  if (!other.bound_) { return true; }
  const Keeping wanted = keeping(wish_, other.keeping_.places);
  const auto has_all = [](const auto& all, const auto& some) {
    return std::ranges::all_of(
        some, [&](const auto& one) { return std::ranges::find(all, one) != all.end(); });
  };
  return has_all(other.keeping_.logs, wanted.logs) &&
         has_all(other.keeping_.values, wanted.values) &&
         has_all(other.keeping_.joint, wanted.joint) &&
         std::ranges::all_of(
             other.texts_, [&](const TermCounts& text) { return text.plan() == *wish_.text.plan; });
}

double NaiveStatistics::weight() const {
  return std::accumulate(class_weights_.begin(), class_weights_.end(), 0.0);
}

std::size_t NaiveStatistics::size_for(const Shape& shape) const {
  constexpr std::size_t kFields = 5;  // of moments
  const std::size_t levels =
      std::accumulate(shape.levels.begin(), shape.levels.end(), std::size_t{0});
  std::size_t doubles = shape.classes * (kFields * shape.numeric + levels);
  for (const auto& joint : joint_) { doubles += joint.doubles(shape.classes); }
  return doubles;
}

Schema NaiveStatistics::remaining(const Schema& schema) const {
  Schema rest = schema;
  rest.labels.clear();
  for (std::size_t k = 0; k < class_weights_.size(); ++k) {
    if (class_weights_[k] > 0.0) { rest.labels.push_back(schema.labels[k]); }
  }
  std::size_t coded = 0;
  for (auto& column : rest.columns) {
    if (!column.coded()) { continue; }
    const auto weights = levels_.level_weights(coded++);
    std::vector<std::string> left;
    for (std::size_t l = 0; l < weights.size(); ++l) {
      if (weights[l] > 0.0) { left.push_back(column.levels[l]); }
    }
    if (!left.empty()) { column = with_levels(column, std::move(left)); }
  }
  return rest;
}

ColumnSummary NaiveStatistics::summary(const Schema& schema, std::size_t c) const {
  ColumnSummary summary{.column = schema.columns[c], .labels = schema.labels};
  const Place& place = keeping_.places[c];
  if (!place.coded) {
    fill_numbers(summary, c);
    return summary;
  }
  const auto counts = levels_.of(place.position);
  summary.level_weights.assign(counts.begin(), counts.end());
  const std::size_t levels = summary.column.levels.size();
  for (std::size_t k = 0; k < summary.classes(); ++k) {
    const auto row = counts.subspan(k * levels, levels);
    summary.weights.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  }
  return summary;
}

void NaiveStatistics::fill_numbers(ColumnSummary& summary, std::size_t c) const {
  const std::size_t position = keeping_.places[c].position;
  const bool counts = numbers_.counts_only(position);
  for (std::size_t k = 0; k < summary.classes(); ++k) {
    summary.weights.push_back(numbers_.weight(k, position));
    summary.sums.push_back(numbers_.sum(k, position));
    summary.means.push_back(numbers_.mean(k, position));
    summary.scatters.push_back(numbers_.scatter(k, position));
    summary.log_factorials.push_back(counts ? numbers_.log_factorials(k, position)
                                            : std::numeric_limits<double>::quiet_NaN());
  }
  const auto log_place = std::ranges::find(keeping_.logs, c);
  if (log_place != keeping_.logs.end()) {
    const auto i = static_cast<std::size_t>(log_place - keeping_.logs.begin());
    for (std::size_t k = 0; k < summary.classes(); ++k) {
      summary.log_means.push_back(logs_.mean(k, i));
      summary.log_scatters.push_back(logs_.scatter(k, i));
    }
  }
  const auto value_place = std::ranges::find(keeping_.values, c);
  if (value_place != keeping_.values.end()) {
    fill_values(summary, values_[static_cast<std::size_t>(value_place - keeping_.values.begin())]);
  }
}

void NaiveStatistics::fill_values(ColumnSummary& summary, const ValueTable& table) const {
  const std::size_t classes = summary.classes();
  for (const auto& entry : table.entries()) {
    if (summary.values.empty() || summary.values.back() != entry.value) {
      summary.values.push_back(entry.value);
      summary.value_weights.resize(summary.values.size() * classes, 0.0);
    }
    const auto k = static_cast<std::size_t>(entry.label);
    summary.value_weights[(summary.values.size() - 1) * classes + k] += entry.weight;
  }
}

const JointStatistic* NaiveStatistics::joint(const std::vector<std::size_t>& columns) const {
  const auto found = joint_index_.find(columns);
  return found == joint_index_.end() ? nullptr : &joint_[found->second];
}

double NaiveStatistics::level_weight(const Place& place, std::size_t k, std::size_t level) const {
  if (place.coded) { return levels_.weight(place.position, k, level); }
  const double ones = numbers_.sum(k, place.position);
  return level == 1 ? ones : numbers_.weight(k, place.position) - ones;
}

std::vector<double> NaiveStatistics::summary_weights(const Place& place) const {
  std::vector<double> weights;
  if (place.text) { return texts_[place.position].documents(); }
  for (std::size_t k = 0; k < class_weights_.size(); ++k) {
    if (!place.coded) {
      weights.push_back(numbers_.weight(k, place.position));
      continue;
    }
    const auto counts = levels_.of(place.position);
    const std::size_t levels = counts.size() / class_weights_.size();
    const auto row = counts.subspan(k * levels, levels);
    weights.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  }
  return weights;
}

bool NaiveStatistics::has_partial_rows(const Factor& factor) const {
  constexpr double kRounding = 1e-9;
  for (const auto& joint : joint_) {
    if (joint.places() != factor.places()) { continue; }
    for (const auto& place : factor.places()) {
      const auto weights = summary_weights(place);
      for (std::size_t k = 0; k < weights.size(); ++k) {
        if (std::abs(weights[k] - joint.weight(k)) > kRounding * class_weights_[k]) { return true; }
      }
    }
  }
  return false;
}

void NaiveStatistics::save(modelfile::Writer& writer) const {
  const std::size_t classes = class_weights_.size();
  writer.tensor("statistics.weights", class_weights_, {classes});
  numbers_.save(writer, "statistics.numbers");
  levels_.save(writer, "statistics.levels");
  if (!keeping_.logs.empty()) { logs_.save(writer, "statistics.logs"); }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].save(writer, "statistics.values." + std::to_string(i));
  }
  for (std::size_t i = 0; i < joint_.size(); ++i) {
    joint_[i].save(writer, classes, "statistics.joint." + std::to_string(i));
  }
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    texts_[i].save(writer, "statistics.text." + std::to_string(i));
  }
}

NaiveStatistics NaiveStatistics::load(const modelfile::Reader& reader, const Schema& schema,
                                      const Wish& wish) {
  NaiveStatistics loaded(wish);
  std::vector<SourceColumn> columns;
  for (const auto& column : schema.columns) {
    columns.push_back({column.name, column.coded(), {}, column.text()});
  }
  loaded.bind(columns);
  const Shape shape = shape_of(schema);
  loaded.class_weights_ = reader.doubles("statistics.weights", {shape.classes});
  for (const double weight : loaded.class_weights_) {
    if (!std::isfinite(weight) || weight <= 0.0) {
      reader.fail("its class weights are no weights");
    }
  }
  loaded.numbers_ = ColumnMoments::load(reader, shape.classes, shape.numeric, "statistics.numbers");
  loaded.levels_ = LevelCounts::load(reader, shape, "statistics.levels");
  if (!loaded.keeping_.logs.empty()) {
    loaded.logs_ =
        ColumnMoments::load(reader, shape.classes, loaded.keeping_.logs.size(), "statistics.logs");
  }
  for (std::size_t i = 0; i < loaded.values_.size(); ++i) {
    loaded.values_[i] =
        ValueTable::load(reader, shape.classes, "statistics.values." + std::to_string(i));
  }
  for (std::size_t i = 0; i < loaded.joint_.size(); ++i) {
    loaded.joint_[i] = JointStatistic::load(reader, loaded.joint_[i].places(), shape,
                                            "statistics.joint." + std::to_string(i));
  }
  for (std::size_t i = 0; i < loaded.texts_.size(); ++i) {
    loaded.texts_[i] = TermCounts::load(reader, shape.classes,
                                        "statistics.text." + std::to_string(i), wish.text.plan);
  }
  return loaded;
}

}  // namespace logodds::models::naive_bayes
