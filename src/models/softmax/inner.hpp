// Between the user's coordinates and those in which the optimiser works.
#pragma once

#include <vector>

#include "logodds/optimize/lbfgs.hpp"
#include "logodds/optimize/objective.hpp"
#include "models/softmax/solve.hpp"
#include "models/softmax/whitening.hpp"

namespace logodds::models::softmax {

/// Classes with parameters of their own: K, or 1 for K = 2.
[[nodiscard]] inline std::size_t free_classes(std::size_t classes) {
  return classes == 2 ? 1 : classes;
}

/// ln of the classes' shares, those of the free classes; for K = 2 the log odds of the second.
[[nodiscard]] std::vector<double> log_priors(const FitRows& rows);

/// The parameters at which an optimiser starts: beta (D x F) and b (F, with an intercept). All
/// coefficients 0 and biases the log priors, unless there is a start.
[[nodiscard]] std::vector<double> inner_start(const FitRows& rows, const Wish& wish,
                                              const Start& start, const Whitening& whitening);

/// The start, or that of the shares of the classes where the start is worse: a model of other
/// units, say, from which no optimiser would find back.
[[nodiscard]] std::vector<double> better_start(const FitRows& rows, const Wish& wish,
                                               const Start& start, const Whitening& whitening,
                                               const optimize::ObjectiveFunction& objective);

/// l1_i scale_i for every parameter of column i, and 0 for intercepts.
[[nodiscard]] std::vector<double> costs_of(const std::vector<double>& l1,
                                           const std::vector<double>& scale, std::size_t free,
                                           std::size_t dimension);

/// With the numbers of the result. A number added to a coefficient in every class changes no
/// posterior; of all such the coefficients sum to 0, if `centered`, and the biases always.
[[nodiscard]] Solution finished(Solution solution, const optimize::Result& result,
                                std::size_t classes, bool centered);

}  // namespace logodds::models::softmax
