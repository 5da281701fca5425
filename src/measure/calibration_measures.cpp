#include "measure/calibration_measures.hpp"

#include <cmath>
#include <limits>

#include "measure/intervals.hpp"

namespace logodds::measure {

namespace {

/// Parts of the Brier score of one class: with the mean probability p, the share y and the weight W
/// of bins b, and the share Y of the class in all rows (Murphy, J. Applied Meteorology 12, 1973),
///   reliability sum W_b (p_b - y_b)^2 / W, resolution sum W_b (y_b - Y)^2 / W, uncertainty Y (1 -
///   Y).
/// What is left is the spread of the probabilities within bins (Stephenson, Coelho & Jolliffe,
/// Weather and Forecasting 23, 2008).
struct Parts {
  double reliability = 0.0;
  double resolution = 0.0;
  double uncertainty = 0.0;

  void add(const Parts& other) {
    reliability += other.reliability;
    resolution += other.resolution;
    uncertainty += other.uncertainty;
  }
};

/// A bin as the influence of its rows needs it.
struct Bin {
  double gap = 0.0;     ///< p_b - y_b
  double excess = 0.0;  ///< y_b - Y
  double share = 0.0;   ///< y_b
};

struct Curve {
  Curve(const Calibration& calibration, double weight) {
    for (const CalibrationBin& bin : calibration.bins()) { share += bin.outcomes / weight; }
    for (const CalibrationBin& bin : calibration.bins()) {
      Bin one;
      if (bin.weight > 0.0) {
        one = {bin.mean_probability() - bin.share(), bin.share() - share, bin.share()};
      }
      parts.reliability += bin.weight / weight * one.gap * one.gap;
      parts.resolution += bin.weight / weight * one.excess * one.excess;
      bins.push_back(one);
    }
    parts.uncertainty = share * (1.0 - share);
    expected_error = calibration.expected_error();
  }

  /// What a row adds to each part, per unit of weight and times the total weight.
  [[nodiscard]] Parts influence(double p, double y) const {
    const Bin& bin = bins[Calibration::bin_of(p, bins.size())];
    return {bin.gap * (2.0 * (p - y) - bin.gap) - parts.reliability,
            bin.excess * (bin.excess + 2.0 * (y - bin.share)) - parts.resolution,
            (1.0 - 2.0 * share) * (y - share)};
  }
  [[nodiscard]] double error_influence(double p, double y) const {
    const double gap = bins[Calibration::bin_of(p, bins.size())].gap;
    return (gap < 0.0 ? y - p : p - y) - expected_error;
  }

  std::vector<Bin> bins;
  double share = 0.0;
  Parts parts;
  double expected_error = 0.0;
};

/// sum w^2 influence^2 of everything that is made of bins.
struct Variances {
  explicit Variances(std::size_t classes) : class_errors(classes, 0.0) {}
  double reliability = 0.0;
  double resolution = 0.0;
  double uncertainty = 0.0;
  double within_bins = 0.0;
  double decisions = 0.0;
  std::vector<double> class_errors;
};

Variances variances_of(const KeptRows& kept, const std::vector<Curve>& curves,
                       const Curve& decisions, const Report& found) {
  const std::size_t classes = curves.size();
  Variances sums(classes);
  for (const KeptRows::Chunk& chunk : kept.chunks()) {
    for (std::size_t r = 0; r < chunk.truths.size(); ++r) {
      const double w2 = chunk.weights[r] * chunk.weights[r];
      const auto truth = static_cast<std::size_t>(chunk.truths[r]);
      const auto decision = static_cast<std::size_t>(chunk.decisions[r]);
      const double* const p = chunk.posteriors.data() + r * classes;
      Parts parts;
      double brier = -found.brier.value;
      for (std::size_t k = 0; k < classes; ++k) {
        const double y = k == truth ? 1.0 : 0.0;
        parts.add(curves[k].influence(p[k], y));
        brier += (p[k] - y) * (p[k] - y);
        sums.class_errors[k] += w2 * std::pow(curves[k].error_influence(p[k], y), 2);
      }
      sums.reliability += w2 * parts.reliability * parts.reliability;
      sums.resolution += w2 * parts.resolution * parts.resolution;
      sums.uncertainty += w2 * parts.uncertainty * parts.uncertainty;
      sums.within_bins +=
          w2 * std::pow(brier - parts.reliability + parts.resolution - parts.uncertainty, 2);
      sums.decisions +=
          w2 * std::pow(decisions.error_influence(p[decision], decision == truth ? 1.0 : 0.0), 2);
    }
  }
  return sums;
}

}  // namespace

void fill_calibration_measures(const Measures& measures, double level, Report& found) {
  const double weight = measures.weight();
  std::vector<Curve> curves;
  Parts parts;
  for (std::size_t k = 0; k < measures.classes(); ++k) {
    curves.emplace_back(measures.calibration(k), weight);
    parts.add(curves.back().parts);
  }
  const Curve decisions(measures.decision_calibration(), weight);
  const KeptRows* const kept = measures.kept_rows();
  const Variances sums = kept != nullptr ? variances_of(*kept, curves, decisions, found)
                                         : Variances(measures.classes());
  const double rows = weight * weight / measures.weight_squares();
  const auto estimate = [&](double value, double sum, double least, double most) {
    const double variance = sum / (weight * weight) * rows / (rows - 1.0);
    return jackknife(value, variance, rows, Scale::plain, level, least, most);
  };
  constexpr double kAny = std::numeric_limits<double>::infinity();
  found.reliability = estimate(parts.reliability, sums.reliability, 0.0, 2.0);
  found.resolution = estimate(parts.resolution, sums.resolution, 0.0, 1.0);
  found.uncertainty = estimate(parts.uncertainty, sums.uncertainty, 0.0, 1.0);
  found.within_bins =
      estimate(found.brier.value - parts.reliability + parts.resolution - parts.uncertainty,
               sums.within_bins, -kAny, kAny);
  found.calibration_error = estimate(decisions.expected_error, sums.decisions, 0.0, 1.0);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    found.classes[k].calibration_error =
        estimate(curves[k].expected_error, sums.class_errors[k], 0.0, 1.0);
  }
}

Estimate bin_share(const CalibrationBin& bin, double level) {
  return exact_share({bin.outcomes, bin.outcome_squares, bin.weight, bin.weight_squares}, level);
}

}  // namespace logodds::measure
