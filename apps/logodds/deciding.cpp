#include "deciding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "logodds/decide/costs_text.hpp"
#include "logodds/models/adjusted.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

constexpr std::string_view kNone = "none";

void note_stored_thresholds(const Classifier& model, std::vector<std::string>& notes) {
  const Adjustments* const adjustments = adjustments_of(model);
  if (adjustments == nullptr || adjustments->thresholds.empty()) { return; }
  std::string list;
  for (std::size_t k = 0; k < adjustments->thresholds.size(); ++k) {
    if (adjustments->thresholds[k] <= 0.0) { continue; }
    list += fmt::format("{}{} from {}", list.empty() ? "" : ", ", model.labels()[k],
                        short_number(adjustments->thresholds[k]));
  }
  notes.push_back(
      fmt::format("decided by the threshold of the model: {} (--thresholds none decides "
                  "by the largest posterior)",
                  list));
}

/// One way to decide at a time.
void check_flags(const Arguments& arguments) {
  if (arguments.has("cost") && arguments.has("thresholds")) {
    throw Error(ErrorCode::usage,
                "--cost and --thresholds are two ways to decide; leave one of them out");
  }
  for (const std::string_view flag : {"cost", "thresholds", "reject-below"}) {
    if (arguments.has(flag) && arguments.text("rule") == "likelihood") {
      throw Error(ErrorCode::usage,
                  fmt::format("--{} decides by posteriors, and --rule likelihood leaves the priors "
                              "out of them; leave one of them out, or give --priors uniform",
                              flag));
    }
  }
}

}  // namespace

void check_reject_name(const Classifier& model, std::string_view what) {
  if (std::ranges::find(model.labels(), decide::kRejectName) == model.labels().end()) { return; }
  throw Error(ErrorCode::usage,
              fmt::format("a class of the model is called 'reject', so rejected rows could not be "
                          "told from its own; rename the class to use {}",
                          what));
}

decide::Costs chosen_costs(const Arguments& arguments, const Classifier& model,
                           std::vector<std::string>& notes) {
  decide::Costs costs = decide::costs_of(arguments.text("cost"), model.labels(), "option --cost");
  if (costs.has_negative()) { notes.emplace_back("a cost is negative: such a decision is a gain"); }
  return costs;
}

std::unique_ptr<const decide::Policy> chosen_policy(const Arguments& arguments,
                                                    const Classifier& model,
                                                    std::vector<std::string>& notes) {
  check_flags(arguments);
  auto policy = std::make_unique<decide::Policy>();
  if (arguments.has("cost")) { policy->costs = chosen_costs(arguments, model, notes); }
  const bool own = arguments.has("thresholds") && arguments.text("thresholds") != kNone;
  if (own) {
    policy->thresholds = decide::parse_thresholds(arguments.text("thresholds"), model.labels(),
                                                  "option --thresholds");
  } else if (!arguments.has("thresholds") && !arguments.has("cost") &&
             arguments.text("rule") != "likelihood") {
    note_stored_thresholds(model, notes);
    const Adjustments* const adjustments = adjustments_of(model);
    if (adjustments != nullptr) { policy->thresholds = adjustments->thresholds; }
  }
  if (arguments.has("reject-below")) {
    check_reject_name(model, "--reject-below");
    policy->reject_below = arguments.real("reject-below");
  }
  if (!policy->thresholds.empty() &&
      std::ranges::all_of(policy->thresholds, [](double t) { return t > 0.0; })) {
    check_reject_name(model, "a threshold for every class");
  }
  return policy;
}

}  // namespace logodds::app
