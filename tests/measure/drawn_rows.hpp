// Rows with posteriors that are somewhat wrong, for tests of measures.
#pragma once

#include <cmath>
#include <vector>

#include "logodds/measure/measures.hpp"
#include "random/row_draws.hpp"

namespace logodds::test {

/// Adds rows of `classes` classes, the first the most frequent. The evidence for the truth is
/// normal, and the posteriors take it for weaker and the classes for equally frequent.
inline void add_drawn_rows(measure::Measures& to, std::size_t rows, std::uint64_t seed,
                           bool weighted = false) {
  const std::size_t classes = to.classes();
  std::vector<double> posteriors(classes);
  for (std::size_t r = 0; r < rows; ++r) {
    random::RowDraws draws(seed, r);
    const double u = draws.uniform();
    const std::size_t truth =
        u < 0.5 ? 0
                : 1 + static_cast<std::size_t>((u - 0.5) * 2.0 * static_cast<double>(classes - 1));
    double sum = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      posteriors[k] = std::exp(0.7 * (draws.normal() + (k == truth ? 1.6 : 0.0)));
      sum += posteriors[k];
    }
    for (double& p : posteriors) { p /= sum; }
    to.add(truth, posteriors, weighted ? 0.5 + 1.5 * draws.uniform() : 1.0);
  }
}

}  // namespace logodds::test
