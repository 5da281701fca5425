// Moments in the coordinates of a design, or of its principal components: what covariances are made
// of once missing values have been dealt with.
#pragma once

#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/stats/class_moments.hpp"
#include "models/gaussian/densities.hpp"

namespace logodds::models::gaussian {

struct DesignMoments {
  std::size_t size = 0;          ///< D
  bool full = true;              ///< scatters are D x D; else D sums of squares
  std::vector<double> weights;   ///< N_k
  std::vector<double> means;     ///< K x D
  std::vector<double> scatters;  ///< K x D x D, both triangles, or K x D

  DesignMoments() = default;
  DesignMoments(std::size_t classes, std::size_t d, bool all_pairs);
  /// Those of complete rows, in the columns of the design.
  DesignMoments(const ClassMoments& all, const Design& design);

  [[nodiscard]] std::size_t classes() const { return weights.size(); }
  [[nodiscard]] double weight() const;
  [[nodiscard]] double* mean(std::size_t k) { return means.data() + k * size; }
  [[nodiscard]] const double* mean(std::size_t k) const { return means.data() + k * size; }
  [[nodiscard]] double* scatter(std::size_t k) { return scatters.data() + k * scatter_size(); }
  [[nodiscard]] const double* scatter(std::size_t k) const {
    return scatters.data() + k * scatter_size();
  }
  [[nodiscard]] std::size_t scatter_size() const { return full ? size * size : size; }
  /// sum_n w_n (x_ni - mean_i)^2.
  [[nodiscard]] double square(std::size_t k, std::size_t i) const {
    return scatter(k)[full ? i * size + i : i];
  }
  /// The largest |mean| of each column over some classes.
  [[nodiscard]] std::vector<double> magnitudes(const std::vector<std::size_t>& members) const;
};

/// The `count` leading principal components of all rows. Throws Error(usage) when fewer vary.
[[nodiscard]] Projection principal_components(const DesignMoments& moments, std::size_t count);
/// The moments of z = (x - center) A.
[[nodiscard]] DesignMoments projected(const DesignMoments& moments, const Projection& projection);

}  // namespace logodds::models::gaussian
