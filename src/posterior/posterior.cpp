#include "logodds/posterior/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"

namespace logodds::posterior {

std::size_t first_overflow(std::span<const double> scores, std::size_t classes) {
  const std::size_t rows = scores.size() / classes;
  if (kernels::all_finite(scores.data(), rows, classes, classes)) { return rows; }
  for (std::size_t r = 0; r < rows; ++r) {
    double top = -std::numeric_limits<double>::infinity();
    bool good = true;
    for (const double score : scores.subspan(r * classes, classes)) {
      top = std::max(top, score);
      good = good && !std::isnan(score);
    }
    if (!good || !std::isfinite(top)) { return r; }
  }
  return rows;
}

void from_log_scores(std::span<double> scores, std::size_t classes) {
  kernels::softmax_rows(scores.data(), scores.size() / classes, classes, nullptr);
}

void from_log_scores(std::span<double> scores, std::size_t classes, std::span<double> log_sums) {
  kernels::softmax_rows(scores.data(), scores.size() / classes, classes, log_sums.data());
}

}  // namespace logodds::posterior
