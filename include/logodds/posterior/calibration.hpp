// Posteriors that say how often they are right: functions of a model's posteriors, fitted to
// validation rows, which the model has not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logodds/models/description.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

namespace posterior {

/// Rows to calibrate by. `log_posteriors` is row-major rows x classes, ln p(C_k | x).
struct ValidationRows {
  std::size_t classes = 0;
  std::vector<double> log_posteriors{};
  std::vector<std::int32_t> labels{};
  std::vector<double> weights{};

  [[nodiscard]] std::size_t rows() const { return labels.size(); }
  [[nodiscard]] std::span<const double> row(std::size_t n) const {
    return std::span(log_posteriors).subspan(n * classes, classes);
  }
};

/// Scores to ln p(C_k | x) in place: row-major rows x classes. Rows of nothing but -infinity stay.
void to_log_posteriors(std::span<double> scores, std::size_t classes);

class Calibration {
 public:
  Calibration() = default;
  Calibration(const Calibration&) = delete;
  Calibration& operator=(const Calibration&) = delete;
  virtual ~Calibration() = default;

  [[nodiscard]] virtual std::string method() const = 0;
  /// In place: ln p(C_k | x) to the logarithms of calibrated posteriors, row-major rows x classes.
  virtual void apply(std::span<double> log_posteriors, std::size_t classes) const = 0;
  /// The parameters, for people.
  [[nodiscard]] virtual Description describe(const std::vector<std::string>& labels) const = 0;
  virtual void save(modelfile::Writer& writer) const = 0;
};

/// The names of the methods: "temperature", "platt", "isotonic".
///   temperature  ln q_k = ln p_k / T - ln sum_j p_j^(1/T)            (Guo et al. 2017)
///   platt        q_k = 1 / (1 + exp(-(a_k f_k + b_k))), f_k = ln p_k / (1 - p_k), with the targets
///                (N_+ + 1) / (N_+ + 2) and 1 / (N_- + 2)             (Platt 1999)
///   isotonic     q_k = m_k(p_k), m_k non-decreasing                  (Zadrozny & Elkan 2002)
/// platt and isotonic: for two classes q_2 is fitted and q_1 = 1 - q_2; for more, each class
/// against the rest, and the q_k are divided by their sum (all equal where it is 0).
[[nodiscard]] const std::vector<std::string>& calibration_methods();
/// `notes` gets sentences for the user. Throws Error(usage) for a method that is none and
/// Error(input) for rows that tell nothing.
[[nodiscard]] std::unique_ptr<Calibration> fit_calibration(std::string_view method,
                                                           const ValidationRows& rows,
                                                           std::vector<std::string>& notes);
/// What a model file holds, or null when it holds none.
[[nodiscard]] std::unique_ptr<Calibration> load_calibration(const modelfile::Reader& reader,
                                                            std::size_t classes);

}  // namespace posterior
}  // namespace logodds
