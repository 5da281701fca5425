// What rows without a label come to under Gaussian densities: posteriors and the moments that they
// weigh, in one pass of vector code.
#pragma once

#include <memory>
#include <vector>

#include "logodds/models/em.hpp"
#include "models/gaussian/gaussian.hpp"

namespace logodds::models::gaussian {

/// As em::Expectation, which takes what is not complete rows of numbers.
class GaussianExpectation {
 public:
  GaussianExpectation(const GaussianDiscriminant& model, const GaussianStatistics& empty,
                      const Shape& shape);

  void add(const RowBlock& block);
  void finish() { plain_.finish(); }
  void merge(const GaussianExpectation& other);
  [[nodiscard]] GaussianStatistics take_statistics();
  [[nodiscard]] double log_likelihood() const { return log_likelihood_ + plain_.log_likelihood(); }

 private:
  /// The densities as the kernel takes them; shared by copies.
  struct Densities {
    std::vector<double> means;
    std::vector<double> factors;  ///< empty: diagonal
    std::vector<double> inverse_diagonals;
    std::vector<double> bias;
  };
  [[nodiscard]] static std::shared_ptr<const Densities> densities_of(
      const gaussian::Densities& densities);

  const Shape& shape_;
  SecondMoments second_;
  bool fast_;
  std::shared_ptr<const Densities> densities_;
  // Around the means of the densities: see kernels::MixtureSums.
  std::vector<double> weights_;
  std::vector<double> sums_;
  std::vector<double> products_;
  double log_likelihood_ = 0.0;
  em::Expectation<GaussianFamily> plain_;
};

}  // namespace logodds::models::gaussian
