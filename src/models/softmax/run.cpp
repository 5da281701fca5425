#include "models/softmax/run.hpp"

#include <algorithm>
#include <array>

#include "logodds/error.hpp"
#include "logodds/optimize/bfgs.hpp"
#include "logodds/optimize/descent.hpp"
#include "logodds/optimize/lasso.hpp"
#include "logodds/optimize/lbfgs.hpp"

namespace logodds::models::softmax {

namespace {

constexpr double kMostWork = 2.5e7;           // multiply-adds of one Hessian, for `auto`
constexpr std::size_t kMostForMatrix = 5000;  // parameters, for an optimiser with a matrix at all
constexpr double kFinalShare = 1e-7;  // what Newton's method makes of the tolerance in passing
constexpr double kHandOver = 1e-6;    // gradient per unit of weight at which it takes over

void check_matrix(const Task& task, const Wish& wish) {
  if (task.dimension <= kMostForMatrix && task.hessian) { return; }
  throw Error(ErrorCode::usage, "--optimizer " + wish.optimizer + " would need a matrix of " +
                                    std::to_string(task.dimension) + " x " +
                                    std::to_string(task.dimension) +
                                    " numbers for these columns and classes; take --optimizer "
                                    "lbfgs or auto");
}

optimize::Result by_newton(const Task& task, double tolerance, const Wish& wish,
                           std::vector<double> start, linear::FitTrace& trace) {
  return optimize::minimize_newton(task.evaluate, task.hessian, std::move(start),
                                   {.max_iterations = wish.max_iterations,
                                    .gradient_tolerance = tolerance,
                                    .trace = trace.observer()});
}

Outcome newton(const Task& task, const Wish& wish, std::vector<double> start,
               linear::FitTrace& trace) {
  check_matrix(task, wish);
  const double tolerance = wish.tolerance * task.weight;
  auto result = by_newton(task, kFinalShare * tolerance, wish, std::move(start), trace);
  result.converged = result.converged || result.gradient_norm <= tolerance;
  return {std::move(result), "newton"};
}

Outcome lbfgs(const Task& task, const Wish& wish, std::vector<double> start,
              linear::FitTrace& trace) {
  return {optimize::minimize_lbfgs(task.evaluate, std::move(start),
                                   {.max_iterations = wish.max_iterations,
                                    .gradient_tolerance = wish.tolerance * task.weight,
                                    .inverse = task.inverse,
                                    .renew = task.renew,
                                    .rough = task.rough,
                                    .rough_in_singles = true,
                                    .trace = trace.observer()}),
          "lbfgs"};
}

/// What L-BFGS leaves over.
Outcome newton_after(Outcome before, const Task& task, double tolerance, const Wish& wish,
                     linear::FitTrace& trace) {
  const std::size_t done = before.result.iterations;
  trace.next_optimizer();
  Wish rest = wish;
  rest.max_iterations -= done;
  auto result = by_newton(task, tolerance, rest, std::move(before.result.theta), trace);
  result.converged = result.converged || result.gradient_norm <= wish.tolerance * task.weight;
  result.iterations += done;
  return {std::move(result), done > 0 ? "lbfgs, then newton" : "newton"};
}

/// L-BFGS, and Newton's method for the last digits where its matrix costs little: near-separable
/// classes leave directions of almost no curvature, along which L-BFGS creeps. Where it costs as
/// much as many passes it serves when L-BFGS does not end: rows with values or weights far beyond
/// the others have a Hessian that no sample tells of.
Outcome automatic(const Task& task, const Wish& wish, std::vector<double> start,
                  linear::FitTrace& trace) {
  constexpr std::size_t kEnough = 200;  // iterations of L-BFGS before Newton's method
  constexpr std::size_t kMany = 100;    // the same where a Hessian takes as long as some of them
  const bool small = task.hessian && task.dimension <= kMostForNewton;
  const bool cheap = task.hessian_work <= kMostWork;
  const std::size_t most = cheap ? kEnough : kMany;
  if (!small || wish.max_iterations <= most) { return lbfgs(task, wish, std::move(start), trace); }
  Wish first = wish;
  first.max_iterations = most;
  if (cheap) { first.tolerance = std::max(wish.tolerance, kHandOver); }
  auto outcome = lbfgs(task, first, std::move(start), trace);
  if (!cheap && outcome.result.converged) { return outcome; }
  const double tolerance = wish.tolerance * task.weight;
  return newton_after(std::move(outcome), task, cheap ? kFinalShare * tolerance : tolerance, wish,
                      trace);
}

Outcome bfgs(const Task& task, const Wish& wish, std::vector<double> start,
             linear::FitTrace& trace) {
  check_matrix(task, wish);
  return {optimize::minimize_bfgs(task.evaluate, std::move(start),
                                  {.max_iterations = wish.max_iterations,
                                   .gradient_tolerance = wish.tolerance * task.weight,
                                   .trace = trace.observer()}),
          "bfgs"};
}

/// Steps are per unit of weight, so that the same one fits few rows and many.
Outcome descent(const Task& task, const Wish& wish, double step, std::vector<double> start,
                linear::FitTrace& trace) {
  return {optimize::minimize_descent(task.evaluate, std::move(start),
                                     {.step = step / task.weight,
                                      .max_iterations = wish.max_iterations,
                                      .gradient_tolerance = wish.tolerance * task.weight,
                                      .trace = trace.observer()}),
          wish.optimizer};
}

Outcome gradient_descent(const Task& task, const Wish& wish, std::vector<double> start,
                         linear::FitTrace& trace) {
  return descent(task, wish, wish.step, std::move(start), trace);
}

Outcome line_search(const Task& task, const Wish& wish, std::vector<double> start,
                    linear::FitTrace& trace) {
  return descent(task, wish, 0.0, std::move(start), trace);
}

Outcome stochastic(const Task& task, const Wish& wish, std::vector<double> start,
                   linear::FitTrace& trace) {
  return {optimize::minimize_stochastic(task.evaluate, task.batch, task.rows, std::move(start),
                                        {.step = wish.step,
                                         .batch = wish.batch,
                                         .passes = wish.passes,
                                         .seed = wish.seed,
                                         .gradient_tolerance = wish.tolerance * task.weight,
                                         .trace = trace.observer()}),
          "sgd"};
}

using Runner = Outcome (*)(const Task&, const Wish&, std::vector<double>, linear::FitTrace&);
struct Named {
  const char* name;
  Runner run;
};
constexpr std::array<Named, 8> kRunners = {{{"auto", automatic},
                                            {"gradient-descent", gradient_descent},
                                            {"line-search", line_search},
                                            {"sgd", stochastic},
                                            {"bfgs", bfgs},
                                            {"lbfgs", lbfgs},
                                            {"newton", newton},
                                            {"irls", newton}}};

/// Absolute values: Newton's method with coordinate descent where its matrix is small, else OWL-QN.
Outcome run_lasso(const Task& task, const Wish& wish, std::vector<double> start,
                  linear::FitTrace& trace) {
  const bool named_newton = wish.optimizer == "newton" || wish.optimizer == "irls";
  if (!named_newton && wish.optimizer != "auto" && wish.optimizer != "lbfgs") {
    throw Error(ErrorCode::usage, "no optimizer '" + wish.optimizer + "' for absolute values");
  }
  if (named_newton) { check_matrix(task, wish); }
  const optimize::LassoSettings settings{.max_iterations = wish.max_iterations,
                                         .gradient_tolerance = wish.tolerance * task.weight,
                                         .trace = trace.observer()};
  const bool small =
      task.hessian && task.dimension <= kMostForNewton && task.hessian_work <= kMostWork;
  if (named_newton || (wish.optimizer == "auto" && small)) {
    optimize::LassoSettings exact = settings;
    exact.gradient_tolerance *= kFinalShare;
    auto result = optimize::minimize_proximal_newton(task.evaluate, task.hessian, task.costs,
                                                     std::move(start), exact);
    result.converged = result.gradient_norm <= settings.gradient_tolerance;
    return {std::move(result), "proximal newton"};
  }
  return {optimize::minimize_owlqn(task.evaluate, task.costs, std::move(start), settings),
          "owl-qn"};
}

}  // namespace

Outcome run(const Task& task, const Wish& wish, std::vector<double> start,
            linear::FitTrace& trace) {
  if (!task.costs.empty()) { return run_lasso(task, wish, std::move(start), trace); }
  const auto* const found = std::ranges::find_if(
      kRunners, [&](const Named& named) { return wish.optimizer == named.name; });
  if (found == kRunners.end()) {
    throw Error(ErrorCode::usage, "there is no optimizer '" + wish.optimizer + "'");
  }
  return found->run(task, wish, std::move(start), trace);
}

}  // namespace logodds::models::softmax
