// Errors of a model by rows drawn from it.
#pragma once

#include <vector>

#include "logodds/measure/misclassification.hpp"
#include "logodds/models/generative.hpp"

namespace logodds::measure {

/// Sums over drawn rows x of f(x), from which means and their standard errors follow.
struct DrawnSums {
  double rows = 0.0;
  double error = 0.0;            ///< 1 - max_k p_k
  double squares = 0.0;          ///< of that
  std::vector<double> by_class;  ///< K: p_k where k is not decided
  /// For each pair j < k, with p_j and p_k alone: the smaller one, where it is j's and where it is
  /// k's, and the square of the smaller.
  std::vector<double> first_lost;
  std::vector<double> second_lost;
  std::vector<double> pair_squares;

  explicit DrawnSums(std::size_t classes, bool pairs);
  void add(std::span<const double> posteriors);
  void merge(const DrawnSums& other);
  [[nodiscard]] double mean() const { return error / rows; }
  [[nodiscard]] double standard_error() const;
};

/// Draws rounds of rows, each as many as all before, until the request is satisfied. `pairs`: pairs
/// of classes are looked at, too.
[[nodiscard]] DrawnSums draw_errors(const Classifier& model, const Generative& generative,
                                    const ErrorRequest& request, bool pairs,
                                    const Context& context);

}  // namespace logodds::measure
