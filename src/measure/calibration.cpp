#include "logodds/measure/calibration.hpp"

#include <cmath>

namespace logodds::measure {

void CalibrationBin::merge(const CalibrationBin& other) {
  rows += other.rows;
  weight += other.weight;
  weight_squares += other.weight_squares;
  probability += other.probability;
  outcomes += other.outcomes;
  outcome_squares += other.outcome_squares;
}

void Calibration::merge(const Calibration& other) {
  for (std::size_t b = 0; b < bins_.size(); ++b) { bins_[b].merge(other.bins_[b]); }
}

double Calibration::expected_error() const {
  double gaps = 0.0;
  double weight = 0.0;
  for (const CalibrationBin& bin : bins_) {
    gaps += std::abs(bin.probability - bin.outcomes);
    weight += bin.weight;
  }
  return gaps / weight;
}

}  // namespace logodds::measure
