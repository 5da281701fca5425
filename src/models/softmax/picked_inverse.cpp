#include "models/softmax/picked_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/kernels.hpp"

namespace logodds::models::softmax {

namespace {

/// Picks of the guesses, times rows x classes / parameters of a class: a guess then takes about as
/// long as that part of a pass over all rows.
constexpr double kPicksOfSample = 0.25;
constexpr double kPicksOfAll = 1.5;
/// Picks per unit of weight at most, of which a row has at most a quarter for a pair: more of them
/// would say no more.
constexpr double kMostRate = 16.0;
/// Of so many tiles of rows one is picked from.
constexpr std::size_t kEvery = 3;
/// Steps after which a guess is made anew: where classes are nearly separable the Hessian changes
/// all the way to the optimum.
constexpr std::size_t kSteps = 6;

/// sum_r w_r sum_{b < c} p_rb p_rc at theta, from some of the rows.
double overlap_of(const SoftmaxObjective& objective, std::span<const double> theta) {
  constexpr std::size_t kRows = 1024;
  const Problem& problem = objective.problem();
  const std::size_t classes = problem.classes;
  const std::size_t step = std::max<std::size_t>(problem.rows / kRows, 1);
  const std::size_t n = (problem.rows + step - 1) / step;
  std::vector<double> coefficients;
  std::vector<double> bias;
  objective.expand(theta, coefficients, bias);
  std::vector<double> p(n * classes);
  kernels::affine_scores(problem.x, n, problem.columns, step * problem.stride,
                         problem.center.data(), coefficients.data(), bias.data(), classes,
                         p.data());
  kernels::softmax_rows(p.data(), n, classes, nullptr);
  double overlap = 0.0;
  double weight = 0.0;
  for (std::size_t r = 0; r < n; ++r) {
    const double* const shares = p.data() + r * classes;
    const double w = problem.weights == nullptr ? 1.0 : problem.weights[r * step];
    overlap += w * 0.5 * (1.0 - std::inner_product(shares, shares + classes, shares, 0.0));
    weight += w;
  }
  return overlap * objective.weight() / weight;
}

/// That makes so many picks of these rows.
double rate_for(const SoftmaxObjective& objective, double picks, double overlap) {
  const double most =
      kMostRate * static_cast<double>(objective.problem().rows) / objective.weight();
  return picks < most * overlap ? picks / overlap : most;
}

/// As many picks as there are rows, classes and parameters for.
double picks_for(const SoftmaxObjective& objective) {
  const auto rows = static_cast<double>(objective.problem().rows);
  const auto classes = static_cast<double>(objective.free_classes());
  return rows * classes * classes / static_cast<double>(objective.dimension());
}

bool usable(const kernels::PairPicks& picks) {
  return !picks.curvature.empty() &&
         std::ranges::all_of(picks.curvature, [](double sum) { return std::isfinite(sum); });
}

}  // namespace

double PickedInverse::evaluate(std::span<const double> theta, std::span<double> gradient) {
  if (!picking_) { return objective_.evaluate_roughly(theta, gradient); }
  picks_ = {.rate = picks_.rate, .every = kEvery};
  at_.assign(theta.begin(), theta.end());
  return objective_.evaluate_roughly(theta, gradient, &picks_);
}

void PickedInverse::guess_by_sample(std::span<const double> theta) {
  const double overlap = overlap_of(sample_, theta);
  const double wanted = picks_for(objective_);
  kernels::PairPicks picks{.rate = rate_for(sample_, kPicksOfSample * wanted, overlap)};
  std::vector<double> gradient(theta.size());
  const double value = sample_.evaluate_roughly(theta, gradient, &picks);
  if (!std::isfinite(value) || !usable(picks)) {
    inverse_.emplace(other_());
    return;
  }
  inverse_.emplace(InverseHessian::of_pairs(sample_, picks));
  picks_.rate = rate_for(objective_, kPicksOfAll * wanted, overlap);
  picking_ = true;
}

bool PickedInverse::renew(std::span<const double> theta) {
  if (!inverse_) {
    guess_by_sample(theta);
    return true;
  }
  ++steps_;
  if (!picking_ || !std::ranges::equal(theta, at_)) {
    picking_ = picking_ || (picks_.rate > 0.0 && steps_ >= kSteps);
    return false;
  }
  picking_ = false;
  steps_ = 0;
  if (!usable(picks_)) { return false; }
  inverse_.emplace(InverseHessian::of_pairs(objective_, picks_));
  const double overlap = 0.5 * std::reduce(picks_.curvature.begin(), picks_.curvature.end());
  picks_.rate = rate_for(objective_, kPicksOfAll * picks_for(objective_), overlap);
  return true;
}

}  // namespace logodds::models::softmax
