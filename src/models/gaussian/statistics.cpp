#include "models/gaussian/statistics.hpp"

#include <algorithm>

#include "stats/sub_block.hpp"

namespace logodds::models::gaussian {

namespace {

constexpr std::size_t kMostLanes = 16;
constexpr std::size_t kMostRowDoubles = (std::size_t{1} << 25U) / kMostLanes;  // in one lane

}  // namespace

GaussianStatistics::GaussianStatistics(const Keeps& keeps) : moments_(keeps.moments) {
  if (keeps.fourth) { fourth_.emplace(); }
  if (keeps.rows) { rows_.emplace(); }
}

GaussianStatistics::GaussianStatistics(PatternMoments moments, std::optional<FourthMoments> fourth)
    : moments_(std::move(moments)), fourth_(std::move(fourth)) {}

void GaussianStatistics::add(const RowBlock& block, const Shape& shape) {
  moments_.add(block, shape);
  if (!fourth_ && !rows_) { return; }
  const auto flags = incomplete_rows(block);
  std::optional<SubBlock> part;
  if (!flags.empty()) { part.emplace(complete_rows(block, flags)); }
  RowBlock complete = part ? part->view() : block;
  complete.ordinal = block.ordinal;
  if (fourth_) { fourth_->add(complete, shape); }
  if (rows_ && block.ordinal / kMostLanes % step_ == 0) {
    rows_->add(complete, shape);
    thin_rows();
  }
}

void GaussianStatistics::thin_rows() {
  while (rows_->doubles() > kMostRowDoubles && rows_->blocks() > 1) {
    step_ *= 2;
    const std::size_t step = step_;
    rows_->keep_blocks([step](std::size_t ordinal) { return ordinal / kMostLanes % step == 0; });
  }
}

void GaussianStatistics::merge(const GaussianStatistics& other) {
  moments_.merge(other.moments_);
  if (fourth_ && other.fourth_) { fourth_->merge(*other.fourth_); }
  if (rows_ && other.rows_) {
    rows_->merge(*other.rows_);
    step_ = std::max(step_, other.step_);
    const std::size_t step = step_;
    rows_->keep_blocks([step](std::size_t ordinal) { return ordinal / kMostLanes % step == 0; });
  }
}

void GaussianStatistics::unmerge(const GaussianStatistics& other, const Schema& schema) {
  moments_.unmerge(other.moments_, schema);
  if (fourth_ && other.fourth_) { fourth_->unmerge(*other.fourth_); }
}

std::vector<double> GaussianStatistics::class_weights() const {
  std::vector<double> weights(moments_.classes());
  for (std::size_t k = 0; k < weights.size(); ++k) { weights[k] = moments_.weight(k); }
  return weights;
}

void GaussianStatistics::recode(const Recoding& recoding) {
  moments_.recode(recoding);
  if (fourth_) { fourth_->recode(recoding); }
  if (rows_) { rows_->recode(recoding); }
}

bool GaussianStatistics::compatible(const GaussianStatistics& other) const {
  return moments_.compatible(other.moments_) && (!fourth_ || other.fourth_);
}

std::size_t GaussianStatistics::size_for(const Shape& shape) const {
  return moments_.size_for(shape) + (fourth_ ? fourth_->size_for(shape) : 0);
}

void GaussianStatistics::save(modelfile::Writer& writer) const {
  moments_.save(writer);
  if (fourth_) { fourth_->save(writer); }
}

GaussianStatistics GaussianStatistics::load(const modelfile::Reader& reader, const Schema& schema,
                                            const Keeps& keeps) {
  std::optional<FourthMoments> fourth;
  if (keeps.fourth) { fourth = FourthMoments::load(reader, schema); }
  return {PatternMoments::load(reader, schema, keeps.moments), std::move(fourth)};
}

}  // namespace logodds::models::gaussian
