// A factor that is a Gaussian with a full covariance in each class, over several columns of
// numbers.
#pragma once

#include "models/gaussian/densities.hpp"
#include "models/naive_bayes/factor.hpp"
#include "models/naive_bayes/joint_statistic.hpp"

namespace logodds::models::naive_bayes {

class GaussianFactor final : public Factor {
 public:
  /// A variance is at least `floor` times that of the column over all classes; where a covariance
  /// is singular, this is added to its diagonal, and a note says so. A class without rows gets the
  /// moments of all classes together, and a note says so. Throws Error(numeric) for a column that
  /// does not vary.
  GaussianFactor(const JointStatistic& joint, const std::vector<std::string>& labels, double floor,
                 std::vector<std::string>& notes);

  void add_log_densities(const ColumnBlock& block, double* scores) const override;
  void draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const override;
  [[nodiscard]] double parameter_count() const override;
  [[nodiscard]] std::optional<double> log_likelihood(
      const NaiveStatistics& statistics) const override;
  [[nodiscard]] std::optional<NaturalForm> natural() const override;
  [[nodiscard]] bool excludes() const override { return false; }
  [[nodiscard]] std::string law() const override { return "gaussian"; }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override;

 private:
  gaussian::Densities densities_;  ///< with priors of 1, that is ln pi_k = 0
  std::vector<double> traces_;     ///< tr(Sigma_k^-1 S_k) of the training rows
};

}  // namespace logodds::models::naive_bayes
