// Rows to coefficients: L-BFGS on the whitened problem, then back to the user's units.
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "logodds/optimize/lbfgs.hpp"
#include "models/softmax/objective.hpp"
#include "models/softmax/softmax.hpp"
#include "models/softmax/whitening.hpp"

namespace logodds::models::softmax {

namespace {

/// Largest component of the gradient at which the optimiser stops, as a share of the total weight.
constexpr double kGradientShare = 1e-11;
/// Second derivative of a row's loss along one class's score, p (1 - p), at a typical p.
constexpr double kCurvature = 0.1;
/// Mean loss below which classes are called separable, and the decay below which that is a worry.
constexpr double kSeparableLoss = 0.01;
constexpr double kSmallDecay = 1e-3;

/// Z = (X - m) T.
std::vector<double> transformed(const DesignRows& x, const Whitening& whitening) {
  const std::size_t d = x.columns;
  const std::vector<double> no_bias(d, 0.0);
  std::vector<double> z(x.rows * d);
  kernels::affine_scores(x.data, x.rows, d, x.stride, whitening.center.data(),
                         whitening.transform.data(), no_bias.data(), d, z.data());
  return z;
}

/// eps T^T T.
std::vector<double> decay_matrix(const std::vector<double>& transform, std::size_t d, double eps) {
  std::vector<double> matrix(d * d, 0.0);
  for (std::size_t row = 0; row < d; ++row) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        matrix[i * d + j] += eps * transform[row * d + i] * transform[row * d + j];
      }
    }
  }
  return matrix;
}

std::vector<double> class_weights(const RowBlock& rows, std::size_t classes) {
  std::vector<double> weights(classes, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    weights[static_cast<std::size_t>(rows.labels[r])] += rows.weight(r);
  }
  return weights;
}

/// All coefficients 0, biases the log priors.
std::vector<double> prior_only(const SoftmaxObjective& objective,
                               const std::vector<double>& weights) {
  std::vector<double> theta(objective.dimension(), 0.0);
  const std::size_t free = objective.free_classes();
  const std::size_t skipped = weights.size() - free;
  const double reference = skipped > 0 ? weights.front() : 1.0;
  for (std::size_t k = 0; k < free; ++k) {
    theta[theta.size() - free + k] = std::log(weights[skipped + k] / reference);
  }
  return theta;
}

/// theta = T beta.
std::vector<double> in_user_units(const std::vector<double>& transform,
                                  const std::vector<double>& beta, std::size_t d,
                                  std::size_t classes) {
  std::vector<double> theta(d * classes, 0.0);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < classes; ++k) {
        theta[i * classes + k] += transform[i * d + j] * beta[j * classes + k];
      }
    }
  }
  return theta;
}

void note_outcome(const optimize::Result& result, double decay, double weight,
                  std::vector<std::string>& notes) {
  if (decay < kSmallDecay && result.value < kSeparableLoss * weight) {
    notes.emplace_back(
        "the classes are separable, or nearly so: only the decay bounds the coefficients, and "
        "posteriors lie close to 0 and 1; a larger --decay, such as 0.1, makes them more cautious");
  }
  if (!result.converged) {
    notes.push_back("the optimizer stopped after " + std::to_string(result.iterations) +
                    " iterations short of the optimum, with a gradient of " +
                    format_number(result.gradient_norm) +
                    "; posteriors may be off; bring the columns to like scales");
  }
}

}  // namespace

SoftmaxDiscriminant SoftmaxFamily::estimate(const TrainingRows& rows, EstimatorInput input) {
  const RowBlock all = rows.view();
  const Design design(input.schema, OneHot::full);
  if (const auto note = design.one_hot_note(); !note.empty()) { input.notes.push_back(note); }
  std::vector<double> scratch;
  const DesignRows x = design.encode(all, scratch);
  const double decay = input.options.real("decay");
  const std::size_t d = design.size();
  const Whitening whitening =
      whiten(x.data, x.rows, d, all.weights, 2.0 * decay / (kCurvature * rows.weight()));
  Problem problem{.rows = x.rows,
                  .columns = d,
                  .classes = input.schema.labels.size(),
                  .z = transformed(x, whitening),
                  .labels = all.labels,
                  .weights = all.weights,
                  .decay = decay_matrix(whitening.transform, d, decay),
                  .threads = x.rows > kBlockRows * 4 ? input.context.threads : 1};
  scratch = {};
  SoftmaxObjective objective(problem);
  const auto weights = class_weights(all, problem.classes);
  optimize::LbfgsSettings settings{.gradient_tolerance = kGradientShare * rows.weight()};
  if (input.context.progress) {
    settings.trace = [&](const optimize::Step& step) {
      input.context.progress(
          {.what = "optimizing", .objective = step.value, .iteration = step.iteration});
    };
  }
  const auto result = optimize::minimize_lbfgs(objective, prior_only(objective, weights), settings);
  note_outcome(result, decay, rows.weight(), input.notes);
  std::vector<double> beta;
  std::vector<double> bias;
  objective.expand(result.theta, beta, bias);
  return {input.schema,
          whitening.center,
          in_user_units(whitening.transform, beta, d, problem.classes),
          std::move(bias),
          {result.value, result.gradient_norm, static_cast<double>(result.iterations)}};
}

}  // namespace logodds::models::softmax
