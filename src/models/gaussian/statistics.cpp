#include "models/gaussian/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/modelfile/container.hpp"
#include "logodds/parallel/blocks.hpp"
#include "stats/sub_block.hpp"

namespace logodds::models::gaussian {

namespace {

using parallel::kMostLanes;
constexpr std::size_t kMostRowDoubles = (std::size_t{1} << 25U) / kMostLanes;  // in one lane

}  // namespace

GaussianStatistics::GaussianStatistics(const Keeps& keeps) : moments_(keeps.moments) {
  if (keeps.fourth) { fourth_.emplace(); }
  if (keeps.rows) { rows_.emplace(); }
}

GaussianStatistics::GaussianStatistics(PatternMoments moments, std::optional<FourthMoments> fourth)
    : moments_(std::move(moments)), fourth_(std::move(fourth)) {}

void GaussianStatistics::keep_completed(DesignMoments moments, std::string options) {
  completed_ = std::move(moments);
  completed_for_ = std::move(options);
}

void GaussianStatistics::add(const RowBlock& block, const Shape& shape) {
  completed_.reset();
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
  completed_.reset();
  if (!fourth_ && weight() == 0.0) {
    fourth_ = other.fourth_;  // kept even where no option asks for it, as long as every part has it
  } else if (fourth_ && other.fourth_) {
    fourth_->merge(*other.fourth_);
  } else {
    fourth_.reset();
  }
  moments_.merge(other.moments_);
  if (rows_ && other.rows_) {
    rows_->merge(*other.rows_);
    step_ = std::max(step_, other.step_);
    const std::size_t step = step_;
    rows_->keep_blocks([step](std::size_t ordinal) { return ordinal / kMostLanes % step == 0; });
  }
}

void GaussianStatistics::unmerge(const GaussianStatistics& other, const Schema& schema) {
  completed_.reset();
  moments_.unmerge(other.moments_, schema);
  if (fourth_ && other.fourth_) { fourth_->unmerge(*other.fourth_); }
}

std::vector<double> GaussianStatistics::class_weights() const {
  std::vector<double> weights(moments_.classes());
  for (std::size_t k = 0; k < weights.size(); ++k) { weights[k] = moments_.weight(k); }
  return weights;
}

void GaussianStatistics::recode(const Recoding& recoding) {
  completed_.reset();
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
  if (!completed_) { return; }
  const std::size_t k = completed_->classes();
  const std::size_t d = completed_->size;
  writer.metadata("completed_for", completed_for_);
  writer.tensor("completed.weights", completed_->weights, {k});
  writer.tensor("completed.means", completed_->means, {k, d});
  std::vector<std::size_t> shape{k, d};
  if (completed_->full) { shape.push_back(d); }
  writer.tensor("completed.scatter", completed_->scatters, shape);
}

namespace {

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

DesignMoments load_completed(const modelfile::Reader& reader, const Schema& schema) {
  const std::size_t k = schema.labels.size();
  const auto& shape = reader.shape("completed.scatter");
  if (shape.size() < 2 || shape.size() > 3) {
    reader.fail("its completed moments are no matrices");
  }
  const std::size_t d = shape[1];
  DesignMoments moments;
  moments.size = d;
  moments.full = shape.size() == 3;
  moments.weights = reader.doubles("completed.weights", {k});
  moments.means = reader.doubles("completed.means", {k, d});
  moments.scatters = moments.full ? reader.doubles("completed.scatter", {k, d, d})
                                  : reader.doubles("completed.scatter", {k, d});
  const bool positive = std::all_of(moments.weights.begin(), moments.weights.end(),
                                    [](double weight) { return weight > 0.0; });
  if (!positive || !all_finite(moments.weights) || !all_finite(moments.means) ||
      !all_finite(moments.scatters)) {
    reader.fail("its completed moments are not finite");
  }
  return moments;
}

}  // namespace

GaussianStatistics GaussianStatistics::load(const modelfile::Reader& reader, const Schema& schema,
                                            const Keeps& keeps) {
  std::optional<FourthMoments> fourth;
  if (keeps.fourth) { fourth = FourthMoments::load(reader, schema); }
  GaussianStatistics statistics(PatternMoments::load(reader, schema, keeps.moments),
                                std::move(fourth));
  if (reader.has_tensor("completed.scatter")) {
    statistics.keep_completed(load_completed(reader, schema), reader.metadata("completed_for"));
  }
  return statistics;
}

}  // namespace logodds::models::gaussian
