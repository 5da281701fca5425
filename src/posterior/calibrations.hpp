// The methods, one file each; calibration.cpp lists them.
#pragma once

#include <cmath>
#include <limits>

#include "logodds/posterior/calibration.hpp"

namespace logodds::posterior {

using FitCalibration = std::unique_ptr<Calibration> (*)(const ValidationRows&,
                                                        std::vector<std::string>&);
using LoadCalibration = std::unique_ptr<Calibration> (*)(const modelfile::Reader&, std::size_t);

[[nodiscard]] std::unique_ptr<Calibration> fit_temperature(const ValidationRows& rows,
                                                           std::vector<std::string>& notes);
[[nodiscard]] std::unique_ptr<Calibration> fit_platt(const ValidationRows& rows,
                                                     std::vector<std::string>& notes);
[[nodiscard]] std::unique_ptr<Calibration> fit_isotonic(const ValidationRows& rows,
                                                        std::vector<std::string>& notes);
/// Null when the file holds no such calibration.
[[nodiscard]] std::unique_ptr<Calibration> load_temperature(const modelfile::Reader& reader,
                                                            std::size_t classes);
[[nodiscard]] std::unique_ptr<Calibration> load_platt(const modelfile::Reader& reader,
                                                      std::size_t classes);
[[nodiscard]] std::unique_ptr<Calibration> load_isotonic(const modelfile::Reader& reader,
                                                         std::size_t classes);

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// ln sum_k exp(a_k); -infinity when every a_k is.
[[nodiscard]] inline double log_sum(std::span<const double> values) {
  double top = -kInfinity;
  for (const double value : values) { top = std::max(top, value); }
  if (top == -kInfinity) { return top; }
  double sum = 0.0;
  for (const double value : values) { sum += std::exp(value - top); }
  return top + std::log(sum);
}

/// ln (1 - exp(x)), x <= 0 (Maechler 2012).
[[nodiscard]] inline double log_one_minus_exp(double x) {
  constexpr double kLn2 = 0.6931471805599453;
  return x > -kLn2 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

/// The functions that are fitted: one for two classes, else one a class.
[[nodiscard]] inline std::size_t function_count(std::size_t classes) {
  return classes == 2 ? 1 : classes;
}
/// The class that the f-th of them is about.
[[nodiscard]] inline std::size_t class_of(std::size_t function, std::size_t classes) {
  return classes == 2 ? 1 : function;
}

}  // namespace logodds::posterior
