#include "models/neural/training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "logodds/optimize/lbfgs.hpp"
#include "optimize/adam.hpp"

namespace logodds::models::neural {

namespace {

/// The loss of the rows held out, after every iteration.
class Watch {
 public:
  Watch(const NetRows* held_out, const NetPlan& plan, std::size_t patience, int threads)
      : patience_(patience) {
    if (held_out == nullptr) { return; }
    objective_.emplace(*held_out, plan, threads);
    weight_ = held_out->weight;
  }

  /// True when it is time to stop.
  bool enough(std::span<const double> theta) {
    if (!objective_) { return false; }
    const double loss = objective_->loss(theta) / weight_;
    if (loss < lowest_) {
      lowest_ = loss;
      best_.assign(theta.begin(), theta.end());
      waited_ = 0;
      return false;
    }
    return ++waited_ >= patience_;
  }

  /// Puts the best parameters in the place of the last ones.
  void settle(Outcome& outcome) const {
    if (best_.empty()) { return; }
    outcome.theta = best_;
    outcome.held_out_loss = lowest_;
  }

 private:
  std::optional<NetObjective> objective_;
  double weight_ = 1.0;
  std::size_t patience_;
  std::size_t waited_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity();
  std::vector<double> best_;
};

/// Thrown through the optimiser to end its work.
struct Enough {};

Outcome by_lbfgs(NetObjective& objective, const NetRows& rows, std::vector<double> start,
                 const TrainingSettings& settings, Watch& watch, linear::FitTrace& trace) {
  Outcome outcome;
  std::vector<double> last;  // where the objective was asked last: the point of every step told
  const optimize::LbfgsSettings lbfgs{.max_iterations = settings.max_iterations,
                                      .gradient_tolerance = settings.tolerance * rows.weight,
                                      .trace = [&](const optimize::Step& step) {
                                        trace.add(step);
                                        outcome.iterations = step.iteration;
                                        if (watch.enough(last)) { throw Enough{}; }
                                      }};
  try {
    auto result = optimize::minimize_lbfgs(
        optimize::ObjectiveFunction([&](std::span<const double> theta, std::span<double> gradient) {
          last.assign(theta.begin(), theta.end());
          return objective.evaluate(theta, gradient);
        }),
        std::move(start), lbfgs);
    outcome.theta = std::move(result.theta);
    outcome.converged = result.converged;
  } catch (const Enough&) {
    outcome.theta = last;
    outcome.converged = true;
  }
  return outcome;
}

Outcome by_adam(NetObjective& objective, const NetRows& rows, const std::vector<double>& start,
                const TrainingSettings& settings, Watch& watch, linear::FitTrace& trace) {
  Outcome outcome;
  const optimize::AdamSettings adam{
      .rows = rows.rows,
      .batch = settings.batch,
      .passes = settings.passes,
      .step = settings.step,
      .tolerance = settings.tolerance,
      .patience = settings.patience,
      .seed = settings.seed,
      .after_pass = [&](const optimize::Step& step, std::span<const double> theta) {
        trace.add({step.iteration, rows.weight * step.value, rows.weight * step.gradient_norm,
                   step.step});
        return watch.enough(theta);
      }};
  // Below this many multiply-adds a mini-batch is not worth a second thread.
  constexpr std::size_t kWorkForThreads = 400'000;
  const std::size_t work = std::min(settings.batch, rows.rows) * objective.dimension();
  parallel::Team::run(work > kWorkForThreads ? settings.threads : 1, [&](parallel::Team& team) {
    auto result = optimize::minimize_adam(
        [&](std::span<const double> theta, std::span<const std::uint32_t> members,
            std::span<double> gradient) {
          return objective.evaluate_batch(team, theta, members, gradient);
        },
        start, adam);
    outcome = {.theta = std::move(result.theta),
               .iterations = result.iterations,
               .converged = result.converged};
  });
  return outcome;
}

}  // namespace

TrainingSettings training_settings(const Options& options, const Context& context) {
  const auto count = [&](const char* name) {
    return static_cast<std::size_t>(options.integer(name));
  };
  return {.adam = options.choice("optimizer") == "adam",
          .tolerance = options.real("tolerance"),
          .max_iterations = count("max-iterations"),
          .passes = count("passes"),
          .batch = count("batch"),
          .step = options.real("step"),
          .patience = count("patience"),
          .seed = context.seed,
          .threads = context.threads};
}

Outcome trained(const NetRows& rows, const NetRows* held_out, const NetPlan& plan,
                std::vector<double> start, const TrainingSettings& settings,
                linear::FitTrace& trace) {
  NetObjective objective(rows, plan, settings.threads);
  Watch watch(held_out, plan, settings.patience, settings.threads);
  Outcome outcome = settings.adam
                        ? by_adam(objective, rows, start, settings, watch, trace)
                        : by_lbfgs(objective, rows, std::move(start), settings, watch, trace);
  watch.settle(outcome);
  std::vector<double> gradient(objective.dimension());
  outcome.objective = objective.evaluate(outcome.theta, gradient);
  for (const double value : gradient) {
    outcome.gradient_norm = std::max(outcome.gradient_norm, std::abs(value));
  }
  return outcome;
}

}  // namespace logodds::models::neural
