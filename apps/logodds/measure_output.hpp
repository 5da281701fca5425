// Measures with their intervals, as JSON and as tables.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"
#include "logodds/measure/report.hpp"
#include "output.hpp"

namespace logodds::app {

/// "lower", "upper" and "method".
[[nodiscard]] Json interval_json(const measure::Estimate& estimate);

/// Every measure that `object` does not hold yet, then "intervals", "by_class", "confusion",
/// "confusion_rates", "confusion_intervals" and "calibration".
void add_measures(Json& object, const measure::Measures& measures, const measure::Report& report,
                  const std::vector<std::string>& labels);

/// "0.0174419 (0.006426 to 0.03757, exact)"
[[nodiscard]] std::string with_interval(const measure::Estimate& estimate);
/// Overall measures but for those that stand among the facts, and those of every class.
[[nodiscard]] std::string measure_tables(const measure::Report& report,
                                         const std::vector<std::string>& labels);
/// Counts, and shares of each true class.
[[nodiscard]] std::string confusion_tables(const measure::Measures& measures,
                                           const std::vector<std::string>& labels);
/// How often decisions are right, by their posterior.
[[nodiscard]] std::string calibration_table(const measure::Measures& measures, double level);

}  // namespace logodds::app
