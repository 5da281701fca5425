// What a model says of rows of a table that it has not seen.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "choose/table.hpp"
#include "logodds/logodds.hpp"
#include "models/joint_scores.hpp"

namespace logodds::choose {

/// What one row loses: the terms of measure::Measures, of which cross-validation wants no more.
struct RowLoss {
  double own = 0.0;  ///< the posterior of its class
  bool wrong = false;
  double log_loss = 0.0;
  double brier = 0.0;
};

/// The same of several rows.
struct LossColumns {
  std::span<const double> own;
  std::span<const double> log_loss;
  std::span<const double> brier;
  std::span<const double> wrong;  ///< 0 or 1

  [[nodiscard]] bool empty() const { return own.empty(); }
  [[nodiscard]] RowLoss operator[](std::size_t r) const {
    return {own[r], wrong[r] != 0.0, log_loss[r], brier[r]};
  }
};

/// A block of scored rows, from row `first` of the table on. A class that the model does not know
/// has posterior 0.
struct HeldOut {
  std::size_t first = 0;
  std::size_t rows = 0;
  std::span<const double> posteriors{};  ///< rows x labels of the table; empty if `losses` is not
  std::span<const std::uint8_t> skipped{};  ///< rows flagged 1 have none; empty: none is flagged
  /// ln p(x, t) of each row with its own label, if asked for and the model is Generative.
  std::span<const double> log_joint{};
  LossColumns losses{};  ///< instead of posteriors, where nothing else is wanted
};

/// -ln p(truth), 708.4 where p is 0; the Brier score; whether another class is decided.
[[nodiscard]] RowLoss row_loss(std::size_t truth, std::span<const double> posteriors);

struct Scoreable {
  MissingRows missing = MissingRows::use;
  bool joint = false;         ///< ln p(x, t) is wanted
  bool losses_alone = false;  ///< losses do, posteriors need not be shown
};

/// Whether nothing but scores is needed for these rows, so that models can be scored together.
[[nodiscard]] bool needs_scores_alone(const Classifier& model, const Table& table,
                                      const Scoreable& wanted);

/// Under `models` models at once, whose number goes to `sink` with each block. Gives the first row
/// that it leaves to each model by itself, because scores overflow; else rows.end.
[[nodiscard]] std::size_t score_together(
    const JointScores& scores, std::size_t models, const Table& table, const RowRange& rows,
    const Scoreable& wanted, const std::function<void(std::size_t model, const HeldOut&)>& sink);

/// Hands the blocks to `sink` in the order of the rows.
void score_held_out(const Classifier& model, const Table& table, const RowRange& rows,
                    const Scoreable& wanted, const Context& context,
                    const std::function<void(const HeldOut&)>& sink);

}  // namespace logodds::choose
