#include "models/softmax/sampled.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/optimize/lbfgs.hpp"
#include "models/softmax/columns.hpp"
#include "models/softmax/inner.hpp"
#include "models/softmax/inverse_hessian.hpp"
#include "models/softmax/objective.hpp"
#include "models/softmax/run.hpp"
#include "random/philox.hpp"

namespace logodds::models::softmax {

namespace {

constexpr double kCurvature = 0.1;  // p (1 - p) at a typical p
/// Rows of the sample: more where their Hessian costs little against a pass over all rows.
constexpr std::size_t kFewParameters = 100;
constexpr std::size_t kSampleOfFew = 16384;
constexpr std::size_t kSampleOfMany = 8192;

/// Rows of a sample, weighted so that their objective estimates that of all rows.
struct Sample {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
};

/// One row from each of `count` equal stretches, at a place that a hash says: rows may be periodic.
Sample draw(const FitRows& rows, std::size_t count) {
  Sample sample;
  sample.x.resize(count * rows.columns);
  double weight = 0.0;
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t begin = s * rows.rows / count;
    const std::size_t length = (s + 1) * rows.rows / count - begin;
    const auto bits = random::philox({static_cast<std::uint32_t>(s), 0, 0, 0}, {0x50F7, 0});
    const std::size_t r = begin + bits[0] % length;
    std::copy_n(rows.x.data + r * rows.x.stride, rows.columns, sample.x.data() + s * rows.columns);
    sample.labels.push_back(rows.labels[r]);
    sample.weights.push_back(rows.weight_of(r));
    weight += sample.weights.back();
  }
  for (double& w : sample.weights) { w *= rows.weight / weight; }
  return sample;
}

/// Standardised coordinates, from all rows.
Whitening standardized(const FitRows& rows, const Penalty& penalty, bool centered) {
  const ColumnSpread spread = column_spread(rows);
  Whitening whitening;
  for (std::size_t i = 0; i < rows.columns; ++i) {
    const double around_zero = centered ? 0.0 : spread.mean[i] * spread.mean[i];
    const double size =
        spread.variance[i] + around_zero + 2.0 * penalty.decay[i] / (kCurvature * rows.weight);
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
    for (std::size_t i = 0; i < sample.columns; ++i) {
      const double z = (sample.x[r * sample.stride + i] - sample.center[i]) * sample.scale[i];
      moments[i] += sample.weights[r] / weight * z * z;
    }
  }
  for (std::size_t i = 0; i < sample.columns; ++i) {
    const double lack = std::max(0.0, 0.5 - moments[i]) * kCurvature * weight;
    std::fill_n(extra.begin() + static_cast<std::ptrdiff_t>(i * free), free, lack);
  }
  return extra;
}

/// The optimum of the sample, to the digits that matter, with a weak pull to the start: rows that
/// are separable in the sample need not be so in all.
std::vector<double> sample_optimum(SoftmaxObjective& objective, const std::vector<double>& start,
                                   double pull, std::vector<double> extra) {
  for (double& e : extra) { e += 2.0 * pull; }
  const auto inverse = InverseHessian::plain(objective, extra);
  const optimize::ObjectiveFunction pulled = [&](std::span<const double> theta,
                                                 std::span<double> gradient) {
    double value = objective.evaluate(theta, gradient);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double off = theta[i] - start[i];
      value += pull * off * off;
      gradient[i] += 2.0 * pull * off;
    }
    return value;
  };
  constexpr double kEnough = 3e-3;
  return optimize::minimize_lbfgs(pulled, start,
                                  {.max_iterations = 100,
                                   .gradient_tolerance = 0.0,
                                   .relative_gradient_tolerance = kEnough,
                                   .inverse = [&](std::span<double> v) { inverse.apply(v); }})
      .theta;
}

void remove_common(std::vector<double>& theta, std::size_t free) {
  for (std::size_t i = 0; free > 1 && i < theta.size(); i += free) {
    double mean = 0.0;
    for (std::size_t k = 0; k < free; ++k) { mean += theta[i + k] / static_cast<double>(free); }
    for (std::size_t k = 0; k < free; ++k) { theta[i + k] -= mean; }
  }
}

}  // namespace

bool fits_by_sample(const FitRows& rows) {
  constexpr std::size_t kMostColumns = 1024;
  return rows.columns <= kMostColumns && rows.rows >= 4 * rows.columns;
}

Solution solve_sampled(const FitRows& rows, const Wish& wish, const Start& start,
                       linear::FitTrace& trace) {
  const Penalty penalty = penalty_of(rows, wish);
  const Whitening whitening = standardized(rows, penalty, wish.intercept);
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
                        .threads = rows.threads};
  SoftmaxObjective objective(problem);
  const std::size_t free = objective.free_classes();
  auto theta = better_start(rows, wish, start, whitening, [&](auto at, auto gradient) {
    return objective.evaluate(at, gradient);
  });
  remove_common(theta, free);

  const std::size_t count =
      std::min(rows.rows, objective.dimension() <= kFewParameters ? kSampleOfFew : kSampleOfMany);
  const Sample sample = draw(rows, count);
  Problem part = problem;
  part.rows = count;
  part.x = sample.x.data();
  part.stride = rows.columns;
  part.labels = sample.labels.data();
  part.weights = sample.weights.data();
  SoftmaxObjective sampled(part);
  const auto extra = lacking(part, rows.weight, free);
  const double pull = 0.5 * rows.weight / static_cast<double>(count);
  if (start.coefficients.empty()) { theta = sample_optimum(sampled, theta, pull, extra); }
  const auto inverse = InverseHessian::at(sampled, theta, extra);

  const auto n = static_cast<double>(objective.dimension());
  const Task task{
      .dimension = objective.dimension(),
      .rows = rows.rows,
      .weight = rows.weight,
      .evaluate = [&](auto at, auto gradient) { return objective.evaluate(at, gradient); },
      .hessian = [&](auto at, auto out) { objective.hessian(at, out); },
      .hessian_work = static_cast<double>(rows.rows) * n * n / 4.0,
      .inverse = [&](std::span<double> v) { inverse.apply(v); }};
  auto outcome = run(task, wish, std::move(theta), trace);
  Solution solution{.center = whitening.center, .optimizer = outcome.optimizer};
  objective.expand(outcome.result.theta, solution.coefficients, solution.bias);
  return finished(std::move(solution), outcome.result, rows.classes, true);
}

}  // namespace logodds::models::softmax
