#include "plots/plane_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/models/adjusted.hpp"
#include "logodds/models/centers.hpp"
#include "logodds/models/row_problem.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"

namespace logodds::plots {

namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kAtOnce = 16 * kBlock;  // scores in memory, however many classes
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The label with the largest score, or `none` where scores overflow.
std::int32_t winner(std::span<const double> scores, std::size_t none) {
  std::size_t best = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (std::isnan(scores[k]) || scores[k] == std::numeric_limits<double>::infinity()) {
      return static_cast<std::int32_t>(none);
    }
    if (scores[k] > scores[best]) { best = k; }
  }
  return static_cast<std::int32_t>(best);
}

}  // namespace

PlaneModel::PlaneModel(const Classifier& model, const Plane& plane, const Context& context)
    : model_(model), plane_(plane), threads_(context.threads) {
  if (const Adjustments* const adjustments = adjustments_of(model)) {
    thresholds_ = adjustments->thresholds;
  }
  find_rounded();
  if (!rounds_ && thresholds_.empty()) { conics_ = conics_on(plane, model); }
}

void PlaneModel::find_rounded() {
  std::size_t i = 0;
  for (const Column& column : model_.schema().columns) {
    if (!column.number()) { continue; }
    const bool whole = column.kind == ColumnKind::count || column.kind == ColumnKind::binary;
    rounded_.push_back(whole && refuses_halves(i));
    const bool stands = plane_.x_step[i] == 0.0 && (plane_.line || plane_.y_step[i] == 0.0);
    const bool asked = !stands || plane_.origin[i] != std::round(plane_.origin[i]);
    rounds_ = rounds_ || (rounded_.back() && asked);
    ++i;
  }
}

/// Whether a row with 0.5 in this column, and nothing in the others, is one that the model has no
/// place for. Models that have laws of columns take rows that lack values.
bool PlaneModel::refuses_halves(std::size_t column) const {
  if (!model_.takes_missing()) { return false; }
  const Schema& schema = model_.schema();
  std::vector<double> numbers(schema.numeric_count(), kNaN);
  numbers[column] = 0.5;
  const std::int32_t missing = kMissingCode;
  const std::vector<const std::int32_t*> codes(schema.coded_count(), &missing);
  const std::string_view no_text;
  const std::vector<const std::string_view*> texts(schema.text_count(), &no_text);
  std::vector<double> scores(classes());
  try {
    model_.log_scores({.rows = 1,
                       .numeric = numbers.data(),
                       .numeric_columns = numbers.size(),
                       .numeric_stride = numbers.size(),
                       .codes = codes,
                       .texts = texts},
                      scores);
  } catch (const RowProblem&) { return true; }
  return false;
}

void PlaneModel::fill_row(draw::Point point, bool marginal, double* row) const {
  for (std::size_t i = 0; i < plane_.origin.size(); ++i) {
    const double x = plane_.x_step[i];
    const double y = plane_.line ? 0.0 : plane_.y_step[i];
    row[i] = marginal && x == 0.0 && y == 0.0
                 ? kNaN
                 : plane_.origin[i] + point.x * x + (plane_.line ? 0.0 : point.y * y);
    if (rounded_[i]) { row[i] = std::round(row[i]); }
  }
}

void PlaneModel::evaluate_block(std::span<const draw::Point> points, Ask ask,
                                std::span<double> out) const {
  const Schema& schema = model_.schema();
  const std::size_t numeric = schema.numeric_count();
  const bool marginal = ask == Ask::marginal;
  std::vector<double> numbers(points.size() * numeric);
  for (std::size_t r = 0; r < points.size(); ++r) {
    fill_row(points[r], marginal, numbers.data() + r * numeric);
  }
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<const std::int32_t*> code_pointers;
  for (const std::int32_t code : plane_.codes) {
    codes.emplace_back(points.size(), marginal ? kMissingCode : code);
  }
  for (const auto& column : codes) { code_pointers.push_back(column.data()); }
  const std::vector<std::string_view> no_text(points.size());
  const std::vector<const std::string_view*> texts(schema.text_count(), no_text.data());
  const RowBlock block{.rows = points.size(),
                       .numeric = numbers.data(),
                       .numeric_columns = numeric,
                       .numeric_stride = numeric,
                       .codes = code_pointers,
                       .texts = texts};
  try {
    if (ask == Ask::margins && model_.centers() != nullptr) {
      model_.centers()->center_distances(block, out);
      for (double& value : out) { value *= -value; }
    } else if (ask == Ask::scores || ask == Ask::margins) {
      model_.log_scores(block, out);
    } else {
      model_.generative()->log_joint(block, out);
    }
  } catch (const RowProblem&) {  // somewhere a value that the model has no place for
    if (points.size() == 1) {
      std::ranges::fill(out, kNaN);
      return;
    }
    const std::size_t half = points.size() / 2;
    evaluate_block(points.first(half), ask, out.first(half * classes()));
    evaluate_block(points.subspan(half), ask, out.subspan(half * classes()));
  }
}

void PlaneModel::evaluate(std::span<const draw::Point> points, Ask ask,
                          std::span<double> out) const {
  const std::size_t blocks = (points.size() + kBlock - 1) / kBlock;
  parallel::run_lanes(parallel::useful_threads(threads_, blocks), blocks, [&](std::size_t b) {
    const std::size_t first = b * kBlock;
    const std::size_t count = std::min(kBlock, points.size() - first);
    evaluate_block(points.subspan(first, count), ask,
                   out.subspan(first * classes(), count * classes()));
  });
}

void PlaneModel::log_scores(std::span<const draw::Point> points, std::span<double> out) const {
  evaluate(points, Ask::scores, out);
}

void PlaneModel::posteriors(std::span<const draw::Point> points, std::span<double> out) const {
  evaluate(points, Ask::scores, out);
  posterior::from_log_scores(out, classes());
}

void PlaneModel::log_joint(std::span<const draw::Point> points, bool marginal,
                           std::span<double> out) const {
  evaluate(points, marginal ? Ask::marginal : Ask::joint, out);
}

draw::Labeling PlaneModel::decisions() const {
  return [this](std::span<draw::Sample> samples) {
    for (std::size_t first = 0; first < samples.size(); first += kAtOnce) {
      label(samples.subspan(first, std::min(kAtOnce, samples.size() - first)));
    }
  };
}

void PlaneModel::label(std::span<draw::Sample> samples) const {
  const std::size_t k = classes();
  std::vector<draw::Point> points;
  points.reserve(samples.size());
  for (const draw::Sample& sample : samples) {
    points.push_back(conics_ ? sample.at : plane_.value(sample.at));
  }
  std::vector<double> scores(points.size() * k);
  if (conics_) {
    conics_->scores(points, scores);
  } else {
    evaluate(points, Ask::margins, scores);
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    draw::Sample& sample = samples[i];
    const std::span<double> row = std::span(scores).subspan(i * k, k);
    sample.label = winner(row, k);
    const bool known = sample.first >= 0 && sample.second >= 0 &&
                       static_cast<std::size_t>(std::max(sample.first, sample.second)) < k;
    sample.margin = known ? row[static_cast<std::size_t>(sample.first)] -
                                row[static_cast<std::size_t>(sample.second)]
                          : kNaN;
    if (thresholds_.empty() || static_cast<std::size_t>(sample.label) == k) { continue; }
    posterior::from_log_scores(row, k);
    const std::int32_t decision = decide::decide({.thresholds = thresholds_}, row);
    sample.label = decision == decide::kReject ? static_cast<std::int32_t>(k) : decision;
    sample.margin = kNaN;
  }
}

}  // namespace logodds::plots
