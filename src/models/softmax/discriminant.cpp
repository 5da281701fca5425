#include <cmath>

#include "logodds/modelfile/container.hpp"
#include "models/softmax/softmax.hpp"
#include "models/softmax/wish.hpp"

namespace logodds::models::softmax {

SoftmaxDiscriminant::SoftmaxDiscriminant(linear::LinearScores scores, Convergence convergence,
                                         linear::Inference inference)
    : scores_(std::move(scores)),
      convergence_(std::move(convergence)),
      inference_(std::move(inference)) {}

std::optional<double> deviance_of(double objective, std::span<const double> theta,
                                  const Options& options) {
  if (options.flag("standardize") && !unpenalized(options)) { return {}; }
  double squares = 0.0;
  double sizes = 0.0;
  for (const double value : theta) {
    squares += value * value;
    sizes += std::abs(value);
  }
  return 2.0 * (objective - options.real("decay") * squares - options.real("l1") * sizes);
}

Description SoftmaxDiscriminant::describe() const {
  Description description;
  description.facts = {{"objective", convergence_.objective},
                       {"gradient_norm", convergence_.gradient_norm},
                       {"iterations", static_cast<std::int64_t>(convergence_.iterations)}};
  if (convergence_.deviance) { description.facts.emplace_back("deviance", *convergence_.deviance); }
  if (!convergence_.optimizer.empty()) {
    description.facts.emplace_back("optimizer", convergence_.optimizer);
  }
  description.tables.push_back(scores_.table());
  return description;
}

CoefficientTable SoftmaxDiscriminant::coefficient_table(double level) const {
  const auto& labels = scores_.labels();
  const std::size_t classes = labels.size();
  const auto intercepts = scores_.intercepts();
  const auto& theta = scores_.coefficients();
  std::vector<linear::Estimates> estimates;
  for (std::size_t k = 1; k < classes; ++k) {
    linear::Estimates against{labels[k], {intercepts[k] - intercepts[0]}};
    for (std::size_t i = 0; i < scores_.features().size(); ++i) {
      against.values.push_back(theta[i * classes + k] - theta[i * classes]);
    }
    estimates.push_back(std::move(against));
  }
  auto table = linear::wald_table(estimates, scores_.features().names(), inference_, level, true);
  if (classes < 2) {
    table.notes = {"there is only one class, so there are no odds to show"};
    return table;
  }
  table.notes.insert(table.notes.begin(), "log odds of each class against '" + labels[0] + "'");
  return table;
}

void SoftmaxDiscriminant::save(modelfile::Writer& writer) const {
  scores_.save(writer);
  inference_.save(writer);
  const std::vector<double> end{convergence_.objective, convergence_.gradient_norm,
                                convergence_.iterations};
  writer.tensor("convergence", end, {end.size()});
  writer.tensor("optimizer", std::string_view(convergence_.optimizer));
}

SoftmaxDiscriminant SoftmaxDiscriminant::load(const modelfile::Reader& reader, const Schema& schema,
                                              const Options& options) {
  if (wants_decay_chosen(options)) { reader.fail("its decay is still to be chosen"); }
  // Before there were errors in a file, there were indicators of all levels in every model.
  const OneHot one_hot = reader.has_tensor("errors_state") ? one_hot_of(options) : OneHot::full;
  auto scores = linear::LinearScores::load(reader, schema, one_hot, options.text("basis"));
  const auto end = reader.doubles("convergence", {3});
  linear::check_finite(reader, end, "coefficients");
  if (end[2] < 0.0 || end[2] > 1e15) { reader.fail("its number of iterations makes no sense"); }
  auto inference =
      linear::Inference::load(reader, scores.features().size(), schema.labels.size() - 1);
  std::string optimizer;
  if (reader.has_tensor("optimizer")) { optimizer = reader.byte_string("optimizer"); }
  const auto deviance = deviance_of(end[0], scores.coefficients(), options);
  return {std::move(scores),
          {end[0], end[1], end[2], std::move(optimizer), deviance},
          std::move(inference)};
}

}  // namespace logodds::models::softmax
