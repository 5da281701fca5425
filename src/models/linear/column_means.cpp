#include "models/linear/column_means.hpp"

#include <numeric>

namespace logodds::models::linear {

std::vector<double> column_means(const DesignRows& rows, const double* weights) {
  const double total = weights == nullptr ? static_cast<double>(rows.rows)
                                          : std::accumulate(weights, weights + rows.rows, 0.0);
  std::vector<double> mean(rows.columns, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> rest(rows.columns, 0.0);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const double share = (weights == nullptr ? 1.0 : weights[r]) / total;
      const double* const x = rows.data + r * rows.stride;
      for (std::size_t i = 0; i < rows.columns; ++i) { rest[i] += share * (x[i] - mean[i]); }
    }
    for (std::size_t i = 0; i < rows.columns; ++i) { mean[i] += rest[i]; }
  }
  return mean;
}

}  // namespace logodds::models::linear
