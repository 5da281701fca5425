// One normal law a class: of the numbers of a column, or of their logarithms.
#pragma once

#include "models/naive_bayes/columns/common.hpp"

namespace logodds::models::naive_bayes::columns {

class Normals {
 public:
  /// ML means and variances (divisor: the class's weight), floored.
  Normals(const ColumnSummary& rows, const ClassMoments& moments, const ColumnRule& rule,
          std::string_view family);

  [[nodiscard]] std::size_t classes() const { return means_.size(); }
  /// -1/2 ln(2 pi v) - (x - m)^2 / (2 v)
  [[nodiscard]] double log_density(std::size_t k, double x) const {
    const double deviation = x - means_[k];
    return biases_[k] - 0.5 * precisions_[k] * deviation * deviation;
  }
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const;
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const {
    return means_[k] + deviations_[k] * draws.normal();
  }
  [[nodiscard]] double log_likelihood(const std::vector<double>& weights,
                                      const std::vector<double>& means,
                                      const std::vector<double>& scatters) const;
  /// eta = (m / v, -1 / (2 v)), A = m^2 / (2 v) + 1/2 ln v.
  [[nodiscard]] NaturalForm natural(std::string first, std::string second) const;
  [[nodiscard]] const std::vector<double>& means() const { return means_; }
  [[nodiscard]] const std::vector<double>& deviations() const { return deviations_; }

 private:
  std::vector<double> means_;
  std::vector<double> deviations_;
  std::vector<double> precisions_;
  std::vector<double> biases_;
};

}  // namespace logodds::models::naive_bayes::columns
