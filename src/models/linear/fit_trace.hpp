// What an optimiser does, for the progress bar and for --trace.
#pragma once

#include <chrono>
#include <functional>

#include "logodds/models/concepts.hpp"
#include "logodds/optimize/objective.hpp"

namespace logodds::models::linear {

/// Collects the steps of one fit. Several optimisers may follow each other; iterations go on
/// counting.
class FitTrace {
 public:
  explicit FitTrace(const Context& context);

  /// To be called for every step; the iteration counts from the start of the present optimiser.
  void add(const optimize::Step& step);
  /// For settings of an optimiser.
  [[nodiscard]] std::function<void(const optimize::Step&)> observer();
  /// The next optimiser counts on from here.
  void next_optimizer();
  /// Puts the table (iteration, objective, gradient norm, step, seconds) into the report.
  void report_to(FitReport& report) const;

 private:
  using Clock = std::chrono::steady_clock;
  const Context& context_;
  DescriptionTable table_;
  Clock::time_point start_;
  std::size_t before_ = 0;
  std::size_t last_ = 0;
};

}  // namespace logodds::models::linear
