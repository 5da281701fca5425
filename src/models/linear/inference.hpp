// Standard errors of coefficients, in a model file and as statisticians read them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logodds/models/coefficients.hpp"

namespace logodds::modelfile {
class Reader;
class Writer;
}  // namespace logodds::modelfile

namespace logodds::models::linear {

/// Past this many coefficients no errors are computed, nor is separation looked for.
inline constexpr std::size_t kMostWithErrors = 1000;

/// Whether there are standard errors, and why not.
enum class ErrorsAre : std::int32_t {
  of_likelihood,   ///< given: nothing was penalised
  barely_decayed,  ///< given: the decay moves no coefficient by a thousandth of its error
  penalized,       ///< not: the estimates are drawn to 0, and the law of that is not known
  too_many,        ///< not: more than kMostWithErrors coefficients
  too_much_work,   ///< not: under a decay they are computed only where that is quick
  not_converged,   ///< not: the optimiser stopped elsewhere
  not_kept,        ///< not: the file comes from a version that kept none
  singular         ///< not: the information of the rows is singular
};

/// What the rows tell about coefficients, D features and R columns of them (R = K - 1 of softmax
/// regression, 1 of a two-class link).
struct Inference {
  ErrorsAre state = ErrorsAre::not_kept;
  std::vector<double> errors{};              ///< (D + 1) x R, the intercept first; NaN: not known
  std::vector<std::int32_t> identifiable{};  ///< D, 0 or 1
  bool intercept = true;

  [[nodiscard]] bool given() const {
    return state == ErrorsAre::of_likelihood || state == ErrorsAre::barely_decayed;
  }
  /// Tensors errors, errors_state, identifiable.
  void save(modelfile::Writer& writer) const;
  /// `not_kept` from a file without them.
  [[nodiscard]] static Inference load(const modelfile::Reader& reader, std::size_t features,
                                      std::size_t columns);
};

/// The estimates of one class against another.
struct Estimates {
  std::string label;
  std::vector<double> values;  ///< D + 1, the intercept first
};

/// Wald's table: z = estimate / error, p of |z| under the normal law, odds ratio exp(estimate) with
/// the interval exp(estimate -+ z_level error). `odds`: whether exp(estimate) is an odds ratio.
[[nodiscard]] CoefficientTable wald_table(const std::vector<Estimates>& estimates,
                                          const std::vector<std::string>& features,
                                          const Inference& inference, double level, bool odds);

}  // namespace logodds::models::linear
