// What the user should know of a fit.
#pragma once

#include <string>
#include <vector>

#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// Only the decay, if there is one, bounds the coefficients.
[[nodiscard]] bool nearly_separable(const Solution& solution, const FitRows& rows);
/// Which optimiser was taken, whether it converged and what to do if not, near-separable classes.
void note_outcome(const Solution& solution, const Wish& wish, const FitRows& rows,
                  std::vector<std::string>& notes);

}  // namespace logodds::models::softmax
