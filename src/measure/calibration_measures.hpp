// What follows from calibration curves: the parts of the Brier score, expected calibration error.
#pragma once

#include "logodds/measure/report.hpp"

namespace logodds::measure {

/// The decomposition of the Brier score and the calibration errors. `found.classes` has an element
/// a class; `found.brier` is there.
void fill_calibration_measures(const Measures& measures, double level, Report& found);

}  // namespace logodds::measure
