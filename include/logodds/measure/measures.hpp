// How good decisions and posteriors are. A statistic: add rows, merge, finish;
// report.hpp finishes it with intervals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "logodds/measure/calibration.hpp"
#include "logodds/measure/kept_rows.hpp"

namespace logodds::measure {

struct MeasureOptions {
  std::size_t bins = 0;    ///< of the calibration curves; 0: there are none
  bool keep_rows = false;  ///< for what is no sum over rows: AUC, average precision, some intervals
  /// Rows beyond this are not kept, nor are those before them.
  std::size_t most_kept_bytes = std::size_t{1} << 31U;
  /// Smaller posteriors of the truth count as this in the log loss, which would be infinite at 0.
  double floor = std::numeric_limits<double>::min();
};

class Measures {
 public:
  explicit Measures(std::size_t classes, const MeasureOptions& options = {});

  /// One row: its true class, its posteriors, its weight (which must be positive).
  void add(std::size_t truth, std::span<const double> posteriors, double weight = 1.0);
  /// The same with another decision than the largest posterior.
  void add(std::size_t truth, std::size_t decision, std::span<const double> posteriors,
           double weight);
  /// `other` has the same classes, bins and keep_rows.
  void merge(const Measures& other);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double weight_squares() const { return weight_squares_; }  ///< sum w^2
  [[nodiscard]] double errors() const;      ///< weight of the rows decided wrongly
  [[nodiscard]] double error_rate() const;  ///< errors / weight
  [[nodiscard]] double accuracy() const;
  /// Mean of -ln max(p(truth), floor).
  [[nodiscard]] double log_loss() const;
  /// Rows whose truth had posterior 0.
  [[nodiscard]] std::size_t rows_ruled_out() const { return rows_ruled_out_; }
  /// Mean of sum_k (p_k - [k = truth])^2.
  [[nodiscard]] double brier() const;
  /// Mean of (p_k - [k = truth])^2.
  [[nodiscard]] double class_brier(std::size_t k) const;
  /// Row-major classes x classes: rows are the truth, columns the decision.
  [[nodiscard]] const std::vector<double>& confusion() const { return confusion_; }
  /// The same with squared weights, which the intervals go by.
  [[nodiscard]] const std::vector<double>& confusion_squares() const { return confusion_squares_; }
  [[nodiscard]] std::size_t classes() const { return classes_; }
  [[nodiscard]] double floor() const { return floor_; }
  /// Of the posterior of each class, where there are bins.
  [[nodiscard]] const Calibration& calibration(std::size_t k) const { return by_class_[k]; }
  /// Of the posterior of what was decided for.
  [[nodiscard]] const Calibration& decision_calibration() const { return of_decisions_; }
  /// Null where they were not asked for, or are too many.
  [[nodiscard]] const KeptRows* kept_rows() const;
  /// They were asked for and are too many.
  [[nodiscard]] bool too_many_to_keep() const { return kept_ && kept_->overflowed(); }

  /// sum w x, sum w^2 x, sum w^2 x^2 of a loss x: its mean and how well that is known.
  struct LossSums {
    double sum = 0.0;
    double squared_weights = 0.0;
    double squares = 0.0;
    void add(double loss, double w) {
      sum += w * loss;
      squared_weights += w * w * loss;
      squares += w * w * loss * loss;
    }
    void merge(const LossSums& other);
  };
  [[nodiscard]] const LossSums& log_loss_sums() const { return log_loss_; }
  [[nodiscard]] const LossSums& brier_sums() const { return brier_; }
  [[nodiscard]] const LossSums& class_brier_sums(std::size_t k) const { return class_brier_[k]; }

 private:
  std::size_t classes_;
  double floor_;
  std::size_t rows_ = 0;
  std::size_t rows_ruled_out_ = 0;
  double weight_ = 0.0;
  double weight_squares_ = 0.0;
  LossSums log_loss_;
  LossSums brier_;
  std::vector<LossSums> class_brier_;
  std::vector<double> confusion_;
  std::vector<double> confusion_squares_;
  std::vector<Calibration> by_class_;
  Calibration of_decisions_;
  std::optional<KeptRows> kept_;
};

}  // namespace logodds::measure
