// Rows to outputs: least squares by QR of the centred features, all classes at once.
#include <algorithm>
#include <cmath>

#include "linalg/least_squares.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"
#include "models/indicator/indicator.hpp"
#include "models/linear/column_means.hpp"
#include "models/linear/identifiability.hpp"
#include "models/linear/small_classes.hpp"

namespace logodds::models::indicator {

namespace {

/// A class is masked when fewer training rows are decided for it than this share of its own.
constexpr double kMasked = 0.05;
/// What outputs may leave [0, 1] by without a word.
constexpr double kRounding = 1e-9;

/// Blocks of x - center beside the indicator matrix.
linalg::Regression regression_of(const DesignRows& x, const RowBlock& rows,
                                 const std::vector<double>& center, std::size_t classes) {
  const std::size_t d = x.columns;
  linalg::Regression regression{
      .columns = d, .targets = classes, .blocks = (x.rows + kBlockRows - 1) / kBlockRows};
  regression.read = [&x, &rows, &center, d, classes](std::size_t block,
                                                     std::vector<double>& scratch) {
    const std::size_t begin = block * kBlockRows;
    const std::size_t n = std::min(kBlockRows, x.rows - begin);
    scratch.assign(n * (d + classes), 0.0);
    double* const y = scratch.data() + n * d;
    for (std::size_t r = 0; r < n; ++r) {
      const double* const from = x.data + (begin + r) * x.stride;
      for (std::size_t i = 0; i < d; ++i) { scratch[r * d + i] = from[i] - center[i]; }
      y[r * classes + static_cast<std::size_t>(rows.labels[begin + r])] = 1.0;
    }
    return linalg::BlockRows{
        n, scratch.data(), d, y, classes, rows.weights == nullptr ? nullptr : rows.weights + begin};
  };
  return regression;
}

void check_finite(const std::vector<double>& center, const linear::Features& features) {
  for (std::size_t i = 0; i < center.size(); ++i) {
    if (!std::isfinite(center[i])) {
      throw Error(ErrorCode::numeric, "the values of '" + features.names()[i] +
                                          "' are too large to compute with; give the column in "
                                          "another unit");
    }
  }
}

TrainingOutputs outputs_of(const linear::LinearScores& outputs, const RowBlock& rows,
                           double weight) {
  const std::size_t classes = outputs.labels().size();
  std::vector<double> values(rows.rows * classes);
  outputs.log_scores(rows, values);
  TrainingOutputs result{0.0, std::vector<double>(classes, 0.0)};
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* const f = values.data() + r * classes;
    const auto [low, high] = std::minmax_element(f, f + classes);
    if (*low < -kRounding || *high > 1.0 + kRounding) { result.outside += rows.weight(r) / weight; }
    result.decided[static_cast<std::size_t>(std::max_element(f, f + classes) - f)] +=
        rows.weight(r);
  }
  result.outside = std::min(result.outside, 1.0);
  return result;
}

void note_outputs(const TrainingOutputs& outputs, const std::vector<double>& class_weights,
                  const std::vector<std::string>& labels, std::vector<std::string>& notes) {
  if (outputs.outside > 0.0) {
    const double percent = std::max(std::round(1000.0 * outputs.outside) / 10.0, 0.1);
    notes.push_back(
        "of " + format_number(percent) +
        " % of the training rows an output lies below 0 or above 1, so that it is no "
        "posterior: outputs are cut at 0 and normalized; --model softmax has posteriors "
        "of its own");
  }
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (outputs.decided[k] >= kMasked * class_weights[k]) { continue; }
    notes.push_back("the class '" + labels[k] + "' is masked by others: it has " +
                    format_number(class_weights[k]) + " training rows, and " +
                    (outputs.decided[k] > 0.0 ? format_number(outputs.decided[k]) : "none") +
                    " of all rows are decided for it; --model softmax and --model gaussian do not "
                    "suffer from that, nor does --basis polynomial:2");
  }
}

void note_columns(const linalg::LeastSquaresFit& fit, const std::vector<std::string>& names,
                  std::vector<std::string>& notes) {
  std::vector<std::size_t> dependent;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (fit.identifiable[i + 1] == 0) { dependent.push_back(i); }
  }
  if (dependent.empty()) { return; }
  const bool one = dependent.size() == 1;
  notes.push_back(linear::quoted_names(names, dependent) +
                  (one ? " is constant or a linear function of other columns, so its coefficients "
                         "are not identifiable and are taken as 0"
                       : " are constant or linear functions of other columns, so their "
                         "coefficients are not identifiable and are taken as 0"));
}

}  // namespace

IndicatorDiscriminant IndicatorFamily::estimate(const TrainingRows& rows, EstimatorInput input) {
  const RowBlock all = rows.view();
  const std::size_t classes = input.schema.labels.size();
  auto features = linear::Features::fitted(input.schema, one_hot_for(input.options),
                                           input.options.text("basis"), all);
  linear::check_matrix_fits(features, "indicator");
  auto& notes = input.report.notes;
  if (const auto note = features.design().one_hot_note(); !note.empty()) { notes.push_back(note); }
  linear::note_small_classes(all, input.schema.labels, notes);
  std::vector<double> scratch;
  const DesignRows x = features.encode(all, scratch);
  auto center = linear::column_means(x, all.weights);
  check_finite(center, features);
  auto regression = regression_of(x, all, center, classes);
  regression.ridge = input.options.real("ridge");
  regression.threads = input.context.threads;
  // Centred columns leave QR little to lose, and posteriors need no more digits than it gives.
  const auto fit = linalg::least_squares(regression, {.refinements = 0});
  note_columns(fit, features.names(), notes);
  const auto first = fit.coefficients.begin() + static_cast<std::ptrdiff_t>(classes);
  std::vector<std::int32_t> identifiable(fit.identifiable.begin() + 1, fit.identifiable.end());
  linear::LinearScores outputs(input.schema.labels, std::move(features), std::move(center),
                               {first, fit.coefficients.end()}, {fit.coefficients.begin(), first});
  auto training = outputs_of(outputs, all, rows.weight());
  note_outputs(training, rows.class_weights(), input.schema.labels, notes);
  return {std::move(outputs), std::move(identifiable), std::move(training)};
}

}  // namespace logodds::models::indicator
