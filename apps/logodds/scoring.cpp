#include "scoring.hpp"

#include <fmt/format.h>

#include "output.hpp"
#include "reading.hpp"

namespace logodds::app {

namespace {

/// "--model a, --model b or --model c"
std::string models_to_train(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) { text += i + 1 == names.size() ? " or " : ", "; }
    text += "--model " + names[i];
  }
  return text;
}

[[noreturn]] void refuse(const Classifier& model, std::string_view what, std::string_view need,
                         const std::vector<std::string>& able) {
  throw Error(ErrorCode::usage,
              fmt::format("{} needs {}, which model {} does not have; train one that does: {}",
                          what, need, model.family(), models_to_train(able)));
}

std::vector<std::string> families_that(bool Capabilities::* capability) {
  std::vector<std::string> names;
  for (const FamilyRecord& family : families()) {
    if (family.capabilities.*capability) { names.push_back(family.name); }
  }
  return names;
}

std::vector<std::string> families_with_option(std::string_view option) {
  std::vector<std::string> names;
  for (const FamilyRecord& family : families()) {
    if (find_option(family, option) != nullptr) { names.push_back(family.name); }
  }
  return names;
}

}  // namespace

std::unique_ptr<Classifier> load_for_scoring(const Arguments& arguments,
                                             std::vector<std::string>& notes) {
  auto model = load_model(arguments);
  if (!arguments.has("priors")) { return model; }
  if (!model->options().has("priors")) {
    refuse(*model, "--priors", "priors that are a setting of their own",
           families_with_option("priors"));
  }
  Fit changed = with_options(*model, {{"priors", arguments.text("priors")}});
  notes.insert(notes.end(), changed.report.notes.begin(), changed.report.notes.end());
  return std::move(changed.model);
}

ScoreRequest score_request(const Arguments& arguments, const Classifier& model) {
  ScoreRequest request;
  request.missing = missing_rows(arguments);
  if (arguments.text("rule") == "likelihood") {
    static_cast<void>(require_generative(model, "--rule likelihood"));
    request.rule = decide::Rule::likelihood;
  }
  return request;
}

const Generative& require_generative(const Classifier& model, std::string_view what) {
  if (const Generative* generative = model.generative()) { return *generative; }
  refuse(model, what, "densities p(x | class)", families_that(&Capabilities::generative));
}

const Geometry& require_geometry(const Classifier& model, std::string_view what) {
  if (const Geometry* geometry = model.geometry()) { return *geometry; }
  refuse(model, what, "boundaries and axes in closed form", families_that(&Capabilities::geometry));
}

std::vector<std::string> score_notes(const Classifier& model, const BlockSource& source,
                                     const ScoreReport& report) {
  std::vector<std::string> notes = source.notes();
  if (report.unseen_levels > 0) {
    notes.push_back(counted(report.unseen_levels, "value is a level", "values are levels") +
                    (model.takes_unseen_levels()
                         ? " that the model has not seen, with the probability that its smoothing "
                           "leaves to such levels"
                         : " that the model has not seen; this counts as missing"));
  }
  if (report.rows_incomplete > 0) {
    notes.push_back(counted(report.rows_incomplete, "row lacks", "rows lack") +
                    " a value: decided by the values that are there (--missing use)");
  }
  if (report.rows_skipped > 0) {
    notes.push_back(counted(report.rows_skipped, "row lacks", "rows lack") +
                    " a value that the model needs: no prediction");
  }
  if (report.rows_rejected > 0) {
    notes.push_back(counted(report.rows_rejected, "row is rejected: no class explains it",
                            "rows are rejected: no class explains them") +
                    " (--reject-outliers)");
  }
  return notes;
}

}  // namespace logodds::app
