// How well two groupings of the same rows agree: clusters and labels. A statistic: add, merge,
// finish.
#pragma once

#include <cstddef>
#include <vector>

namespace logodds::measure {

class Agreement {
 public:
  Agreement(std::size_t clusters, std::size_t classes);

  void add(std::size_t cluster, std::size_t label, double weight = 1.0);
  void merge(const Agreement& other);

  [[nodiscard]] std::size_t clusters() const { return clusters_; }
  [[nodiscard]] std::size_t classes() const { return classes_; }
  /// Row-major clusters x classes: weight of the rows in both.
  [[nodiscard]] const std::vector<double>& counts() const { return counts_; }
  /// Share of the rows that have the label which is the most frequent in their cluster.
  [[nodiscard]] double purity() const;
  /// Hubert & Arabie (Journal of Classification 2, 1985): the share of pairs of rows on which the
  /// groupings agree, so scaled that chance gives 0 on average and two equal groupings give 1. A
  /// row of weight w counts as w rows.
  [[nodiscard]] double adjusted_rand_index() const;

 private:
  std::size_t clusters_;
  std::size_t classes_;
  std::vector<double> counts_;
};

}  // namespace logodds::measure
