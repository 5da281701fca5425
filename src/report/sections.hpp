// The parts of the report, in the order in which it is read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logodds/measure/report.hpp"
#include "logodds/report/report.hpp"
#include "report/importance.hpp"
#include "report/page.hpp"
#include "report/survey.hpp"

namespace logodds::report {

/// All that is known when the page is written.
struct Findings {
  const ReportInput& input;
  const ReportOptions& options;
  const Context& context;
  Survey survey;
  measure::Report measures;
  std::optional<Survey> training;
  std::optional<measure::Report> training_measures;
  Importance importance;
  bool training_is_data = false;  ///< the training rows are those that the page is about

  /// Some rows weigh more than others.
  [[nodiscard]] bool weighted() const {
    const measure::Measures& measures_of_rows = survey.evaluation->measures;
    return measures_of_rows.weight() != static_cast<double>(measures_of_rows.rows());
  }
  [[nodiscard]] const Classifier& model() const { return *input.model; }
  [[nodiscard]] const std::vector<std::string>& labels() const { return input.model->labels(); }
};

/// What the reader should know before believing the numbers. (warnings.cpp)
[[nodiscard]] std::vector<std::string> warnings(const Findings& found);

void write_summary(Page& page, const Findings& found, const std::vector<std::string>& warnings);
void write_model(Page& page, const Findings& found);
void write_measures(Page& page, const Findings& found);
void write_data(Page& page, const Findings& found);
void write_rows(Page& page, const Findings& found);
void write_origin(Page& page, const Findings& found);
/// Confusion, calibration, ROC; boundaries, densities, words, as they suit the model.
/// (pictures.cpp)
void write_measure_pictures(Page& page, const Findings& found);
void write_model_pictures(Page& page, const Findings& found);
void write_importance(Page& page, const Findings& found);

}  // namespace logodds::report
