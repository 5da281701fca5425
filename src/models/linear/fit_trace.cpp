#include "models/linear/fit_trace.hpp"

namespace logodds::models::linear {

FitTrace::FitTrace(const Context& context)
    : context_(context),
      table_{"trace", {"iteration", "objective", "gradient norm", "step", "seconds"}, {}},
      start_(Clock::now()) {}

void FitTrace::add(const optimize::Step& step) {
  // The start of a further optimiser is where the one before it ended.
  if (before_ > 0 && step.iteration == 0) { return; }
  last_ = before_ + step.iteration;
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  table_.rows.push_back({static_cast<std::int64_t>(last_), step.value, step.gradient_norm,
                         step.step, elapsed.count()});
  if (context_.progress) {
    context_.progress({.what = "optimizing", .objective = step.value, .iteration = last_});
  }
}

std::function<void(const optimize::Step&)> FitTrace::observer() {
  return [this](const optimize::Step& step) { add(step); };
}

void FitTrace::next_optimizer() { before_ = last_; }

void FitTrace::report_to(FitReport& report) const { report.trace = table_; }

}  // namespace logodds::models::linear
