#include <algorithm>
#include <cmath>

#include "logodds/modelfile/container.hpp"
#include "models/indicator/indicator.hpp"

namespace logodds::models::indicator {

IndicatorDiscriminant::IndicatorDiscriminant(linear::LinearScores outputs,
                                             std::vector<std::int32_t> identifiable,
                                             TrainingOutputs training)
    : outputs_(std::move(outputs)),
      identifiable_(std::move(identifiable)),
      training_(std::move(training)) {}

namespace {
/// Outputs are of the order of 1; what is below this is 0 up to rounding, or negative.
constexpr double kRounding = 1e-12;
}  // namespace

void IndicatorDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  outputs_.log_scores(block, out);
  const std::size_t classes = outputs_.labels().size();
  for (std::size_t r = 0; r < block.rows; ++r) {
    const auto row = out.subspan(r * classes, classes);
    double sum = 0.0;
    for (double& output : row) {
      if (output < kRounding) { output = 0.0; }  // NaN stays NaN
      sum += output;
    }
    for (double& output : row) {
      if (sum == 0.0) {
        output = 0.0;
      } else {
        output = std::log(output / sum);
      }
    }
  }
}

Description IndicatorDiscriminant::describe() const {
  Description description;
  description.facts = {{"rows_outside_0_1", training_.outside}};
  DescriptionTable decided{"training rows", {"class", "decided"}, {}};
  for (std::size_t k = 0; k < training_.decided.size(); ++k) {
    decided.rows.push_back({outputs_.labels()[k], training_.decided[k]});
  }
  description.tables = {std::move(decided), outputs_.table()};
  return description;
}

CoefficientTable IndicatorDiscriminant::coefficient_table(double /*level*/) const {
  const std::size_t classes = outputs_.labels().size();
  const auto intercepts = outputs_.intercepts();
  CoefficientTable table;
  for (std::size_t k = 0; k < classes; ++k) {
    Coefficient intercept;
    intercept.label = outputs_.labels()[k];
    intercept.feature = "(intercept)";
    intercept.estimate = intercepts[k];
    table.rows.push_back(std::move(intercept));
    for (std::size_t i = 0; i < outputs_.features().size(); ++i) {
      Coefficient row;
      row.label = outputs_.labels()[k];
      row.feature = outputs_.features().names()[i];
      row.estimate = outputs_.coefficients()[i * classes + k];
      row.identifiable = identifiable_[i] != 0;
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "coefficients are those of each class's output, which is 1 for its rows and 0 for others by "
      "least squares",
      "no standard errors are given: the variance of an output of 0 or 1 is not constant, which is "
      "what they would rest on"};
  return table;
}

void IndicatorDiscriminant::save(modelfile::Writer& writer) const {
  outputs_.save(writer);
  writer.tensor("identifiable", identifiable_, {identifiable_.size()});
  const std::vector<double> outside{training_.outside};
  writer.tensor("outside", outside, {1});
  writer.tensor("decided", training_.decided, {training_.decided.size()});
}

IndicatorDiscriminant IndicatorDiscriminant::load(const modelfile::Reader& reader,
                                                  const Schema& schema, const Options& options) {
  auto outputs =
      linear::LinearScores::load(reader, schema, one_hot_for(options), options.text("basis"));
  auto identifiable = reader.integers("identifiable", {outputs.features().size()});
  TrainingOutputs training{reader.doubles("outside", {1}).front(),
                           reader.doubles("decided", {schema.labels.size()})};
  linear::check_finite(reader, training.decided, "numbers of rows");
  if (!(training.outside >= 0.0 && training.outside <= 1.0)) {
    reader.fail("its share of rows makes no sense");
  }
  return {std::move(outputs), std::move(identifiable), std::move(training)};
}

}  // namespace logodds::models::indicator
