#include "plots/measuring.hpp"

#include <cmath>

#include "logodds/decide/costs_text.hpp"
#include "logodds/draw/simplify.hpp"
#include "logodds/error.hpp"
#include "logodds/models/adjusted.hpp"
#include "models/lists.hpp"

namespace logodds::plots {

namespace {

std::string with_interval(const measure::Estimate& estimate, const auto& text) {
  if (std::isnan(estimate.value)) { return "none"; }
  if (estimate.method == measure::IntervalMethod::none) { return text(estimate.value); }
  return text(estimate.value) + " (" + text(estimate.lower) + " to " + text(estimate.upper) + ")";
}

/// Why this evaluation is not the one to show; empty: it is.
std::string lacking_of(const Evaluation& evaluation, const Shown& shown, const Deciding& deciding) {
  const measure::Measures& measures = evaluation.measures;
  const std::size_t bins = measures.decision_calibration().bins().size();
  if (deciding.policy) { return "was not decided " + deciding.words; }
  if (shown.bins > 0 && bins != shown.bins) {
    return "has " + std::to_string(bins) + " bins of posteriors, and " +
           std::to_string(shown.bins) + " are shown (MeasureOptions::bins)";
  }
  if (shown.rows && measures.kept_rows() == nullptr && !measures.too_many_to_keep()) {
    return "holds no rows (MeasureOptions::keep_rows)";
  }
  return {};
}

}  // namespace

std::optional<std::size_t> chosen_class(const Options& options, const Classifier& model) {
  const std::string& name = options.text("class");
  if (name.empty()) { return {}; }
  return models::find_class(name, model.labels(), "option --class");
}

Deciding chosen_deciding(const Options& options, const Classifier& model) {
  const std::string& cost = options.text("cost");
  const std::string& thresholds = options.text("thresholds");
  if (!cost.empty() && !thresholds.empty()) {
    throw Error(ErrorCode::usage,
                "--cost and --thresholds are two ways to decide; leave one of them out");
  }
  decide::Policy policy;
  if (!cost.empty()) {
    policy.costs = decide::costs_of(cost, model.labels(), "option --cost");
    return {std::move(policy), "by the least expected cost"};
  }
  if (thresholds == "none") { return {policy, "by the largest posterior"}; }
  if (!thresholds.empty()) {
    policy.thresholds = decide::parse_thresholds(thresholds, model.labels(), "option --thresholds");
    return {std::move(policy), "by the thresholds " + thresholds};
  }
  const Adjustments* const adjustments = adjustments_of(model);
  const bool own = adjustments != nullptr && !adjustments->thresholds.empty();
  return {{}, own ? "by the threshold of the model" : "by the largest posterior"};
}

std::shared_ptr<const Evaluation> evaluate_rows(const PlotInput& input, const Classifier& model,
                                                const Context& context, const Shown& shown,
                                                const Deciding& deciding) {
  if (input.evaluation) {
    const std::string lacking = lacking_of(*input.evaluation, shown, deciding);
    if (lacking.empty()) { return input.evaluation; }
    if (!input.open_rows) {
      throw Error(ErrorCode::usage,
                  "the evaluation that is to be drawn " + lacking + "; give the rows as well");
    }
  }
  const auto source = input.open_rows();
  const ScoreRequest request{.policy = deciding.policy ? &*deciding.policy : nullptr};
  auto evaluation = std::make_shared<const Evaluation>(
      evaluate(model, *source, context, request, {.bins = shown.bins, .keep_rows = shown.rows}));
  if (evaluation->measures.rows() == 0) {
    throw Error(ErrorCode::input, source->name() +
                                      ": there is no row to compare with its label; give rows that "
                                      "have labels and the values that the model needs");
  }
  return evaluation;
}

const measure::KeptRows& kept_rows(const Evaluation& evaluation, std::string_view kind) {
  if (const auto* const kept = evaluation.measures.kept_rows()) { return *kept; }
  throw Error(ErrorCode::usage, "plot " + std::string(kind) +
                                    " needs the rows in memory, and they are too many; give a "
                                    "part of them");
}

std::string estimate_text(const measure::Estimate& estimate, int decimals) {
  return with_interval(estimate,
                       [decimals](double value) { return draw::decimal_text(value, decimals); });
}

std::string share_text(const measure::Estimate& estimate) {
  return with_interval(estimate, [](double value) { return draw::percent(value); });
}

NamedArray points_array(std::string name, const std::vector<draw::Point>& points) {
  NamedArray array{std::move(name), {points.size(), 2}, {}};
  for (const draw::Point& point : points) {
    array.values.insert(array.values.end(), {point.x, point.y});
  }
  return array;
}

std::vector<draw::Point> on_page(const draw::Panel& panel, std::vector<draw::Point> points) {
  for (draw::Point& point : points) { point = panel.at(point.x, point.y); }
  return points;
}

std::vector<draw::Point> thinned(const draw::Panel& panel, const std::vector<draw::Point>& line) {
  const std::vector<draw::Point> page = on_page(panel, line);
  std::vector<draw::Point> kept;
  for (const std::size_t i : draw::kept_points(page)) { kept.push_back(line[i]); }
  return kept;
}

}  // namespace logodds::plots
