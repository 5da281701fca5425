// What cv and compare show of estimates from held-out rows.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"
#include "logodds/choose/cross_validation.hpp"

namespace logodds::app {

/// Four decimals: what folds can tell.
[[nodiscard]] std::string measured(double value);
/// "0.0123 to 0.0456"
[[nodiscard]] std::string interval_text(const choose::Estimate& estimate);
/// value, standard_error, low, high.
[[nodiscard]] Json estimate_json(const choose::Estimate& estimate);
/// error_rate, log_loss and brier.
void add_estimates(Json& object, const choose::GridPoint& point);
/// "10 folds in turn, 5 times"
[[nodiscard]] std::string held_out_text(bool leave_one_out, std::size_t folds, std::size_t repeats);
/// A note where the true class of some rows had posterior 0; `whose`: "table: ", or nothing.
void add_ruled_out(std::vector<std::string>& notes, std::size_t rows,
                   const std::string& whose = {});

}  // namespace logodds::app
