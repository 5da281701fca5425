// How often what has probability p comes true, in bins of p.
#pragma once

#include <cstddef>
#include <vector>

namespace logodds::measure {

/// Rows of one bin; y is 1 where the event happened, else 0.
struct CalibrationBin {
  std::size_t rows = 0;
  double weight = 0.0;           ///< sum w
  double weight_squares = 0.0;   ///< sum w^2
  double probability = 0.0;      ///< sum w p
  double outcomes = 0.0;         ///< sum w y
  double outcome_squares = 0.0;  ///< sum w^2 y

  void add(double p, bool outcome, double w) {
    ++rows;
    weight += w;
    weight_squares += w * w;
    probability += w * p;
    if (!outcome) { return; }
    outcomes += w;
    outcome_squares += w * w;
  }
  void merge(const CalibrationBin& other);

  [[nodiscard]] double mean_probability() const { return probability / weight; }
  [[nodiscard]] double share() const { return outcomes / weight; }
};

/// A curve: bin b holds b / bins < p <= (b + 1) / bins, and the first one p = 0 too.
class Calibration {
 public:
  explicit Calibration(std::size_t bins) : bins_(bins) {}

  [[nodiscard]] static std::size_t bin_of(double p, std::size_t bins) {
    const double scaled = p * static_cast<double>(bins);
    auto bin = scaled < 1.0 ? std::size_t{0} : static_cast<std::size_t>(scaled);
    if (bin >= bins) { bin = bins - 1; }
    // The edges are rounded, and so is p * bins: compare with the edges themselves.
    const double width = 1.0 / static_cast<double>(bins);
    if (bin > 0 && p <= static_cast<double>(bin) * width) { return bin - 1; }
    if (bin + 1 < bins && p > static_cast<double>(bin + 1) * width) { return bin + 1; }
    return bin;
  }

  void add(double p, bool outcome, double weight) {
    bins_[bin_of(p, bins_.size())].add(p, outcome, weight);
  }
  void merge(const Calibration& other);

  [[nodiscard]] const std::vector<CalibrationBin>& bins() const { return bins_; }
  [[nodiscard]] double lower_edge(std::size_t bin) const {
    return static_cast<double>(bin) / static_cast<double>(bins_.size());
  }
  /// sum_b W_b / W |mean p - share|
  [[nodiscard]] double expected_error() const;

 private:
  std::vector<CalibrationBin> bins_;
};

}  // namespace logodds::measure
