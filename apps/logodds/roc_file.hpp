// evaluate --roc: the ROC curve of every class as CSV.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "logodds/measure/measures.hpp"

namespace logodds::app {

/// Throws Error(io) when no file can be made where --roc says, before any work.
void check_roc_place(const Arguments& arguments);
/// Class, threshold, rates and precision, a line for every different posterior, the highest first.
void write_roc(const Arguments& arguments, const measure::Measures& measures,
               const std::vector<std::string>& labels);

}  // namespace logodds::app
