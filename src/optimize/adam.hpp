// Adam: steps by mini-batches of rows, each parameter at a pace of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

struct AdamSettings {
  std::size_t rows = 0;     ///< of which mini-batches are made
  std::size_t batch = 200;  ///< rows of a mini-batch; more than there are: all of them
  std::size_t passes = 200;
  double step = 0.001;
  /// Done when the mean value of a pass has not fallen by more than this ...
  double tolerance = 1e-6;
  /// ... for this many passes.
  std::size_t patience = 10;
  std::uint64_t seed = 0;  ///< of the order of the rows, which is another one in every pass
  /// Told about every pass, with its mean value and the gradient of its last mini-batch; true: stop
  /// here. May throw.
  std::function<bool(const Step&, std::span<const double> theta)> after_pass{};
};

/// An unbiased estimate, from the rows with these numbers, of the value at theta and of its
/// gradient.
using BatchFunction =
    std::function<double(std::span<const double> theta, std::span<const std::uint32_t> rows,
                         std::span<double> gradient)>;

/// Kingma & Ba, "Adam: a method for stochastic optimization" (ICLR 2015), with their constants 0.9,
/// 0.999 and 1e-8. Result.value is the mean over the last pass, and Result.iterations counts
/// passes. Result.converged: `tolerance` or after_pass() ended the work. The same settings give the
/// same bits. Throws Error(numeric) when the value is no longer finite.
[[nodiscard]] Result minimize_adam(const BatchFunction& objective, std::vector<double> start,
                                   const AdamSettings& settings);

}  // namespace logodds::optimize
