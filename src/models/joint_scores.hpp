// Several models of one family, scored together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/row_losses.hpp"
#include "logodds/data/row_block.hpp"

namespace logodds {

class JointScores {
 public:
  virtual ~JointScores() = default;
  /// What log_scores() of each model gives, to rounding: out is models x block.rows x classes. The
  /// rows are complete.
  virtual void log_scores(const RowBlock& block, std::span<double> out) const = 0;
  /// What rows of these classes lose under each model: models x block.rows. False, and nothing is
  /// known of `out`, where scores overflow.
  [[nodiscard]] virtual bool losses(const RowBlock& block, std::span<const std::int32_t> truths,
                                    const kernels::RowLosses& out) const = 0;
};

/// `count` models, from number `first` of those that were given.
struct JointRun {
  std::size_t first = 0;
  std::size_t count = 0;
  std::unique_ptr<const JointScores> scores;
};

}  // namespace logodds
