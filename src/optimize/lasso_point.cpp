#include "optimize/lasso_point.hpp"

#include <cmath>

namespace logodds::optimize {

double absolute_cost(std::span<const double> costs, std::span<const double> theta) {
  double sum = 0.0;
  for (std::size_t i = 0; i < costs.size(); ++i) { sum += costs[i] * std::abs(theta[i]); }
  return sum;
}

void pseudo_gradient(std::span<const double> costs, std::span<const double> theta,
                     std::span<const double> gradient, std::span<double> out) {
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (theta[i] != 0.0) {
      out[i] = gradient[i] + std::copysign(costs[i], theta[i]);
    } else if (std::abs(gradient[i]) <= costs[i]) {
      out[i] = 0.0;
    } else {
      out[i] = gradient[i] - std::copysign(costs[i], gradient[i]);
    }
  }
}

void add_absolutes(std::span<const double> costs, double smooth, Point& point,
                   std::vector<double>& pseudo) {
  pseudo.resize(point.theta.size());
  pseudo_gradient(costs, point.theta, point.gradient, pseudo);
  point.value = smooth + absolute_cost(costs, point.theta);
  point.norm = largest(pseudo);
}

}  // namespace logodds::optimize
