#include "validating.hpp"

#include <fmt/format.h>

#include "output.hpp"

namespace logodds::app {

std::string measured(double value) { return fmt::format("{:.4f}", value); }

std::string interval_text(const choose::Estimate& estimate) {
  return measured(estimate.low) + " to " + measured(estimate.high);
}

Json estimate_json(const choose::Estimate& estimate) {
  return {{"value", estimate.value},
          {"standard_error", estimate.standard_error},
          {"low", estimate.low},
          {"high", estimate.high}};
}

void add_estimates(Json& object, const choose::GridPoint& point) {
  object["error_rate"] = estimate_json(point.error_rate);
  object["log_loss"] = estimate_json(point.log_loss);
  object["brier"] = estimate_json(point.brier);
}

std::string held_out_text(bool leave_one_out, std::size_t folds, std::size_t repeats) {
  if (leave_one_out) { return "one row at a time"; }
  return fmt::format("{} folds in turn{}", folds,
                     repeats > 1 ? fmt::format(", {} times", repeats) : "");
}

void add_ruled_out(std::vector<std::string>& notes, std::size_t rows, const std::string& whose) {
  if (rows == 0) { return; }
  notes.push_back(whose + counted(rows, "row has", "rows have") +
                  " posterior 0 for the true class; the log loss, which would be infinite, counts "
                  "708.4 for each");
}

}  // namespace logodds::app
