// --k auto: the k that decides the training rows best when none votes on itself.
#pragma once

#include <vector>

#include "logodds/models/learner.hpp"
#include "models/neighbors/comparison.hpp"

namespace logodds::models::neighbors {

/// The weight of the training rows that are decided wrongly by the others, for k = 1, ..., most. Of
/// a row of weight w a row of weight w - 1 stays, for it is the row w times.
[[nodiscard]] std::vector<double> leave_one_out(const Comparison& comparison, std::size_t classes,
                                                const Wish& wish, std::size_t most,
                                                const Context& context);

/// The least k of least error in the range of the wish. The curve goes to the report.
[[nodiscard]] std::size_t chosen_k(const Comparison& comparison, std::size_t classes,
                                   const Wish& wish, const Context& context, FitReport& report);

}  // namespace logodds::models::neighbors
