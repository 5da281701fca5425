// How good decisions and posteriors are (SPEC 8). A statistic: add rows, merge, finish.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logodds::measure {

class Measures {
 public:
  explicit Measures(std::size_t classes);

  /// One row: its true class, its posteriors, its weight (which must be positive).
  void add(std::size_t truth, std::span<const double> posteriors, double weight = 1.0);
  /// The same with another decision than the largest posterior.
  void add(std::size_t truth, std::size_t decision, std::span<const double> posteriors,
           double weight);
  void merge(const Measures& other);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double errors() const;      ///< weight of the rows decided wrongly
  [[nodiscard]] double error_rate() const;  ///< errors / weight
  [[nodiscard]] double accuracy() const;
  /// Mean of -ln p(truth); a posterior of 0 counts as the smallest normal double.
  [[nodiscard]] double log_loss() const;
  /// Rows whose truth had posterior 0.
  [[nodiscard]] std::size_t rows_ruled_out() const { return rows_ruled_out_; }
  /// Mean of sum_k (p_k - [k = truth])^2.
  [[nodiscard]] double brier() const;
  /// Row-major classes x classes: rows are the truth, columns the decision.
  [[nodiscard]] const std::vector<double>& confusion() const { return confusion_; }
  [[nodiscard]] std::size_t classes() const { return classes_; }

 private:
  std::size_t classes_;
  std::size_t rows_ = 0;
  std::size_t rows_ruled_out_ = 0;
  double weight_ = 0.0;
  double log_loss_sum_ = 0.0;
  double brier_sum_ = 0.0;
  std::vector<double> confusion_;
};

}  // namespace logodds::measure
