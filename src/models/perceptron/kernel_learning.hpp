// The perceptron with a kernel: Freund & Schapire, "Large margin classification using the
// perceptron algorithm", Machine Learning 37 (1999).
#pragma once

#include <vector>

#include "models/perceptron/kernel.hpp"
#include "models/perceptron/learning.hpp"

namespace logodds::models::perceptron {

/// Scores are sums over the rows that were mistaken once, the supports.
struct KernelWeights {
  std::vector<std::size_t> supports;  ///< rows, in the order of their first mistakes
  std::vector<double> last;           ///< supports x classes
  std::vector<double> mean;           ///< over all rows of all passes
  std::vector<Change> changes;        ///< `row` is a place in `supports`
  std::vector<std::size_t> mistakes;  ///< of every pass
  std::vector<double> last_scores;    ///< of the training rows, rows x classes
  std::vector<double> mean_scores;
};

/// The rows that were mistaken, in the order of their first mistakes; `row` of every change becomes
/// a place among them.
[[nodiscard]] std::vector<std::size_t> number_supports(std::vector<Change>& changes);

/// The scores of all rows are kept and changed at every mistake, so that passes cost nothing but
/// the kernel values of the rows that were mistaken. Throws Error(numeric) when scores overflow.
[[nodiscard]] KernelWeights learn_kernel(const InnerRows& rows, const Kernel& kernel,
                                         const Learning& learning);

}  // namespace logodds::models::perceptron
