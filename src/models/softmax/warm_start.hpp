// --warm-start: the coefficients of another model as a start.
#pragma once

#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/models/concepts.hpp"
#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// Empty without a model to start from. Features that the model has not start at 0. Throws
/// Error(usage) that says what differs: the family, the columns or the classes.
[[nodiscard]] Start warm_start(const Context& context, const Schema& schema,
                               const std::vector<std::string>& features);

}  // namespace logodds::models::softmax
