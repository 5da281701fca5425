#include "logodds/adjust.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/measure/weights.hpp"
#include "models/lists.hpp"
#include "random/row_draws.hpp"
#include "scoring.hpp"

namespace logodds {

using scoring::run_scoring;
using scoring::Scoring;

namespace {

bool skipped(const Scoring& block, std::size_t row) {
  return !block.skipped.empty() && block.skipped[row] != 0;
}

double log_loss(const posterior::ValidationRows& rows) {
  const double floor = std::log(std::numeric_limits<double>::min());  // as measure::Measures has it
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    sum -= rows.weights[n] * std::max(floor, rows.row(n)[static_cast<std::size_t>(rows.labels[n])]);
    weight += rows.weights[n];
  }
  return sum / weight;
}

std::vector<decide::ThresholdRow> threshold_rows(const posterior::ValidationRows& rows,
                                                 const ThresholdWish& wish) {
  const decide::Costs costs = wish.costs ? *wish.costs : decide::Costs::zero_one(rows.classes);
  std::vector<decide::ThresholdRow> result(rows.rows());
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    const auto row = rows.row(n);
    const auto truth = static_cast<std::size_t>(rows.labels[n]);
    const std::size_t other = decide::argmax_of_others(row, wish.label);
    result[n] = {.posterior = std::exp(row[wish.label]),
                 .positive = truth == wish.label,
                 .cost_if_decided = costs.cost(truth, static_cast<std::int32_t>(wish.label)),
                 .cost_if_not = costs.cost(truth, static_cast<std::int32_t>(other)),
                 .weight = rows.weights[n]};
  }
  return result;
}

/// What the largest posterior decides, ties to the first class.
decide::ThresholdChoice by_largest(const posterior::ValidationRows& rows,
                                   std::span<const decide::ThresholdRow> priced,
                                   std::size_t label) {
  decide::ThresholdChoice choice;
  double found = 0.0;
  double positives = 0.0;
  double all = 0.0;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    const decide::ThresholdRow& row = priced[n];
    const bool decided = decide::argmax(rows.row(n)) == label;
    all += row.weight;
    positives += row.positive ? row.weight : 0.0;
    found += row.positive && decided ? row.weight : 0.0;
    choice.decided += decided ? row.weight : 0.0;
    choice.cost += row.weight * (decided ? row.cost_if_decided : row.cost_if_not);
  }
  choice.precision = choice.decided > 0.0 ? found / choice.decided : 0.0;
  choice.recall = positives > 0.0 ? found / positives : 0.0;
  choice.cost /= all;
  return choice;
}

decide::ThresholdChoice chosen(const std::vector<decide::ThresholdRow>& rows,
                               const ThresholdWish& wish, const std::string& label,
                               const std::string& source) {
  if (wish.costs) {
    if (const auto choice = decide::cheapest_threshold(rows)) { return *choice; }
    throw Error(ErrorCode::input, source +
                                      ": under these costs it is cheapest never to decide for "
                                      "the class '" +
                                      label + "', so it has no threshold; check the costs");
  }
  if (const auto choice = decide::precise_threshold(rows, wish.precision)) { return *choice; }
  throw Error(ErrorCode::input,
              source + ": no threshold decides for the class '" + label + "' with a precision of " +
                  format_number(wish.precision) + "; the best is " +
                  format_number(std::floor(1e4 * decide::best_precision(rows)) / 1e4) +
                  ", so ask for less, or train a better model");
}

void check_two_classes(const Classifier& model) {
  if (model.labels().size() >= 2) { return; }
  throw Error(ErrorCode::usage,
              "the model knows one class only, so there is nothing to decide; train one with at "
              "least two classes");
}

/// A random part of the rows of a run, whatever its length: rows whose number is below a limit that
/// is halved whenever too many have come.
class PosteriorSample {
 public:
  PosteriorSample(std::size_t classes, std::uint64_t seed) : classes_(classes), seed_(seed) {
    constexpr std::size_t kMostBytes = std::size_t{128} << 20U;
    most_rows_ = std::max<std::size_t>(1, kMostBytes / (sizeof(double) * classes));
  }

  void add(std::span<const double> posteriors) {
    const std::uint64_t number = random::RowDraws(seed_, rows_++).bits();
    if (number > limit_) { return; }
    numbers_.push_back(number);
    values_.insert(values_.end(), posteriors.begin(), posteriors.end());
    if (numbers_.size() > most_rows_) { thin(); }
  }
  [[nodiscard]] std::span<const double> posteriors() const { return values_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t kept() const { return numbers_.size(); }

 private:
  void thin() {
    limit_ /= 2;
    std::size_t kept = 0;
    for (std::size_t n = 0; n < numbers_.size(); ++n) {
      if (numbers_[n] > limit_) { continue; }
      numbers_[kept] = numbers_[n];
      std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(n * classes_), classes_,
                  values_.begin() + static_cast<std::ptrdiff_t>(kept * classes_));
      ++kept;
    }
    numbers_.resize(kept);
    values_.resize(kept * classes_);
  }

  std::size_t classes_;
  std::uint64_t seed_;
  std::size_t most_rows_ = 0;
  std::size_t rows_ = 0;
  std::uint64_t limit_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> numbers_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Classifier> stripped(std::unique_ptr<Classifier> model, bool calibrated) {
  const Adjustments* const found = adjustments_of(*model);
  if (found == nullptr) { return model; }
  Adjustments kept;
  if (calibrated) { kept.calibration = found->calibration; }
  return adjusted(std::move(model), std::move(kept));
}

posterior::ValidationRows validation_rows(const Classifier& model, BlockSource& source,
                                          ScoreReport& report, const Context& context,
                                          MissingRows missing) {
  posterior::ValidationRows rows{.classes = model.labels().size()};
  const auto add_block = [&](Scoring& block) {
    const RowBlock view = block.rows.view();
    measure::check_weights(block.rows, source);
    posterior::to_log_posteriors(block.scores, rows.classes);
    for (std::size_t r = 0; r < view.rows; ++r) {
      if (skipped(block, r)) { continue; }
      rows.labels.push_back(view.labels[r]);
      rows.weights.push_back(view.weight(r));
      const auto row = block.scores.begin() + static_cast<std::ptrdiff_t>(r * rows.classes);
      rows.log_posteriors.insert(rows.log_posteriors.end(), row,
                                 row + static_cast<std::ptrdiff_t>(rows.classes));
    }
  };
  report = run_scoring(model, source, context, {.missing = missing}, [](Scoring&) {}, add_block);
  if (rows.rows() == 0) {
    throw Error(ErrorCode::input,
                source.name() +
                    ": no row is left to validate by; give labelled rows that have "
                    "every value the model needs");
  }
  return rows;
}

std::unique_ptr<Classifier> calibrate(std::unique_ptr<Classifier> model, BlockSource& source,
                                      std::string_view method, CalibrationReport& report,
                                      const Context& context, MissingRows missing) {
  const Adjustments* const found = adjustments_of(*model);
  if (found != nullptr && !found->thresholds.empty()) {
    report.notes.emplace_back(
        "the threshold of the model was for other posteriors and is left out; choose one anew");
  }
  model = stripped(std::move(model), false);
  posterior::ValidationRows rows = validation_rows(*model, source, report.rows, context, missing);
  return calibrate(std::move(model), std::move(rows), method, report);
}

std::unique_ptr<Classifier> calibrate(std::unique_ptr<Classifier> model,
                                      posterior::ValidationRows rows, std::string_view method,
                                      CalibrationReport& report) {
  std::shared_ptr<const posterior::Calibration> calibration =
      posterior::fit_calibration(method, rows, report.notes);
  report.method = calibration->method();
  report.log_loss_before = log_loss(rows);
  calibration->apply(rows.log_posteriors, rows.classes);
  report.log_loss_after = log_loss(rows);
  return adjusted(std::move(model), {.calibration = std::move(calibration)});
}

std::unique_ptr<Classifier> choose_threshold(std::unique_ptr<Classifier> model, BlockSource& source,
                                             const ThresholdWish& wish, ThresholdReport& report,
                                             const Context& context, MissingRows missing) {
  check_two_classes(*model);
  model = stripped(std::move(model), true);
  const posterior::ValidationRows rows =
      validation_rows(*model, source, report.rows, context, missing);
  return choose_threshold(std::move(model), rows, source.name(), wish, report);
}

std::unique_ptr<Classifier> choose_threshold(std::unique_ptr<Classifier> model,
                                             const posterior::ValidationRows& rows,
                                             const std::string& source, const ThresholdWish& wish,
                                             ThresholdReport& report) {
  check_two_classes(*model);
  const auto priced = threshold_rows(rows, wish);
  report.choice = chosen(priced, wish, model->labels()[wish.label], source);
  report.before = by_largest(rows, priced, wish.label);
  Adjustments adjustments;
  if (const Adjustments* const found = adjustments_of(*model)) { adjustments = *found; }
  adjustments.thresholds.assign(model->labels().size(), 0.0);
  adjustments.thresholds[wish.label] = report.choice.threshold;
  return adjusted(std::move(model), std::move(adjustments));
}

std::vector<double> priors_of(const Classifier& model) {
  std::vector<double> priors = model.array("priors").values;
  if (priors.size() == model.labels().size()) { return priors; }
  throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                    " has no priors that the shares of classes could replace; "
                                    "train one that has, as gaussian and naive-bayes do");
}

SharesReport estimate_shares(const Classifier& model, BlockSource& source, const Context& context,
                             MissingRows missing) {
  const std::size_t classes = model.labels().size();
  const std::vector<double> priors = priors_of(model);
  PosteriorSample sample(classes, context.seed);
  const auto add_block = [&](Scoring& block) {
    for (std::size_t r = 0; r < block.rows.rows; ++r) {
      if (skipped(block, r)) { continue; }
      sample.add(std::span(block.posteriors).subspan(r * classes, classes));
    }
  };
  static_cast<void>(
      run_scoring(model, source, context, {.missing = missing}, [](Scoring&) {}, add_block));
  if (sample.kept() == 0) {
    throw Error(ErrorCode::input,
                source.name() +
                    ": no row is left to estimate the shares of the classes by; give "
                    "rows that have every value the model needs");
  }
  return {.estimate = posterior::estimate_shares(sample.posteriors(), priors),
          .rows = sample.rows(),
          .rows_used = sample.kept()};
}

std::unique_ptr<Classifier> with_priors(const Classifier& model, std::span<const double> priors,
                                        const Context& context) {
  constexpr double kSmallest = 1e-12;
  double sum = 0.0;
  for (const double prior : priors) { sum += std::max(prior, kSmallest); }
  std::string text;
  for (std::size_t k = 0; k < priors.size(); ++k) {
    text += (k == 0 ? "" : ",") + models::escaped(model.labels()[k]) + "=" +
            format_number(std::max(priors[k], kSmallest) / sum);
  }
  return with_options(model, {{"priors", text}}, context).model;
}

}  // namespace logodds
