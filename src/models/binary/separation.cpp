#include "models/binary/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/data/schema.hpp"
#include "models/linear/separation.hpp"

namespace logodds::models::binary {

namespace {

/// Smallest and largest eta of a class.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

/// Whether a threshold (0 without an intercept) lies between the classes.
bool tells_apart(const Problem& problem, const std::vector<double>& eta, bool intercept) {
  Range first;
  Range second;
  for (std::size_t r = 0; r < problem.rows; ++r) {
    Range& range = problem.labels[r] == 1 ? second : first;
    range.low = std::min(range.low, eta[r]);
    range.high = std::max(range.high, eta[r]);
  }
  return intercept ? first.high < second.low : first.high < 0.0 && second.low > 0.0;
}

/// Whether a step moves some rows, and none to the wrong side.
bool leads_on(const Problem& problem, const std::vector<double>& change) {
  constexpr double kMoves = 1e-3;  // a step at an optimum is smaller by orders of magnitude
  constexpr double kWrong = 1e-3;  // of the largest move: what rows on the boundary are moved
  double forward = 0.0;
  double backward = 0.0;
  for (std::size_t r = 0; r < problem.rows; ++r) {
    const double move = problem.labels[r] == 1 ? change[r] : -change[r];
    forward = std::max(forward, move);
    backward = std::max(backward, -move);
  }
  return forward > kMoves && backward <= kWrong * forward;
}

}  // namespace

std::optional<Separation> separation(const BinaryObjective& objective, const Problem& problem,
                                     bool intercept, const std::vector<double>& beta,
                                     const std::vector<double>& step) {
  if (tells_apart(problem, objective.linear(beta), intercept)) { return Separation{beta, true}; }
  if (leads_on(problem, objective.linear(step))) { return Separation{step, false}; }
  return std::nullopt;
}

std::string direction_text(const Coordinates& coordinates, const std::vector<std::string>& names,
                           const std::vector<double>& direction) {
  std::vector<double> parts = coordinates.in_user_units(direction);
  for (std::size_t i = 0; i < parts.size(); ++i) { parts[i] *= coordinates.spread[i]; }
  return linear::direction_text(parts, names);
}

}  // namespace logodds::models::binary
