#include "logodds/report/report.hpp"

#include "logodds/error.hpp"
#include "logodds/registry/registry.hpp"
#include "logodds/registry/title.hpp"
#include "report/sections.hpp"

namespace logodds::report {

namespace {

measure::Report measured(const Survey& survey, double level, const Context& context) {
  return measure::report(survey.evaluation->measures, {.level = level}, context);
}

void check(const ReportInput& input, const Survey& survey) {
  if (survey.evaluation->measures.rows() > 0) { return; }
  throw Error(ErrorCode::input,
              input.data.name + ": no row could be decided and compared with its label" +
                  (survey.evaluation->report.rows_skipped > 0
                       ? ", because each lacks a value that the model needs; fill them, or train a "
                         "model that takes them: naive-bayes or gaussian"
                       : "; give rows with labels"));
}

/// By the samples, which are taken at the same distances.
bool same_rows(const Survey& data, const Survey& training) {
  return data.sample.rows() > 0 && data.rows_read == training.rows_read &&
         data.sample.same_rows(training.sample);
}

}  // namespace

ReportPage make_report(const ReportInput& input, const ReportOptions& options,
                       const Context& context) {
  const Classifier& model = *input.model;
  if (is_clustering(model.family())) {
    throw Error(ErrorCode::usage,
                "a report compares decisions with labels, and this model decides for clusters; "
                "'logodds plot clusters' and 'logodds plot elbow' draw them");
  }
  const auto source = input.data.open();
  Survey survey_of_data = survey(model, *source, options.rows_shown, context);
  check(input, survey_of_data);
  measure::Report measures = measured(survey_of_data, options.level, context);
  Findings found{.input = input,
                 .options = options,
                 .context = context,
                 .survey = std::move(survey_of_data),
                 .measures = std::move(measures),
                 .training = {},
                 .training_measures = {},
                 .importance = {},
                 .training_is_data = false};
  if (input.training.open) {
    const auto training = input.training.open();
    found.training = survey(model, *training, 0, context);
    found.training_measures = measured(*found.training, options.level, context);
    found.training_is_data = input.training_is_data || same_rows(found.survey, *found.training);
  }
  found.importance = column_importance(model, found.survey.sample, context);

  ReportPage result;
  result.notes = warnings(found);
  Page page("How good is " + model_title(model) + " on " + input.data.name + "?");
  write_summary(page, found, result.notes);
  write_measure_pictures(page, found);
  write_measures(page, found);
  write_model_pictures(page, found);
  write_importance(page, found);
  write_rows(page, found);
  write_model(page, found);
  write_data(page, found);
  write_origin(page, found);
  result.html = page.html();
  return result;
}

}  // namespace logodds::report
