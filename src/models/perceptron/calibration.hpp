// Scores of a perceptron are no log odds; one number makes of them the best that it can.
#pragma once

#include <span>

#include "models/perceptron/inner_rows.hpp"

namespace logodds::models::perceptron {

/// The b > 0 for which softmax(b scores) gives the training rows the largest likelihood. As in
/// Platt, "Probabilistic outputs for support vector machines" (1999), a row of class y counts as
/// (N_y + 1) / (N_y + K) of y and 1 / (N_y + K) of each other class, N_y being the weight of y's
/// rows: so b is finite where no row is mistaken. Where b <= 0 would be best it is so small that
/// posteriors are all but equal, and decisions stay those of the scores. `scores` rows x classes.
[[nodiscard]] double fitted_scale(std::span<const double> scores, std::size_t classes,
                                  const InnerRows& rows);

}  // namespace logodds::models::perceptron
