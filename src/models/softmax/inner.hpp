// Between the user's coordinates and those in which the optimiser works.
#pragma once

#include <vector>

#include "logodds/optimize/objective.hpp"
#include "models/softmax/solve.hpp"
#include "models/softmax/whitening.hpp"

namespace logodds::models::softmax {

/// Classes with parameters of their own: K, or 1 for K = 2.
[[nodiscard]] inline std::size_t free_classes(std::size_t classes) {
  return classes == 2 ? 1 : classes;
}

/// Second derivative of a row's loss along one class's score, p (1 - p), at a typical p.
inline constexpr double kTypicalCurvature = 0.1;

/// Of numbers that every class may have added to, row by row of `classes`, those that sum to 0.
void remove_class_means(std::vector<double>& values, std::size_t classes);

/// ln of the classes' shares, those of the free classes; for K = 2 the log odds of the second.
[[nodiscard]] std::vector<double> log_priors(const FitRows& rows);

/// The parameters at which an optimiser starts, beta (D x F) and b (F, with an intercept): those of
/// the start, or where there is none, or a worse one, coefficients of 0 and the log priors. A model
/// of other units, say, is one from which no optimiser would find back.
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
