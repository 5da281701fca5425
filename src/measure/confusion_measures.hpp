// What follows from a confusion matrix.
#pragma once

#include "logodds/measure/report.hpp"

namespace logodds::measure {

/// Error rate, accuracy, balanced accuracy, F1, Matthews, kappa, and of every class precision,
/// recall and F1. `found.classes` has an element a class.
void fill_confusion_measures(const Measures& measures, double level, Report& found);

}  // namespace logodds::measure
