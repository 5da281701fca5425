// logodds project MODEL DATA: every row on the axes of a model, or rebuilt from them, as CSV.
#pragma once

#include "arguments.hpp"

namespace logodds::app {

/// Model and data are the arguments.
void write_coordinates(const Arguments& arguments);

}  // namespace logodds::app
