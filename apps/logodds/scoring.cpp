#include "scoring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "logodds/adjust.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "sources.hpp"

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

namespace {

/// The rows are read twice: for their shares, and to be scored.
std::unique_ptr<Classifier> with_shares(const Arguments& arguments, const Classifier& model,
                                        std::vector<std::string>& notes) {
  constexpr std::size_t kMostShown = 12;
  constexpr double kNothing = 1e-9;
  if (arguments.positionals().size() < 2) {
    throw Error(ErrorCode::usage,
                "--priors estimate needs rows to estimate the shares from; give shares, as in "
                "--priors a=0.3,b=0.7");
  }
  std::error_code ignored;
  const std::string& path = arguments.positional(1);
  if (path == "-" || (!std::filesystem::is_regular_file(path, ignored) &&
                      !std::filesystem::is_directory(path, ignored))) {
    throw Error(ErrorCode::usage,
                "--priors estimate reads the rows twice, which a pipe does not allow; save them to "
                "a file and give that");
  }
  ProgressBar bar(!arguments.has("quiet"));
  const auto source = open_bound(arguments, model, path, LabelUse::unread);
  const SharesReport report =
      estimate_shares(model, *source, make_context(arguments, bar), missing_rows(arguments));
  std::string list;
  for (std::size_t k = 0; k < std::min(kMostShown, model.labels().size()); ++k) {
    const double share = report.estimate.shares[k];
    list += fmt::format("{}{} {}", k == 0 ? "" : ", ", model.labels()[k],
                        short_number(share < kNothing ? 0.0 : share));
  }
  if (model.labels().size() > kMostShown) { list += ", ..."; }
  notes.push_back(fmt::format(
      "shares of the classes, estimated from {}{}: {}", counted(report.rows_used, "row", "rows"),
      report.rows_used < report.rows ? fmt::format(" drawn of {}", grouped(report.rows)) : "",
      list));
  if (!report.estimate.converged) {
    notes.emplace_back("the estimate of the shares has not settled; more rows would tell them");
  }
  return with_priors(model, report.estimate.shares);
}

}  // namespace

std::unique_ptr<Classifier> load_labelled_model(const Arguments& arguments) {
  auto model = load_model(arguments);
  if (!is_clustering(model->family())) { return model; }
  throw Error(ErrorCode::usage,
              fmt::format("{} decides for clusters, which no label is to be compared with; train a "
                          "model with 'logodds train'",
                          arguments.positional(0)));
}

std::unique_ptr<Classifier> load_for_scoring(const Arguments& arguments,
                                             std::vector<std::string>& notes) {
  auto model = load_model(arguments);
  if (!arguments.has("priors")) { return model; }
  if (!model->options().has("priors")) {
    refuse(*model, "--priors", "priors that are a setting of their own",
           families_with_option("priors"));
  }
  if (arguments.text("priors") == "estimate") { return with_shares(arguments, *model, notes); }
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
  if (model.words() != nullptr) {
    throw Error(
        ErrorCode::usage,
        fmt::format("{} needs densities p(x | class), and documents have none: how long they "
                    "are has no law; train without the text column (--ignore)",
                    what));
  }
  refuse(model, what, "densities p(x | class)", families_that(&Capabilities::generative));
}

const Geometry& require_geometry(const Classifier& model, std::string_view what) {
  if (const Geometry* geometry = model.geometry()) { return *geometry; }
  if (unadjusted(model).geometry() != nullptr) {
    throw Error(ErrorCode::usage,
                fmt::format("{} needs boundaries in closed form, and calibrated posteriors have "
                            "none; take the model from before the calibration",
                            what));
  }
  refuse(model, what, "boundaries and axes in closed form", families_that(&Capabilities::geometry));
}

const Neighborhood& require_neighborhood(const Classifier& model, std::string_view what) {
  if (const Neighborhood* neighborhood = model.neighborhood()) { return *neighborhood; }
  refuse(model, what, "training rows to be near", families_with_option("metric"));
}

namespace {

/// What the words of a document are called by its model.
std::pair<std::string_view, std::string_view> term_names(const Classifier& model) {
  const Options& options = model.options();
  const bool words = (!options.has("tokens") || options.text("tokens") == "words") &&
                     (!options.has("chars") || options.text("chars").empty()) &&
                     (!options.has("ngrams") || options.text("ngrams") == "1");
  return words ? std::pair{"word", "words"} : std::pair{"term", "terms"};
}

void add_text_notes(const Classifier& model, const TextTally& texts,
                    std::vector<std::string>& notes) {
  const auto [word, words] = term_names(model);
  if (texts.unknown_terms > 0) {
    const double share =
        100.0 * static_cast<double>(texts.unknown_terms) / static_cast<double>(texts.terms);
    notes.push_back(fmt::format("{} of {} ({:.1f} %) {} not in the vocabulary and {} for nothing",
                                grouped(texts.unknown_terms), counted(texts.terms, word, words),
                                share, texts.unknown_terms == 1 ? "is" : "are",
                                texts.unknown_terms == 1 ? "counts" : "count"));
  }
  if (texts.without_words > 0) {
    notes.push_back(counted(texts.without_words, "document holds", "documents hold") +
                    fmt::format(" no known {} and {} the prior", word,
                                texts.without_words == 1 ? "gets" : "get"));
  }
  if (texts.bad_characters > 0) {
    notes.push_back(counted(texts.bad_characters, "invalid UTF-8 sequence was read as U+FFFD",
                            "invalid UTF-8 sequences were read as U+FFFD"));
  }
}

}  // namespace

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
  const std::size_t outliers = report.rows_rejected - report.rows_unsure;
  if (report.rows_unsure > 0) {
    notes.push_back(counted(report.rows_unsure, "row is", "rows are") +
                    " rejected: no decision is sure or cheap enough");
  }
  if (outliers > 0) {
    notes.push_back(counted(outliers, "row is rejected: no class explains it",
                            "rows are rejected: no class explains them") +
                    " (--reject-outliers)");
  }
  add_text_notes(model, report.texts, notes);
  return notes;
}

}  // namespace logodds::app
