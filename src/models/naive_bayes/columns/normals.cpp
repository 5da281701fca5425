#include "models/naive_bayes/columns/normals.hpp"

#include "kernels/kernels.hpp"

namespace logodds::models::naive_bayes::columns {

Normals::Normals(const ColumnSummary& rows, const ClassMoments& moments, const ColumnRule& rule,
                 std::string_view family) {
  for (std::size_t k = 0; k < moments.classes.size(); ++k) {
    const Moments& own = moments.classes[k];
    const double variance =
        floored_variance(rows, k, own.variance, moments.overall.variance, rule, family);
    means_.push_back(own.mean);
    deviations_.push_back(std::sqrt(variance));
    precisions_.push_back(1.0 / variance);
    biases_.push_back(-0.5 * std::log(variance) - kHalfLog2Pi);
  }
}

void Normals::add_scores(std::span<const double> x, std::size_t stride, double* scores) const {
  kernels::gaussian_column_add(x.data(), x.size(), means_.data(), precisions_.data(),
                               biases_.data(), classes(), stride, scores);
}

double Normals::log_likelihood(const std::vector<double>& weights, const std::vector<double>& means,
                               const std::vector<double>& scatters) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < classes(); ++k) {
    // sum w (x - m)^2 = scatter + weight (mean - m)^2
    const double off = means[k] - means_[k];
    const double squares = scatters[k] + weights[k] * off * off;
    sum += times(weights[k], biases_[k]) - 0.5 * precisions_[k] * squares;
  }
  return sum;
}

NaturalForm Normals::natural(std::string first, std::string second) const {
  NaturalForm form{{std::move(first), std::move(second)}, {}, {}};
  for (std::size_t k = 0; k < classes(); ++k) {
    form.parameters.push_back(means_[k] * precisions_[k]);
    form.parameters.push_back(-0.5 * precisions_[k]);
    form.log_partitions.push_back(0.5 * means_[k] * means_[k] * precisions_[k] +
                                  std::log(deviations_[k]));
  }
  return form;
}

}  // namespace logodds::models::naive_bayes::columns
