#include "models/softmax/solve.hpp"

#include <algorithm>
#include <cmath>

#include "models/softmax/by_rows.hpp"
#include "models/softmax/columns.hpp"
#include "models/softmax/iis.hpp"
#include "models/softmax/inner.hpp"
#include "models/softmax/objective.hpp"
#include "models/softmax/run.hpp"
#include "models/softmax/sampled.hpp"
#include "models/softmax/sparse_objective.hpp"
#include "models/softmax/whitening.hpp"

namespace logodds::models::softmax {

namespace {

/// Numbers in the rows up to which a copy of them, whitened or spread out, costs next to nothing.
constexpr std::size_t kCopied = std::size_t{1} << 20U;

/// Sparse rows spread out.
DesignRows dense(const FitRows& rows, std::vector<double>& scratch) {
  if (!rows.is_sparse()) { return rows.x; }
  scratch.assign(rows.rows * rows.columns, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    double* const row = scratch.data() + r * rows.columns;
    for (std::size_t i = rows.sparse.starts[r]; i < rows.sparse.starts[r + 1]; ++i) {
      row[rows.sparse.indices[i]] = rows.sparse.values[i];
    }
  }
  return {scratch.data(), rows.rows, rows.columns, rows.columns};
}

/// More columns than are rotated, so that spread out they have no better coordinates; too many for
/// Newton's method; and few values among them.
bool mostly_zeros(const FitRows& rows) {
  constexpr std::size_t kFew = 8;  // a value takes as long as so many of a spread row
  const std::size_t values = rows.sparse.starts[rows.rows] - rows.sparse.starts[0];
  return rows.columns > kMostRotated &&
         rows.columns * free_classes(rows.classes) > kMostForNewton &&
         values * kFew < rows.rows * rows.columns;
}

Task task_of(SoftmaxObjective& objective, double weight) {
  const Problem& problem = objective.problem();
  const auto n = static_cast<double>(objective.dimension());
  return {
      .dimension = objective.dimension(),
      .rows = problem.rows,
      .weight = weight,
      .evaluate = [&objective](auto theta,
                               auto gradient) { return objective.evaluate(theta, gradient); },
      .hessian = [&objective](auto theta, auto out) { objective.hessian(theta, out); },
      .hessian_work = static_cast<double>(problem.rows) * n * n / 4.0,
      .batch = [&objective](auto theta, auto rows,
                            auto gradient) { objective.batch_gradient(theta, rows, gradient); }};
}

/// On rows in coordinates in which the problem is well conditioned: a whitened copy, or, where the
/// coordinates must stay the user's up to their scale, the rows where they lie.
Solution solve_inner(const FitRows& rows, const Wish& wish, const Start& start,
                     linear::FitTrace& trace) {
  std::vector<double> scratch;
  const DesignRows x = dense(rows, scratch);
  const Penalty penalty = penalty_of(rows, wish);
  std::vector<double> ridge = penalty.decay;
  for (double& r : ridge) { r *= 2.0 / (kTypicalCurvature * rows.weight); }
  const Whitening whitening = whiten(x, rows.weights, ridge, wish.intercept, wish.l1 == 0.0);
  const bool copied = !whitening.rotation.empty();
  std::vector<double> z;
  if (copied) { z = whitening.apply(x.data, x.rows, x.stride); }
  const std::vector<double> zeros(rows.columns, 0.0);
  const Problem problem{.rows = x.rows,
                        .columns = rows.columns,
                        .classes = rows.classes,
                        .x = copied ? z.data() : x.data,
                        .stride = copied ? rows.columns : x.stride,
                        .center = copied ? zeros : whitening.center,
                        .scale = copied ? std::vector<double>{} : whitening.scale,
                        .labels = rows.labels,
                        .weights = rows.weights,
                        .decay = whitening.decay(penalty.decay),
                        .intercept = wish.intercept,
                        .threads = rows.threads};
  SoftmaxObjective objective(problem);
  Task task = task_of(objective, rows.weight);
  if (wish.l1 > 0.0) {
    task.costs = costs_of(penalty.l1, whitening.scale, objective.free_classes(), task.dimension);
  }
  auto outcome = run(task, wish, better_start(rows, wish, start, whitening, task.evaluate), trace);
  std::vector<double> coefficients;
  std::vector<double> bias;
  objective.expand(outcome.result.theta, coefficients, bias);
  if (copied) { coefficients = whitening.in_user_units(coefficients, rows.classes); }
  return finished({.center = whitening.center,
                   .coefficients = std::move(coefficients),
                   .bias = std::move(bias),
                   .optimizer = outcome.optimizer},
                  outcome.result, rows.classes, wish.l1 == 0.0);
}

Solution iis(const FitRows& rows, const Wish& wish, const Start& start, linear::FitTrace& trace) {
  std::vector<double> scratch;
  FitRows spread = rows;
  spread.x = dense(rows, scratch);
  spread.sparse = {};
  return solve_iis(spread, wish, start, trace);
}

}  // namespace

bool has_hessian(const FitRows& rows) {
  constexpr std::size_t kMostSpread = 16;  // times kCopied
  return !rows.is_sparse() ||
         rows.rows <= kMostSpread * kCopied / std::max<std::size_t>(rows.columns, 1);
}

Solution solve(const FitRows& rows, const Wish& wish, const Start& start, linear::FitTrace& trace) {
  if (wish.optimizer == "iis") { return iis(rows, wish, start, trace); }
  const bool large = rows.rows > kCopied / std::max<std::size_t>(rows.columns, 1);
  const bool quasi_newton = wish.optimizer == "auto" || wish.optimizer == "lbfgs";
  if (large && quasi_newton && wish.l1 == 0.0) {
    // A start need not lie in the span of the rows.
    if (start.coefficients.empty() && fits_by_rows(rows, wish)) {
      return solve_by_rows(rows, wish, trace);
    }
    if (!rows.is_sparse() && fits_by_sample(rows)) {
      return solve_sampled(rows, wish, start, trace);
    }
  }
  if (!has_hessian(rows) || (rows.is_sparse() && quasi_newton && mostly_zeros(rows))) {
    return solve_sparse(rows, wish, start, trace);
  }
  return solve_inner(rows, wish, start, trace);
}

}  // namespace logodds::models::softmax
