// How predict and evaluate decide: costs, thresholds, rows that are not decided.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "logodds/logodds.hpp"

namespace logodds::app {

/// What --cost, --thresholds and --reject-below say, or null where the model decides as it is.
/// `notes` gets what the user should know. Throws Error.
[[nodiscard]] std::unique_ptr<const decide::Policy> chosen_policy(const Arguments& arguments,
                                                                  const Classifier& model,
                                                                  std::vector<std::string>& notes);
/// What --cost says: a file, or pairs of classes.
[[nodiscard]] decide::Costs chosen_costs(const Arguments& arguments, const Classifier& model,
                                         std::vector<std::string>& notes);
/// Throws Error(usage) when a class has the name that rejected rows get; `what` ("--reject-below")
/// rejects them.
void check_reject_name(const Classifier& model, std::string_view what);

}  // namespace logodds::app
