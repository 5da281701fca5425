// What the two optimisers with absolute values share.
#pragma once

#include <span>

#include "optimize/point.hpp"

namespace logodds::optimize {

/// sum_i c_i |theta_i|
[[nodiscard]] double absolute_cost(std::span<const double> costs, std::span<const double> theta);

/// The element of the subdifferential of f + sum c |theta| that is nearest to 0.
void pseudo_gradient(std::span<const double> costs, std::span<const double> theta,
                     std::span<const double> gradient, std::span<double> out);

/// value and norm of `point`, whose gradient is that of f alone, with the absolute values in them.
/// `pseudo` receives the pseudo-gradient.
void add_absolutes(std::span<const double> costs, double smooth, Point& point,
                   std::vector<double>& pseudo);

}  // namespace logodds::optimize
