#include "models/linear/inference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "logodds/modelfile/container.hpp"
#include "models/linear/linear_scores.hpp"
#include "random/normal.hpp"

namespace logodds::models::linear {

namespace {

/// In a file, where every number is finite: no error is known.
constexpr double kNoError = -1.0;

std::string state_note(ErrorsAre state) {
  switch (state) {
    case ErrorsAre::of_likelihood:
      return "";
    case ErrorsAre::barely_decayed:
      return "the decay moves no coefficient by a thousandth of its standard error, so the errors "
             "are those without it";
    case ErrorsAre::penalized:
      return "no standard errors: the penalty draws the coefficients to 0, and the inverse Fisher "
             "information is not their covariance; train with --decay 0 (and without --l1) for "
             "errors";
    case ErrorsAre::too_many:
      return "no standard errors: there are more than " + std::to_string(kMostWithErrors) +
             " coefficients; leave out columns with --ignore for errors of the others";
    case ErrorsAre::too_much_work:
      return "no standard errors: under a decay they are computed only where that takes no time; "
             "train with --decay 0 for them";
    case ErrorsAre::not_converged:
      return "no standard errors: the optimizer stopped short of the optimum; train with "
             "--optimizer auto, or more --max-iterations";
    case ErrorsAre::not_kept:
      return "no standard errors: the model was saved without them; train it again";
    case ErrorsAre::singular:
      break;
  }
  return "no standard errors: the Fisher information is singular; a --decay makes the estimates "
         "sure";
}

void fill(Coefficient& row, double error, double quantile, bool odds) {
  if (odds) { row.odds_ratio = std::exp(row.estimate); }
  if (!std::isfinite(error) || error <= 0.0) { return; }
  row.standard_error = error;
  row.z = row.estimate / error;
  row.p_value = std::erfc(std::abs(row.z) / std::numbers::sqrt2);
  if (!odds) { return; }
  row.lower = std::exp(row.estimate - quantile * error);
  row.upper = std::exp(row.estimate + quantile * error);
}

/// Under a decay: coefficients that could be traded against each other have no error.
bool some_unknown(const Inference& inference, const std::vector<Coefficient>& rows) {
  return inference.given() && std::ranges::any_of(rows, [](const Coefficient& row) {
           return row.identifiable && std::isnan(row.standard_error);
         });
}

}  // namespace

void Inference::save(modelfile::Writer& writer) const {
  std::vector<double> finite = errors;
  for (double& error : finite) { error = std::isfinite(error) ? error : kNoError; }
  const std::vector<std::int32_t> how{static_cast<std::int32_t>(state), intercept ? 1 : 0};
  const std::size_t rows = identifiable.size() + 1;
  writer.tensor("errors", finite, {finite.empty() ? 0 : rows, finite.size() / rows});
  writer.tensor("errors_state", how, {how.size()});
  writer.tensor("identifiable", identifiable, {identifiable.size()});
}

Inference Inference::load(const modelfile::Reader& reader, std::size_t features,
                          std::size_t columns) {
  Inference loaded;
  if (!reader.has_tensor("errors_state")) {
    loaded.identifiable.assign(features, 1);
    return loaded;
  }
  const auto how = reader.integers("errors_state", {2});
  if (how[0] < 0 || how[0] > static_cast<std::int32_t>(ErrorsAre::singular)) {
    reader.fail("it says nothing sensible about its standard errors");
  }
  loaded.state = static_cast<ErrorsAre>(how[0]);
  loaded.intercept = how[1] != 0;
  loaded.identifiable = reader.integers("identifiable", {features});
  if (!loaded.given()) { return loaded; }
  loaded.errors = reader.doubles("errors", {features + 1, columns});
  check_finite(reader, loaded.errors, "standard errors");
  for (double& error : loaded.errors) {
    if (error < 0.0) { error = Coefficient::kUnknown; }
  }
  return loaded;
}

CoefficientTable wald_table(const std::vector<Estimates>& estimates,
                            const std::vector<std::string>& features, const Inference& inference,
                            double level, bool odds) {
  CoefficientTable table;
  const double quantile = random::normal_quantile(0.5 + 0.5 * level);
  const std::size_t columns = estimates.size();
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t i = inference.intercept ? 0 : 1; i <= features.size(); ++i) {
      Coefficient row{.label = estimates[c].label,
                      .feature = i == 0 ? "(intercept)" : features[i - 1],
                      .estimate = estimates[c].values[i]};
      row.identifiable = i == 0 || inference.identifiable[i - 1] != 0;
      const double error =
          inference.given() ? inference.errors[i * columns + c] : Coefficient::kUnknown;
      if (row.identifiable) { fill(row, error, quantile, odds); }
      table.rows.push_back(std::move(row));
    }
  }
  if (const auto note = state_note(inference.state); !note.empty()) { table.notes.push_back(note); }
  if (some_unknown(inference, table.rows)) {
    table.notes.emplace_back(
        "coefficients without an error are shared out by the decay among columns that add up, as "
        "the indicators of all levels do; train with --decay 0 for errors against a first level");
  }
  return table;
}

}  // namespace logodds::models::linear
