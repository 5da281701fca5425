// What validation rows and rows without labels are good for: calibration, thresholds, priors.
#include "logodds/adjust.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Scores = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Adjusted = std::pair<Model, nb::dict>;

/// A copy that can be adjusted.
std::unique_ptr<Classifier> copy_of(const Model& model) {
  return modelfile::from_bytes(modelfile::to_bytes(*model.classifier), "model");
}

Model without_adjustments(const Model& model, bool calibrated) {
  const nb::gil_scoped_release no_gil;
  return {stripped(copy_of(model), calibrated)};
}

/// Scores of the rows, and the places of their labels among those of the model.
posterior::ValidationRows validation_rows(const Scores& scores, const Labels& codes,
                                          const std::optional<Weights>& weights) {
  const std::size_t rows = scores.shape(0);
  posterior::ValidationRows result{.classes = scores.shape(1)};
  result.log_posteriors.assign(scores.data(), scores.data() + scores.size());
  posterior::to_log_posteriors(result.log_posteriors, result.classes);
  result.labels.assign(codes.data(), codes.data() + rows);
  result.weights.assign(rows, 1.0);
  if (weights) { result.weights.assign(weights->data(), weights->data() + rows); }
  return result;
}

Adjusted calibrated(const Model& model, const Scores& scores, const Labels& codes,
                    const std::optional<Weights>& weights, const std::string& method) {
  CalibrationReport report;
  auto result = [&] {
    const nb::gil_scoped_release no_gil;
    return calibrate(copy_of(model), validation_rows(scores, codes, weights), method, report);
  }();
  nb::dict record =
      description_record(adjustments_of(*result)->calibration->describe(result->labels()));
  record["method"] = report.method;
  record["log_loss_before"] = report.log_loss_before;
  record["log_loss_after"] = report.log_loss_after;
  record["notes"] = report.notes;
  return {Model{std::move(result)}, record};
}

nb::dict choice_record(const decide::ThresholdChoice& choice) {
  nb::dict record;
  record["threshold"] = choice.threshold;
  record["decided"] = choice.decided;
  record["precision"] = choice.precision;
  record["recall"] = choice.recall;
  record["cost"] = choice.cost;
  return record;
}

/// `costs`: classes x classes, rows the truth; null: `precision` counts.
Adjusted thresholded(const Model& model, const Scores& scores, const Labels& codes,
                     const std::optional<Weights>& weights, std::size_t label,
                     const std::optional<Scores>& costs, double precision) {
  ThresholdReport report;
  ThresholdWish wish{.label = label, .precision = precision};
  if (costs) {
    wish.costs = decide::Costs(costs->shape(0), {costs->data(), costs->data() + costs->size()});
  }
  auto result = [&] {
    const nb::gil_scoped_release no_gil;
    return choose_threshold(copy_of(model), validation_rows(scores, codes, weights), "X", wish,
                            report);
  }();
  nb::dict record;
  record["choice"] = choice_record(report.choice);
  record["before"] = choice_record(report.before);
  return {Model{std::move(result)}, record};
}

/// `posteriors` are the model's own, of rows without labels.
Adjusted with_estimated_priors(const Model& model, const Scores& posteriors) {
  const Classifier& before = *model.classifier;
  posterior::ShareEstimate found;
  auto result = [&] {
    const nb::gil_scoped_release no_gil;
    found = posterior::estimate_shares({posteriors.data(), posteriors.size()}, priors_of(before));
    return with_priors(before, found.shares);
  }();
  nb::dict record;
  record["shares"] = found.shares;
  record["steps"] = found.steps;
  record["converged"] = found.converged;
  return {Model{std::move(result)}, record};
}

}  // namespace

void bind_adjust(nb::class_<Model>& model) {
  using nb::arg;
  model
      .def("without_adjustments", &without_adjustments, arg("calibrated"),
           "Without thresholds and other priors, and with the calibration only if asked.")
      .def("calibrate", &calibrated, arg("scores"), arg("codes"), arg("weights").none(),
           arg("method"))
      .def("choose_threshold", &thresholded, arg("scores"), arg("codes"), arg("weights").none(),
           arg("label"), arg("costs").none(), arg("precision"))
      .def("with_estimated_priors", &with_estimated_priors, arg("posteriors"));
}

}  // namespace logodds::binding
