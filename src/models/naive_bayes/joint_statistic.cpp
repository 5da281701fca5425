#include "models/naive_bayes/joint_statistic.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "stats/sub_block.hpp"

namespace logodds::models::naive_bayes {

namespace {

Shape numbers_shape(std::size_t classes, std::size_t columns) {
  return {.classes = classes, .numeric = columns, .levels = {}};
}

/// A missing value.
constexpr std::int32_t kNone = kMissingCode;
/// A number other than 0 and 1.
constexpr std::int32_t kNoCode = -3;

std::int32_t code_at(const RowBlock& block, const Place& place, std::size_t r) {
  if (place.coded) { return block.codes[place.position][r]; }
  const double x = block.numeric[r * block.numeric_stride + place.position];
  if (std::isnan(x)) { return kNone; }
  if (x == 0.0 || x == 1.0) { return static_cast<std::int32_t>(x); }
  return kNoCode;
}

}  // namespace

JointStatistic::JointStatistic(std::vector<Place> places)
    : places_(std::move(places)), cells_(CellCounts(places_.size())) {
  const bool numbers =
      std::ranges::none_of(places_, [](const Place& place) { return place.coded; });
  if (numbers) { moments_.emplace(SecondMoments::full); }
}

std::string JointStatistic::name() const {
  std::string name;
  for (const auto& place : places_) { name += (name.empty() ? "" : "+") + place.name; }
  return name;
}

void JointStatistic::add(const RowBlock& block, const Shape& shape, double most_cells) {
  if (moments_) { add_moments(block, shape); }
  if (cells_) { add_cells(block, most_cells); }
}

void JointStatistic::add_moments(const RowBlock& block, const Shape& shape) {
  std::string pattern(block.numeric_columns + block.codes.size(), '0');
  for (const auto& place : places_) { pattern[place.position] = '1'; }
  std::vector<std::size_t> members;
  for (std::size_t r = 0; r < block.rows; ++r) {
    const double* const row = block.numeric + r * block.numeric_stride;
    const bool complete = std::ranges::none_of(
        places_, [row](const Place& place) { return std::isnan(row[place.position]); });
    if (complete) { members.push_back(r); }
  }
  const SubBlock part(block, pattern, members);
  moments_->add(part.view(), numbers_shape(shape.classes, places_.size()));
}

/// How many cells there would be is known when all levels are; until then memory is the limit.
void JointStatistic::add_cells(const RowBlock& block, double most_cells) {
  constexpr double kAnyway = 0x1p22;
  std::vector<std::int32_t> codes(places_.size());
  for (std::size_t r = 0; r < block.rows; ++r) {
    bool complete = true;
    for (std::size_t c = 0; c < codes.size(); ++c) {
      codes[c] = code_at(block, places_[c], r);
      if (codes[c] == kNoCode) {
        cells_.reset();
        return;
      }
      complete = complete && codes[c] >= 0;
    }
    if (complete && block.weight(r) > 0.0) {
      cells_->add(codes, static_cast<std::size_t>(block.labels[r]), block.weight(r));
    }
  }
  if (static_cast<double>(cells_->size()) > std::max(most_cells, kAnyway)) {
    throw Error(ErrorCode::usage,
                "the joint table of " + name() + " has more than " +
                    std::to_string(cells_->size()) +
                    " cells that rows fall into; leave out columns with many levels, model fewer "
                    "columns together (--blocks), or raise --max-cells");
  }
}

void JointStatistic::merge(const JointStatistic& other) {
  if (moments_ && other.moments_) { moments_->merge(*other.moments_); }
  if (cells_ && other.cells_) {
    cells_->merge(*other.cells_);
  } else {
    cells_.reset();
  }
}

void JointStatistic::unmerge(const JointStatistic& other, const Schema& schema) {
  if (moments_ && other.moments_) {
    Schema part = schema;
    part.columns.clear();
    for (const auto& place : places_) {
      part.columns.push_back({place.name, ColumnKind::real, {}});
    }
    moments_->unmerge(*other.moments_, part);
  }
  if (cells_ && other.cells_) {
    cells_->unmerge(*other.cells_, "columns " + name());
  } else {
    cells_.reset();
  }
}

void JointStatistic::recode(const Recoding& recoding) {
  if (moments_) {
    moments_->recode({.shape = numbers_shape(recoding.shape.classes, places_.size()),
                      .labels = recoding.labels,
                      .levels = {}});
  }
  if (cells_) {
    std::vector<std::vector<std::int32_t>> codes;
    for (const auto& place : places_) {
      codes.push_back(place.coded ? recoding.levels[place.position] : std::vector<std::int32_t>{});
    }
    cells_->recode(recoding.labels, codes);
  }
}

double JointStatistic::weight(std::size_t k) const {
  if (moments_) { return k < moments_->classes() ? moments_->weight(k) : 0.0; }
  return cells_ ? cells_->weight(k) : 0.0;
}

std::size_t JointStatistic::doubles(std::size_t classes) const {
  return (moments_ ? classes * places_.size() * places_.size() : 0) +
         (cells_ ? cells_->size() * (classes + places_.size()) : 0);
}

void JointStatistic::save(modelfile::Writer& writer, std::size_t classes,
                          const std::string& prefix) const {
  if (moments_) { moments_->save(writer, prefix + ".moments"); }
  if (cells_) { cells_->save(writer, classes, prefix + ".table"); }
}

JointStatistic JointStatistic::load(const modelfile::Reader& reader, std::vector<Place> places,
                                    const Shape& shape, const std::string& prefix) {
  JointStatistic joint(std::move(places));
  if (joint.moments_) {
    joint.moments_ = ClassMoments::load(reader, numbers_shape(shape.classes, joint.places_.size()),
                                        SecondMoments::full, prefix + ".moments");
  }
  joint.cells_.reset();
  if (reader.has_tensor(prefix + ".table.cells")) {
    std::vector<std::size_t> levels;
    for (const auto& place : joint.places_) {
      levels.push_back(place.coded ? shape.levels[place.position] : 2);
    }
    joint.cells_ = CellCounts::load(reader, shape.classes, levels, prefix + ".table");
  } else if (std::ranges::all_of(joint.places_, [](const Place& place) { return place.coded; })) {
    reader.fail("it lacks the joint table of " + joint.name());
  }
  return joint;
}

}  // namespace logodds::models::naive_bayes
