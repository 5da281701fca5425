#include "models/axes/statistics.hpp"

#include <numeric>
#include <string>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"

namespace logodds::models::axes {

namespace {

std::size_t width(const Shape& shape) {
  return std::accumulate(shape.levels.begin(), shape.levels.end(), shape.numeric);
}

void check_size(const Shape& shape) {
  constexpr std::size_t kMost = std::size_t{1} << 25U;  // doubles: 256 MiB
  const std::size_t d = width(shape);
  if (shape.classes * d * d <= kMost) { return; }
  throw Error(ErrorCode::numeric,
              std::to_string(d) + " columns (indicators of levels among them)" +
                  (shape.classes > 1 ? " and " + std::to_string(shape.classes) + " classes" : "") +
                  ", with more rows than columns, are too many for the scatter matrix of each with "
                  "each; leave columns out with --ignore");
}

}  // namespace

AxesStatistics::AxesStatistics(Grouping grouping) : grouping_(grouping) {
  if (grouping == Grouping::together) {
    rows_.emplace();
  } else {
    moments_.emplace(SecondMoments::full);
  }
}

Shape AxesStatistics::inner(Shape shape) const {
  if (grouping_ == Grouping::together) { shape.classes = 1; }
  return shape;
}

/// Rows together are of one class without a name.
Schema AxesStatistics::inner(Schema schema) const {
  if (grouping_ == Grouping::together) { schema.labels = {""}; }
  return schema;
}

void AxesStatistics::add(const RowBlock& block, const Shape& shape) {
  const Shape mine = inner(shape);
  RowBlock rows = block;
  if (rows_ && rows_->rows() + block.rows <= width(mine)) {
    const std::vector<std::int32_t> labels(block.rows, 0);
    rows.labels = labels.data();
    return rows_->add(rows, mine);
  }
  check_size(mine);
  fold();
  if (grouping_ == Grouping::together) { rows.labels = nullptr; }
  moments_->add(rows, mine);
}

/// From rows to their moments.
void AxesStatistics::fold() {
  if (!rows_) { return; }
  moments_.emplace(SecondMoments::full);
  if (rows_->rows() > 0) {
    const Shape shape = rows_->shape();
    check_size(shape);
    moments_->add(rows_->view(), shape);
  }
  rows_.reset();
}

void AxesStatistics::merge(const AxesStatistics& other) {
  if (rows_ && other.rows_) {
    rows_->merge(*other.rows_);
    if (rows_->rows() > width(rows_->shape())) { fold(); }
    return;
  }
  fold();
  if (other.moments_) { return moments_->merge(*other.moments_); }
  AxesStatistics folded = other;
  folded.fold();
  if (folded.weight() > 0.0) { moments_->merge(*folded.moments_); }
}

void AxesStatistics::unmerge(const AxesStatistics& other, const Schema& schema) {
  if (rows_ && other.rows_) { return rows_->unmerge(*other.rows_, inner(schema)); }
  AxesStatistics folded = other;
  folded.fold();
  fold();
  moments_->unmerge(*folded.moments_, inner(schema));
}

Schema AxesStatistics::remaining(const Schema& schema) const {
  const Schema mine = inner(schema);
  Schema rest = rows_ ? rows_->remaining(mine) : moments_->remaining(mine);
  if (grouping_ == Grouping::together) { rest.labels = schema.labels; }
  return rest;
}

void AxesStatistics::recode(const Recoding& recoding) {
  Recoding mine = recoding;
  mine.shape = inner(mine.shape);
  if (grouping_ == Grouping::together) { mine.labels = {0}; }
  if (rows_) { return rows_->recode(mine); }
  moments_->recode(mine);
}

double AxesStatistics::weight() const { return rows_ ? rows_->weight() : moments_->weight(); }

std::vector<double> AxesStatistics::class_weights() const {
  if (grouping_ == Grouping::together) { return {}; }
  std::vector<double> weights(moments_->classes());
  for (std::size_t k = 0; k < weights.size(); ++k) { weights[k] = moments_->weight(k); }
  return weights;
}

void AxesStatistics::save(modelfile::Writer& writer) const {
  if (rows_) { return rows_->save(writer); }
  moments_->save(writer);
}

AxesStatistics AxesStatistics::load(const modelfile::Reader& reader, const Schema& schema,
                                    Grouping grouping) {
  AxesStatistics result(grouping);
  const Schema mine = result.inner(schema);
  if (grouping == Grouping::together && reader.has_tensor("rows.labels")) {
    result.rows_ = TrainingRows::load(reader, mine);
    return result;
  }
  result.rows_.reset();
  result.moments_ = ClassMoments::load(reader, shape_of(mine), SecondMoments::full);
  return result;
}

}  // namespace logodds::models::axes
