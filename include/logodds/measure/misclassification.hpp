// The probability that a generative model errs on rows of its own making.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds::measure {

struct ErrorRequest {
  /// Drawing ends when the standard error of the error is at most this,
  double standard_error = 1e-4;
  /// or when so many rows are drawn.
  std::size_t most_draws = 100'000'000;
  /// In one dimension and for two classes: another rule, the class of the smaller mean below this
  /// number.
  std::optional<double> threshold{};
};

/// What two classes of a model would be taken for, were there no others: their priors are scaled to
/// sum 1, and the likelier is decided.
struct PairError {
  std::size_t first = 0;
  std::size_t second = 0;
  double error = 0.0;            ///< the sum of the next two
  double first_as_second = 0.0;  ///< P(x in R_2 | C_1) P(C_1)
  double second_as_first = 0.0;  ///< P(x in R_1 | C_2) P(C_2)
  double standard_error = 0.0;   ///< 0 where the error is computed, not drawn
  /// Upper bounds of the error; nothing where the densities have none in closed form.
  std::optional<double> bhattacharyya{};
  std::optional<double> chernoff{};
};

struct ThresholdError {
  double threshold = 0.0;
  std::size_t below = 0;  ///< the class that is decided below it
  double error = 0.0;
  std::vector<double> by_class;  ///< as Misclassification::by_class
};

struct Misclassification {
  double error = 0.0;  ///< sum_k pi_k P(x outside of R_k | C_k)
  std::string method;  ///< how it was found, for people
  bool exact = false;  ///< by computation, to `bound`; else drawn, with `standard_error`
  double bound = 0.0;  ///< of the absolute error of a computed probability
  double standard_error = 0.0;
  std::size_t draws = 0;
  std::vector<double> priors;
  std::vector<double> by_class;    ///< P(x outside of R_k | C_k)
  std::vector<PairError> pairs;    ///< (0,1), (0,2), ..., (1,2), ...
  std::vector<double> boundaries;  ///< in one dimension: where the decision changes
  std::optional<ThresholdError> threshold{};
};

/// Of a model that is Generative. Two Gaussians: by the law of the quadratic form that decides
/// between them, in closed form where they share a covariance; any number of them on a line: by
/// normal probabilities between their boundaries; everything else: by rows drawn from the model,
/// whose mean of 1 - max_k p(C_k | x) is the error. Calibration and thresholds are left aside. The
/// same numbers for any number of threads.
/// Throws Error(usage) for a model without densities, or a threshold that it has no place for.
[[nodiscard]] Misclassification misclassification(const Classifier& model,
                                                  const ErrorRequest& request = {},
                                                  const Context& context = {});

}  // namespace logodds::measure
