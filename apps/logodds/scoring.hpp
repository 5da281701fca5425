// What predict and evaluate share: the model with its priors, what is asked of every row, notes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "logodds/logodds.hpp"

namespace logodds::app {

/// The model that the first argument names, with the priors of --priors where they are given; with
/// `--priors estimate` those that the rows of the second argument have, which are read for it.
[[nodiscard]] std::unique_ptr<Classifier> load_for_scoring(const Arguments& arguments,
                                                           std::vector<std::string>& notes);
/// The model that the first argument names, to be compared with labels. Throws Error(usage) for one
/// that decides for clusters.
[[nodiscard]] std::unique_ptr<Classifier> load_labelled_model(const Arguments& arguments);
/// --missing and --rule.
[[nodiscard]] ScoreRequest score_request(const Arguments& arguments, const Classifier& model);

/// What only a model of p(x | class) has. Throws Error(usage): `what` ("--density") needs it.
[[nodiscard]] const Generative& require_generative(const Classifier& model, std::string_view what);
/// The same for boundaries and axes.
[[nodiscard]] const Geometry& require_geometry(const Classifier& model, std::string_view what);
/// The same for training rows that are near.
[[nodiscard]] const Neighborhood& require_neighborhood(const Classifier& model,
                                                       std::string_view what);

/// "2 rows lack a value ...", for each fact of a scoring run that the user should know.
[[nodiscard]] std::vector<std::string> score_notes(const Classifier& model,
                                                   const BlockSource& source,
                                                   const ScoreReport& report);

}  // namespace logodds::app
