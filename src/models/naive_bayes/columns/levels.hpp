// Tables of log probabilities by level: of coded columns, of the bins of a histogram.
#pragma once

#include "models/naive_bayes/columns/common.hpp"
#include "models/naive_bayes/columns/drawing.hpp"

namespace logodds::models::naive_bayes::columns {

/// Log probabilities of each class: of an unseen level, of a missing value (0), of the levels.
class LevelTable {
 public:
  LevelTable(std::size_t classes, std::size_t levels)
      : classes_(classes), levels_(levels), logs_(classes * (levels + 2), 0.0) {}

  [[nodiscard]] std::size_t classes() const { return classes_; }
  [[nodiscard]] std::size_t levels() const { return levels_; }
  /// `code`: kUnseenCode, kMissingCode, 0, 1, ...
  [[nodiscard]] double at(std::size_t k, std::int32_t code) const {
    return logs_[k * (levels_ + 2) + static_cast<std::size_t>(code + 2)];
  }
  void set(std::size_t k, std::int32_t code, double log) {
    logs_[k * (levels_ + 2) + static_cast<std::size_t>(code + 2)] = log;
  }
  void add_scores(std::span<const std::int32_t> codes, std::size_t stride, double* scores) const;
  /// sum w ln p, with weights classes x levels.
  [[nodiscard]] double log_likelihood(const std::vector<double>& weights) const;
  /// By level, of class k.
  [[nodiscard]] std::vector<double> probabilities(std::size_t k) const;
  /// Indicators of the levels: eta_l = ln p_l - ln p_unseen and A = -ln p_unseen, so that all
  /// indicators 0 is an unseen level. Nothing when some level is impossible.
  [[nodiscard]] std::optional<NaturalForm> natural(std::vector<std::string> names) const;

 private:
  std::size_t classes_;
  std::size_t levels_;
  std::vector<double> logs_;
};

/// (n_l + alpha) / (N_k + alpha L), and alpha / (N_k + alpha L) for an unseen level. With alpha = 0
/// an unseen level says nothing, and a class that has no value has the shares of all classes
/// together. `weights`: n, classes x levels.
[[nodiscard]] LevelTable smoothed_shares(const std::vector<double>& weights, std::size_t classes,
                                         double alpha);

/// The law of a coded column.
[[nodiscard]] std::unique_ptr<ColumnLaw> level_law(const ColumnSummary& rows,
                                                   const ColumnRule& rule);

}  // namespace logodds::models::naive_bayes::columns
