#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "logodds/modelfile/container.hpp"
#include "models/softmax/softmax.hpp"

namespace logodds::models::softmax {

SoftmaxDiscriminant::SoftmaxDiscriminant(const Schema& schema, std::vector<double> center,
                                         std::vector<double> coefficients, std::vector<double> bias,
                                         Convergence convergence)
    : labels_(schema.labels),
      design_(schema, OneHot::full),
      parts_(design_parts(schema, design_)),
      center_(std::move(center)),
      coefficients_(std::move(coefficients)),
      bias_(std::move(bias)),
      convergence_(convergence) {}

void SoftmaxDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  const DesignRows rows = design_.encode(block, scratch);
  kernels::affine_scores(rows.data, rows.rows, rows.columns, rows.stride, center_.data(),
                         coefficients_.data(), bias_.data(), labels_.size(), out.data());
}

std::vector<double> SoftmaxDiscriminant::intercepts() const {
  const std::size_t classes = labels_.size();
  std::vector<double> result = bias_;
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t i = 0; i < center_.size(); ++i) {
      result[k] -= coefficients_[i * classes + k] * center_[i];
    }
  }
  return result;
}

Description SoftmaxDiscriminant::describe() const {
  Description description;
  description.facts = {{"objective", convergence_.objective},
                       {"gradient_norm", convergence_.gradient_norm},
                       {"iterations", static_cast<std::int64_t>(convergence_.iterations)}};
  DescriptionTable table{"coefficients", {"column"}, {}};
  for (const auto& label : labels_) { table.columns.push_back(label); }
  const std::size_t classes = labels_.size();
  std::vector<Cell> first{std::string("(intercept)")};
  for (const double intercept : intercepts()) { first.emplace_back(intercept); }
  table.rows.push_back(std::move(first));
  for (std::size_t i = 0; i < design_.size(); ++i) {
    std::vector<Cell> row{design_.names()[i]};
    for (std::size_t k = 0; k < classes; ++k) { row.emplace_back(coefficients_[i * classes + k]); }
    table.rows.push_back(std::move(row));
  }
  description.tables.push_back(std::move(table));
  return description;
}

void SoftmaxDiscriminant::save(modelfile::Writer& writer) const {
  const std::size_t d = design_.size();
  writer.tensor("center", center_, {d});
  writer.tensor("coefficients", coefficients_, {d, labels_.size()});
  writer.tensor("bias", bias_, {labels_.size()});
  const std::vector<double> end{convergence_.objective, convergence_.gradient_norm,
                                convergence_.iterations};
  writer.tensor("convergence", end, {end.size()});
}

SoftmaxDiscriminant SoftmaxDiscriminant::load(const modelfile::Reader& reader, const Schema& schema,
                                              const Options&) {
  const std::size_t d = Design(schema, OneHot::full).size();
  const std::size_t classes = schema.labels.size();
  const auto end = reader.doubles("convergence", {3});
  SoftmaxDiscriminant loaded(schema, reader.doubles("center", {d}),
                             reader.doubles("coefficients", {d, classes}),
                             reader.doubles("bias", {classes}), {end[0], end[1], end[2]});
  const auto not_finite = [](double value) { return !std::isfinite(value); };
  const std::vector<const std::vector<double>*> all{&loaded.center_, &loaded.coefficients_,
                                                    &loaded.bias_, &end};
  for (const auto* values : all) {
    if (std::any_of(values->begin(), values->end(), not_finite)) {
      reader.fail("its coefficients are not finite");
    }
  }
  if (end[2] < 0.0 || end[2] > 1e15) { reader.fail("its number of iterations makes no sense"); }
  return loaded;
}

}  // namespace logodds::models::softmax
