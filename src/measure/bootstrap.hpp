// Intervals from samples of the rows.
#pragma once

#include "logodds/measure/report.hpp"

namespace logodds::measure {

/// Replaces the intervals of `found` that are neither exact nor DeLong's by percentiles over
/// options.bootstrap samples of as many rows, drawn with replacement.
void bootstrap_intervals(const Measures& measures, const ReportOptions& options,
                         const Context& context, Report& found);

}  // namespace logodds::measure
