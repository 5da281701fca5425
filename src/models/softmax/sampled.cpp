#include "models/softmax/sampled.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "logodds/optimize/lbfgs.hpp"
#include "logodds/stats/variance.hpp"
#include "models/softmax/columns.hpp"
#include "models/softmax/inner.hpp"
#include "models/softmax/inverse_hessian.hpp"
#include "models/softmax/objective.hpp"
#include "models/softmax/picked_inverse.hpp"
#include "models/softmax/run.hpp"
#include "models/softmax/sample.hpp"
#include "parallel/team.hpp"

namespace logodds::models::softmax {

namespace {

/// Rows of the sample: more where their Hessian costs little against a pass over all rows.
constexpr std::size_t kFewParameters = 100;
constexpr std::size_t kSampleOfFew = 49152;
constexpr std::size_t kSampleOfMany = 8192;
/// Iterations on a sample: to its optimum, or near enough to leave it.
constexpr std::size_t kSampleIterations = 100;
constexpr std::size_t kRoughIterations = 8;
/// Rows of a class's block, per column, and numbers in the rows that they are picked from.
constexpr std::size_t kPickedAtFirst = 3;
constexpr std::size_t kPickedLater = 5;
constexpr std::size_t kMostCandidates = std::size_t{1} << 26U;
constexpr std::size_t kMostNumbered = std::size_t{1} << 32U;  // rows, by numbers of 32 bits

/// Means and variances by a sample, where it tells every variance to a tenth: the error of a
/// variance is sqrt((kurtosis - 1) / n) of it. Nothing where some column hardly varies, or in few
/// rows only, or rows have weights.
std::optional<ColumnSpread> spread_by_sample(const FitRows& rows, const Sample& sample) {
  constexpr double kErrors = 100.0;  // 1 / .1^2
  const std::size_t count = sample.labels.size();
  if (rows.rows < 4 * count || rows.weights != nullptr) { return {}; }
  const std::size_t d = rows.columns;
  const auto n = static_cast<double>(count);
  const double* const first = sample.x.data();
  std::vector<double> sums(2 * d, 0.0);
  const auto for_each_row = [&](const auto& add) {
    for (std::size_t s = 0; s < count; ++s) {
      const double* const x = first + s * d;
      for (std::size_t i = 0; i < d; ++i) { add(i, x[i]); }
    }
  };
  ColumnSpread spread{std::vector<double>(first, first + d), std::vector<double>(d)};
  for_each_row([&](std::size_t i, double x) { sums[i] += x - first[i]; });
  for (std::size_t i = 0; i < d; ++i) { spread.mean[i] += sums[i] / n; }
  std::fill(sums.begin(), sums.end(), 0.0);
  for_each_row([&](std::size_t i, double x) {
    const double square = (x - spread.mean[i]) * (x - spread.mean[i]);
    sums[i] += square;
    sums[d + i] += square * square;
  });
  for (std::size_t i = 0; i < d; ++i) {
    spread.variance[i] = sums[i] / n;
    const double kurtosis = n * sums[d + i] / (sums[i] * sums[i]);
    const bool varies = !has_no_variance(spread.variance[i], std::abs(spread.mean[i]));
    if (!varies || !(kErrors * (kurtosis - 1.0) <= n)) { return {}; }
  }
  return spread;
}

/// Standardised coordinates, about: any will do that make the objective well conditioned.
Whitening standardized(const FitRows& rows, const Sample& sample, const Penalty& penalty,
                       bool centered) {
  const auto sampled = spread_by_sample(rows, sample);
  const ColumnSpread spread = sampled ? *sampled : column_spread(rows);
  Whitening whitening;
  for (std::size_t i = 0; i < rows.columns; ++i) {
    const double around_zero = centered ? 0.0 : spread.mean[i] * spread.mean[i];
    const double size = spread.variance[i] + around_zero +
                        2.0 * penalty.decay[i] / (kTypicalCurvature * rows.weight);
    whitening.center.push_back(centered ? spread.mean[i] : 0.0);
    whitening.scale.push_back(std::isnormal(size) ? 1.0 / std::sqrt(size) : 1.0);
  }
  return whitening;
}

/// What the sample's second moments lack against those of all rows, which are about 1: a column
/// that hardly varies in the sample must not seem to be flat.
std::vector<double> lacking(const Problem& sample, double weight, std::size_t free) {
  std::vector<double> extra((sample.columns + (sample.intercept ? 1 : 0)) * free, 0.0);
  std::vector<double> moments(sample.columns, 0.0);
  for (std::size_t r = 0; r < sample.rows; ++r) {
    const double share = sample.weights[r] / weight;
    const double* const x = sample.x + r * sample.stride;
    for (std::size_t i = 0; i < sample.columns; ++i) {
      const double z = (x[i] - sample.center[i]) * sample.scale[i];
      moments[i] += share * z * z;
    }
  }
  for (std::size_t i = 0; i < sample.columns; ++i) {
    const double lack = std::max(0.0, 0.5 - moments[i]) * kTypicalCurvature * weight;
    std::fill_n(extra.begin() + static_cast<std::ptrdiff_t>(i * free), free, lack);
  }
  return extra;
}

/// What pulls to the start, against the rows of a sample.
double pull_of(const FitRows& rows, std::size_t count) {
  return 0.5 * rows.weight / static_cast<double>(count);
}

/// The optimum of the sample, to the digits that matter, with a weak pull to the start: rows that
/// are separable in the sample need not be so in all.
std::vector<double> sample_optimum(SoftmaxObjective& objective, const std::vector<double>& start,
                                   double pull, const InverseHessian& inverse,
                                   std::size_t iterations) {
  const auto pulled = [&](auto evaluate) {
    return [&, evaluate](std::span<const double> theta, std::span<double> gradient) {
      double value = evaluate(theta, gradient);
      for (std::size_t i = 0; i < theta.size(); ++i) {
        const double off = theta[i] - start[i];
        value += pull * off * off;
        gradient[i] += 2.0 * pull * off;
      }
      return value;
    };
  };
  const bool many = objective.free_classes() > 1;
  // The optimum of all rows lies farther from that of the sample than either of these.
  const double enough = many ? 1e-2 : 3e-3;
  optimize::LbfgsSettings settings{.max_iterations = iterations,
                                   .gradient_tolerance = 0.0,
                                   .relative_gradient_tolerance = enough,
                                   .inverse = [&](std::span<double> v) { inverse.apply(v); }};
  if (many) {
    settings.rough = pulled(
        [&](auto theta, auto gradient) { return objective.evaluate_roughly(theta, gradient); });
  }
  const auto exact =
      pulled([&](auto theta, auto gradient) { return objective.evaluate(theta, gradient); });
  return optimize::minimize_lbfgs(exact, start, settings).theta;
}

/// A problem of some of its rows.
class Sampled {
 public:
  Sampled(const FitRows& rows, const Problem& problem, Sample sample)
      : sample_(std::move(sample)), problem_(problem), objective_(parts(problem)) {
    extra_ = lacking(problem_, rows.weight, objective_.free_classes());
  }
  [[nodiscard]] SoftmaxObjective& objective() { return objective_; }
  [[nodiscard]] const std::vector<double>& extra() const { return extra_; }
  [[nodiscard]] std::vector<double> extra_with(double pull) const {
    auto sum = extra_;
    for (double& e : sum) { e += 2.0 * pull; }
    return sum;
  }

 private:
  const Problem& parts(const Problem& problem) {
    problem_.rows = sample_.labels.size();
    problem_.x = sample_.x.data();
    problem_.stride = problem.columns;
    problem_.labels = sample_.labels.data();
    problem_.weights = sample_.weights.data();
    return problem_;
  }

  Sample sample_;
  Problem problem_;
  SoftmaxObjective objective_;
  std::vector<double> extra_;
};

/// Few parameters of three and more classes: the whole Hessian, from rows that the passes pick.
Outcome run_picked(parallel::Team& /*team*/, const FitRows& rows, Sample drawn,
                   SoftmaxObjective& objective, Task& task, const Wish& wish,
                   std::vector<double> theta, bool cold, linear::FitTrace& trace) {
  const double pull = pull_of(rows, drawn.labels.size());
  Sampled sample(rows, objective.problem(), std::move(drawn));
  if (cold) {
    const auto plain = InverseHessian::plain(sample.objective(), sample.extra_with(pull));
    theta = sample_optimum(sample.objective(), theta, pull, plain, kSampleIterations);
  }
  const std::function<InverseHessian()> of_sample = [&sample, start = theta] {
    return InverseHessian::at(sample.objective(), start, sample.extra());
  };
  PickedInverse inverse(objective, sample.objective(), of_sample);
  task.rough = [&](auto at, auto gradient) { return inverse.evaluate(at, gradient); };
  task.renew = [&](auto at) { return inverse.renew(at); };
  task.inverse = [&](std::span<double> v) { inverse.apply(v); };
  return run(task, wish, std::move(theta), trace);
}

/// Few parameters: the whole Hessian of a sample.
Outcome run_whole(parallel::Team& team, const FitRows& rows, Sample drawn,
                  SoftmaxObjective& objective, Task& task, const Wish& wish,
                  std::vector<double> theta, bool cold, linear::FitTrace& trace) {
  const bool few = objective.dimension() <= kFewParameters;
  const std::size_t count = drawn.labels.size();
  Sampled sample(rows, objective.problem(), std::move(drawn));
  if (cold) {
    const double pull = pull_of(rows, count);
    const auto plain = InverseHessian::plain(sample.objective(), sample.extra_with(pull));
    theta = sample_optimum(sample.objective(), theta, pull, plain, kSampleIterations);
  }
  const auto inverse = [&] {
    const std::size_t more = std::min(rows.rows / 4, kSampleOfFew);
    if (few && more > 2 * count) {
      const auto rough = InverseHessian::at(sample.objective(), theta, sample.extra());
      Sampled larger(rows, objective.problem(), draw(team, rows, more));
      if (cold) {
        theta = sample_optimum(larger.objective(), theta, pull_of(rows, more), rough,
                               kSampleIterations);
      }
      return InverseHessian::at(larger.objective(), theta, larger.extra());
    }
    if (few || rows.rows < 4 * count) {
      return InverseHessian::at(sample.objective(), theta, sample.extra());
    }
    // At the optimum of a sample its own rows seem more certain, and less curved, than others.
    Sampled others(rows, objective.problem(), draw(team, rows, count, 1));
    return InverseHessian::at(others.objective(), theta, others.extra());
  }();
  task.inverse = [&](std::span<double> v) { inverse.apply(v); };
  return run(task, wish, std::move(theta), trace);
}

/// Many parameters: the Hessian's blocks, in rounds. Each begins with the blocks at the point where
/// the last one ended; a sample's optimum is that of other rows, too certain of its own ones.
Outcome run_in_rounds(parallel::Team& team, const FitRows& rows, Sample drawn,
                      SoftmaxObjective& objective, Task& task, const Wish& wish,
                      std::vector<double> theta, bool cold, linear::FitTrace& trace) {
  constexpr std::size_t kFirstRound = 5;  // iterations, before there are blocks
  constexpr std::size_t kSecondRound = 10;
  const std::size_t count = drawn.labels.size();
  Sampled sample(rows, objective.problem(), std::move(drawn));
  const double pull = pull_of(rows, count);
  auto inverse = InverseHessian::plain(sample.objective(), sample.extra_with(pull));
  if (cold) { theta = sample_optimum(sample.objective(), theta, pull, inverse, kRoughIterations); }
  const std::size_t candidates = std::max(kMostCandidates / rows.columns, count);
  std::optional<Sampled> larger;
  if (candidates < rows.rows) {
    larger.emplace(rows, objective.problem(), draw(team, rows, candidates));
  }
  const SoftmaxObjective& picked = larger ? larger->objective() : objective;
  const std::vector<double> extra =
      larger ? larger->extra() : std::vector<double>(objective.dimension(), 0.0);
  task.inverse = [&](std::span<double> v) { inverse.apply(v); };
  Wish part = wish;
  Outcome outcome;
  std::size_t done = 0;
  std::size_t length = kFirstRound;
  std::size_t taken = kPickedAtFirst * rows.columns;
  while (true) {
    part.max_iterations = std::min(length, wish.max_iterations - done);
    outcome = run(task, part, std::move(theta), trace);
    done += outcome.result.iterations;
    const bool stuck = outcome.result.iterations < part.max_iterations;
    if (outcome.result.converged || stuck || done >= wish.max_iterations) { break; }
    trace.next_optimizer();
    theta = std::move(outcome.result.theta);
    inverse = InverseHessian::picked(picked, theta, extra, taken);
    length = length == kFirstRound ? kSecondRound : 4 * length;
    taken = kPickedLater * rows.columns;
  }
  outcome.result.iterations = done;
  return outcome;
}

}  // namespace

bool fits_by_sample(const FitRows& rows) {
  constexpr std::size_t kMostColumns = 1024;
  return rows.columns <= kMostColumns && rows.rows >= 4 * rows.columns;
}

namespace {

Solution solve_by(parallel::Team& team, const FitRows& rows, const Wish& wish, const Start& start,
                  linear::FitTrace& trace) {
  const Penalty penalty = penalty_of(rows, wish);
  Sample sample = draw(team, rows, std::min(rows.rows, kSampleOfMany));
  const Whitening whitening = standardized(rows, sample, penalty, wish.intercept);
  const Problem problem{.rows = rows.rows,
                        .columns = rows.columns,
                        .classes = rows.classes,
                        .x = rows.x.data,
                        .stride = rows.x.stride,
                        .center = whitening.center,
                        .scale = whitening.scale,
                        .labels = rows.labels,
                        .weights = rows.weights,
                        .decay = whitening.decay(penalty.decay),
                        .intercept = wish.intercept,
                        .threads = rows.threads,
                        .team = &team};
  SoftmaxObjective objective(problem);
  const std::size_t free = objective.free_classes();
  auto theta = better_start(rows, wish, start, whitening, [&](auto at, auto gradient) {
    return objective.evaluate(at, gradient);
  });
  if (free > 1) { remove_class_means(theta, free); }

  const auto n = static_cast<double>(objective.dimension());
  Task task{.dimension = objective.dimension(),
            .rows = rows.rows,
            .weight = rows.weight,
            .evaluate = [&](auto at, auto gradient) { return objective.evaluate(at, gradient); },
            .hessian = [&](auto at, auto out) { objective.hessian(at, out); },
            .hessian_work = static_cast<double>(rows.rows) * n * n / 4.0};
  if (free > 1) {  // one score takes less time than to read its row
    task.rough = [&](auto at, auto gradient) { return objective.evaluate_roughly(at, gradient); };
  }
  const bool picked = free > 1 && objective.floats_hold_weights() && rows.rows < kMostNumbered;
  const auto optimize = objective.dimension() > InverseHessian::kMostWhole ? run_in_rounds
                        : picked                                           ? run_picked
                                                                           : run_whole;
  const auto outcome = optimize(team, rows, std::move(sample), objective, task, wish,
                                std::move(theta), start.coefficients.empty(), trace);
  Solution solution{.center = whitening.center, .optimizer = outcome.optimizer};
  objective.expand(outcome.result.theta, solution.coefficients, solution.bias);
  return finished(std::move(solution), outcome.result, rows.classes, true);
}

}  // namespace

Solution solve_sampled(const FitRows& rows, const Wish& wish, const Start& start,
                       linear::FitTrace& trace) {
  Solution solution;
  parallel::Team::run(rows.threads, [&](parallel::Team& team) {
    solution = solve_by(team, rows, wish, start, trace);
  });
  return solution;
}

}  // namespace logodds::models::softmax
