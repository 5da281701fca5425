// One start to one local optimum, by L-BFGS or Adam, with the rows held out watched.
#pragma once

#include <vector>

#include "logodds/models/concepts.hpp"
#include "models/linear/fit_trace.hpp"
#include "models/neural/objective.hpp"

namespace logodds::models::neural {

struct TrainingSettings {
  bool adam = false;
  double tolerance = 1e-6;
  std::size_t max_iterations = 1000;
  std::size_t passes = 200;
  std::size_t batch = 200;
  double step = 0.001;
  std::size_t patience = 10;
  std::uint64_t seed = 0;
  int threads = 1;
};

[[nodiscard]] TrainingSettings training_settings(const Options& options, const Context& context);

/// Where a start has led to.
struct Outcome {
  std::vector<double> theta;
  double objective = 0.0;
  double gradient_norm = 0.0;
  std::size_t iterations = 0;
  bool converged = false;
  double held_out_loss = -1.0;  ///< mean log loss; -1 when no rows are held out

  /// What restarts are compared by.
  [[nodiscard]] double merit() const { return held_out_loss >= 0.0 ? held_out_loss : objective; }
};

/// `held_out` null: nothing is watched. Otherwise the work ends after `patience` iterations
/// (L-BFGS) or passes (Adam) in which their log loss has found no new low, and the parameters are
/// those of the lowest.
[[nodiscard]] Outcome trained(const NetRows& rows, const NetRows* held_out, const NetPlan& plan,
                              std::vector<double> start, const TrainingSettings& settings,
                              linear::FitTrace& trace);

}  // namespace logodds::models::neural
