// Cross-validation and comparison of models on rows that Python holds.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "arrays.hpp"
#include "given_rows.hpp"
#include "interrupt.hpp"
#include "logodds/choose/comparison.hpp"
#include "logodds/choose/cross_validation.hpp"
#include "model.hpp"
#include "training_rows.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

/// Rows with their labels, held until they have been read.
struct LabelledRows {
  std::optional<Features> features;
  Labels labels;
  std::vector<std::string> label_names;
  std::optional<Weights> weights;
  nb::object held;
  std::unique_ptr<ArrowRows> arrow;
  std::unique_ptr<BlockSource> opened;

  [[nodiscard]] RowLabels given(const Given& kinds = {}) const {
    return {labels, label_names, weights, kinds};
  }
  [[nodiscard]] BlockSource& source() const { return arrow ? arrow->source() : *opened; }
};

std::unique_ptr<LabelledRows> labelled(const Labels& labels,
                                       const std::vector<std::string>& label_names,
                                       const std::optional<Weights>& weights) {
  auto rows = std::make_unique<LabelledRows>();
  rows->labels = labels;
  rows->label_names = label_names;
  rows->weights = weights;
  return rows;
}

std::unique_ptr<LabelledRows> array_rows(const Features& features,
                                         const std::vector<std::string>& names,
                                         const Labels& labels,
                                         const std::vector<std::string>& label_names,
                                         const std::optional<Weights>& weights, bool missing) {
  auto rows = labelled(labels, label_names, weights);
  rows->features = features;
  rows->opened = array_source(*rows->features, names, rows->given(), missing);
  return rows;
}

std::unique_ptr<LabelledRows> arrow_rows(const nb::object& stream, const Given& kinds,
                                         const Labels& labels,
                                         const std::vector<std::string>& label_names,
                                         const std::optional<Weights>& weights, bool missing) {
  auto rows = labelled(labels, label_names, weights);
  rows->arrow = std::make_unique<ArrowRows>(stream, rows->given(kinds), missing);
  return rows;
}

std::unique_ptr<LabelledRows> given_rows(const nb::object& given, const Labels& labels,
                                         const std::vector<std::string>& label_names,
                                         const std::optional<Weights>& weights, bool missing) {
  auto rows = labelled(labels, label_names, weights);
  rows->held = given;
  rows->opened = nb::cast<const GivenRows&>(given).open(rows->given(), missing);
  return rows;
}

nb::dict estimate_record(const choose::Estimate& estimate) {
  nb::dict record;
  record["value"] = estimate.value;
  record["standard_error"] = estimate.standard_error;
  record["low"] = estimate.low;
  record["high"] = estimate.high;
  return record;
}

/// Of a grid point, or of a model that was compared.
template <class Result>
void add_estimates(nb::dict& record, const Result& result) {
  record["failure"] = result.failure;
  record["error_rate"] = estimate_record(result.error_rate);
  record["log_loss"] = estimate_record(result.log_loss);
  record["brier"] = estimate_record(result.brier);
}

nb::dict point_record(choose::GridPoint& point, std::size_t classes) {
  nb::dict record;
  add_estimates(record, point);
  nb::list folds;
  for (const choose::FoldResult& fold : point.folds) {
    nb::dict one;
    one["rows"] = fold.rows;
    one["weight"] = fold.weight;
    one["error_rate"] = fold.error_rate;
    one["log_loss"] = fold.log_loss;
    one["brier"] = fold.brier;
    folds.append(one);
  }
  record["folds"] = folds;
  record["posteriors"] = nb::none();
  if (!point.posteriors.empty()) {
    const std::size_t rows = point.posteriors.size() / classes;
    record["posteriors"] =
        nb::cast(owning_array<Numbers>(std::move(point.posteriors), {rows, classes}));
  }
  return record;
}

nb::dict cross_validate(const LabelledRows& rows, const std::string& family, const Given& options,
                        const std::vector<std::pair<std::string, std::vector<std::string>>>& grid,
                        std::size_t folds, bool leave_one_out, std::size_t repeats,
                        bool keep_posteriors, std::uint64_t seed, int threads) {
  choose::CrossValidationRequest request;
  request.family = family;
  request.options = options;
  for (const auto& [option, values] : grid) { request.grid.push_back({option, values}); }
  request.folds = folds;
  request.leave_one_out = leave_one_out;
  request.repeats = repeats;
  request.keep_posteriors = keep_posteriors;
  auto found = run_interruptibly(threads, [&](Context context) {
    context.seed = seed;
    return choose::cross_validate(rows.source(), request, context);
  });
  nb::list points;
  for (auto& point : found.grid) { points.append(point_record(point, found.labels.size())); }
  nb::dict record;
  record["labels"] = found.labels;
  record["rows"] = found.rows;
  record["rows_skipped"] = found.rows_skipped;
  record["folds"] = found.folds;
  record["repeats"] = found.repeats;
  record["from_statistics"] = found.from_statistics;
  record["grid"] = points;
  record["best"] = found.best;
  record["chosen"] = found.chosen;
  record["notes"] = found.notes;
  return record;
}

nb::tuple difference_record(const choose::Difference& difference) {
  return nb::make_tuple(difference.value, difference.low, difference.high);
}

nb::dict compared_record(const choose::Compared& model) {
  nb::dict record;
  record["family"] = model.candidate.family;
  record["options"] = model.candidate.options;
  record["title"] = model.candidate.title();
  record["applies"] = model.fits;
  add_estimates(record, model);
  record["train_error_rate"] = model.train_error_rate;
  record["train_log_loss"] = model.train_log_loss;
  record["log_likelihood"] = model.log_likelihood;
  record["seconds"] = model.seconds;
  record["log_loss_difference"] = difference_record(model.log_loss_difference);
  record["error_rate_difference"] = difference_record(model.error_rate_difference);
  record["mcnemar"] =
      nb::make_tuple(model.mcnemar.only_best, model.mcnemar.only_other, model.mcnemar.p_value);
  return record;
}

nb::dict compare(const LabelledRows& rows,
                 const std::vector<std::pair<std::string, Given>>& candidates, std::size_t folds,
                 std::size_t repeats, std::uint64_t seed, int threads) {
  choose::ComparisonRequest request;
  for (const auto& [family, options] : candidates) {
    request.candidates.push_back({family, options});
  }
  request.folds = folds;
  request.repeats = repeats;
  auto found = run_interruptibly(threads, [&](Context context) {
    context.seed = seed;
    return choose::compare(rows.source(), request, context);
  });
  nb::list models;
  for (const auto& model : found.models) { models.append(compared_record(model)); }
  nb::dict record;
  record["labels"] = found.labels;
  record["rows"] = found.rows;
  record["rows_skipped"] = found.rows_skipped;
  record["folds"] = found.folds;
  record["repeats"] = found.repeats;
  record["models"] = models;
  record["winner"] = nb::cast(Model{std::move(found.winner)});
  record["notes"] = found.notes;
  return record;
}

}  // namespace

void bind_choose(nb::module_& module) {
  using nb::arg;
  nb::class_<LabelledRows>(module, "LabelledRows", "Rows and labels that can be read once.");
  module.def("labelled_array", &array_rows, arg("features"), arg("names"), arg("labels"),
             arg("label_names"), arg("weights").none(), arg("missing"));
  module.def("labelled_arrow", &arrow_rows, arg("stream"), arg("kinds"), arg("labels"),
             arg("label_names"), arg("weights").none(), arg("missing"));
  module.def("labelled_given", &given_rows, arg("rows"), arg("labels"), arg("label_names"),
             arg("weights").none(), arg("missing"));
  module.def("takes_missing", &takes_missing, arg("family"), arg("options"));
  module.def("cross_validate", &cross_validate, arg("rows"), arg("family"), arg("options"),
             arg("grid"), arg("folds"), arg("leave_one_out"), arg("repeats"),
             arg("keep_posteriors"), arg("seed"), arg("threads"));
  module.def("compare", &compare, arg("rows"), arg("candidates"), arg("folds"), arg("repeats"),
             arg("seed"), arg("threads"));
}

}  // namespace logodds::binding
