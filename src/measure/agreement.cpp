#include "logodds/measure/agreement.hpp"

#include <algorithm>
#include <numeric>

namespace logodds::measure {

Agreement::Agreement(std::size_t clusters, std::size_t classes)
    : clusters_(clusters), classes_(classes), counts_(clusters * classes, 0.0) {}

void Agreement::add(std::size_t cluster, std::size_t label, double weight) {
  counts_[cluster * classes_ + label] += weight;
}

void Agreement::merge(const Agreement& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) { counts_[i] += other.counts_[i]; }
}

double Agreement::purity() const {
  double right = 0.0;
  for (std::size_t k = 0; k < clusters_; ++k) {
    const auto row = counts_.begin() + static_cast<std::ptrdiff_t>(k * classes_);
    right += *std::max_element(row, row + static_cast<std::ptrdiff_t>(classes_));
  }
  return right / std::accumulate(counts_.begin(), counts_.end(), 0.0);
}

double Agreement::adjusted_rand_index() const {
  std::vector<double> of_cluster(clusters_, 0.0);
  std::vector<double> of_class(classes_, 0.0);
  double squares = 0.0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    of_cluster[i / classes_] += counts_[i];
    of_class[i % classes_] += counts_[i];
    squares += counts_[i] * counts_[i];
  }
  const auto sum_of_squares = [](const std::vector<double>& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  };
  const double total = std::accumulate(of_cluster.begin(), of_cluster.end(), 0.0);
  // Ordered pairs of rows that are together in both, in the clusters only, in the labels only, in
  // neither.
  const double both = squares - total;
  const double clusters_only = sum_of_squares(of_cluster) - squares;
  const double labels_only = sum_of_squares(of_class) - squares;
  const double neither = total * total - total - both - clusters_only - labels_only;
  if (clusters_only == 0.0 && labels_only == 0.0) { return 1.0; }
  return 2.0 * (both * neither - labels_only * clusters_only) /
         ((both + labels_only) * (labels_only + neither) +
          (both + clusters_only) * (clusters_only + neither));
}

}  // namespace logodds::measure
