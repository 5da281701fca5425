#include <cmath>

#include "data/csv_text.hpp"
#include "logodds/draw/scale.hpp"
#include "logodds/text/counts.hpp"
#include "report/sections.hpp"

namespace logodds::report {

namespace {

constexpr std::size_t kFewRows = 30;
constexpr double kMuchMissing = 0.2;
constexpr double kBadCalibration = 0.05;

/// "1 row has", "1,234 rows have"
std::string counted(std::size_t count, const char* one, const char* many) {
  return grouped(count) + " " + (count == 1 ? one : many);
}

std::string named(std::vector<std::string> names) {
  constexpr std::size_t kShown = 5;
  for (std::string& name : names) { name = csv::shown(name); }
  return csv::name_list(names, kShown);
}

/// The share of the most frequent class: what deciding for it always would get right.
void warn_of_guessing(const Findings& found, std::vector<std::string>& out) {
  const measure::Measures& measures = found.survey.evaluation->measures;
  std::size_t most = 0;
  for (std::size_t k = 1; k < found.labels().size(); ++k) {
    if (found.measures.classes[k].weight > found.measures.classes[most].weight) { most = k; }
  }
  const double share = found.measures.classes[most].weight / measures.weight();
  if (found.labels().size() > 1 && found.measures.accuracy.lower <= share) {
    out.push_back("Deciding always for " + csv::shown(found.labels()[most]) +
                  " would be right in " + draw::percent(share) + " of " +
                  (found.weighted() ? "the weight of " : "") +
                  "these rows: the accuracy of the model is not surely better.");
  }
}

void warn_of_classes(const Findings& found, std::vector<std::string>& out) {
  std::vector<std::string> rare;
  std::vector<std::string> never;
  for (std::size_t k = 0; k < found.labels().size(); ++k) {
    const measure::ClassReport& one = found.measures.classes[k];
    if (found.survey.class_rows[k] < kFewRows) { rare.push_back(found.labels()[k]); }
    if (one.weight > 0.0 && one.decided <= 0.0) { never.push_back(found.labels()[k]); }
  }
  if (!rare.empty()) {
    out.push_back("Fewer than 30 rows are of class " + named(rare) +
                  ": their measures are known roughly; see the intervals.");
  }
  if (!never.empty()) { out.push_back("No row is decided for class " + named(never) + "."); }
}

void warn_of_posteriors(const Findings& found, std::vector<std::string>& out) {
  const measure::Measures& measures = found.survey.evaluation->measures;
  if (measures.rows_ruled_out() > 0) {
    out.push_back(counted(measures.rows_ruled_out(), "row has", "rows have") +
                  " posterior 0 for the true class: the log loss would be infinite and counts a "
                  "large number for each.");
  }
  const measure::Estimate& error = found.measures.calibration_error;
  if (error.value > kBadCalibration && measures.rows() >= kFewRows) {
    out.push_back("Posteriors are off by " + draw::percent(error.value) +
                  " on average; 'logodds calibrate' mends that with rows held out.");
  }
}

void warn_of_rows(const Findings& found, std::vector<std::string>& out) {
  const ScoreReport& report = found.survey.evaluation->report;
  if (report.rows_skipped > 0) {
    out.push_back(grouped(report.rows_skipped) + " of " +
                  counted(found.survey.rows_read, "row lacks", "rows lack") +
                  " a value that the model needs; what lacks one is not measured.");
  }
  if (report.rows_rejected > 0) {
    out.push_back(counted(report.rows_rejected, "row is", "rows are") +
                  " not decided, by the thresholds of the model, and not measured.");
  }
  if (report.unseen_levels > 0) {
    out.push_back(counted(report.unseen_levels, "value is a level", "values are levels") +
                  " that training did not meet.");
  }
  std::vector<std::string> gaps;
  for (std::size_t c = 0; c < found.survey.missing.size(); ++c) {
    if (static_cast<double>(found.survey.missing[c]) >
        kMuchMissing * static_cast<double>(found.survey.rows_read)) {
      gaps.push_back(found.model().schema().columns[c].name);
    }
  }
  if (!gaps.empty()) {
    out.push_back("More than a fifth of the values of " + named(gaps) + " is missing.");
  }
}

void warn_of_training(const Findings& found, std::vector<std::string>& out) {
  if (!found.training) { return; }
  if (found.training_is_data) {
    out.emplace_back(
        "These are the rows that the model was trained on: on others it will be worse. Hold rows "
        "out ('logodds split') or use 'logodds cv'.");
    return;
  }
  const measure::Estimate& train = found.training_measures->log_loss;
  const measure::Estimate& test = found.measures.log_loss;
  if (std::isfinite(train.upper) && test.lower > train.upper) {
    out.push_back("The log loss is " + draw::short_text(test.value) + " here and " +
                  draw::short_text(train.value) +
                  " on the training rows: the model fits those better than others.");
  }
}

}  // namespace

std::vector<std::string> warnings(const Findings& found) {
  std::vector<std::string> out;
  warn_of_training(found, out);
  warn_of_guessing(found, out);
  warn_of_classes(found, out);
  warn_of_posteriors(found, out);
  warn_of_rows(found, out);
  return out;
}

}  // namespace logodds::report
