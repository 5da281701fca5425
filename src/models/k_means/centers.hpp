// Centers as means of their rows: sums that follow the rows that change their cluster.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/labelled_sums.hpp"
#include "models/k_means/problem.hpp"
#include "parallel/team.hpp"

namespace logodds::models::k_means {

/// Rows that changed their cluster, by piece, in the order of the rows; from -1: it had none.
using Changes = std::vector<std::vector<kernels::RowMove>>;

[[nodiscard]] std::size_t count_changes(const Changes& changes);

/// Weight and sum of the rows of every cluster, taken around the mean of all rows. Which additions
/// are made, and in which order, depends on the labels of all steps alone.
class ClusterSums {
 public:
  ClusterSums(const Problem& problem, parallel::Team& team);

  /// Follows `changes`, after which the rows have `labels`: only those rows, where they are few.
  void update(std::span<const std::int32_t> labels, const Changes& changes);
  /// Sums all rows anew, unless that has just been done; false then.
  bool renew(std::span<const std::int32_t> labels);
  [[nodiscard]] std::size_t rows(std::size_t cluster) const { return counts_[cluster]; }
  /// The centers of clusters that have a row; others stay as they are.
  void means(std::vector<double>& centers) const;

 private:
  void sum_all(std::span<const std::int32_t> labels);
  void sum_weights(std::span<const std::int32_t> labels);
  /// Adds what `work` leaves in the sums of each lane, in the order of the lanes.
  template <class Work>
  void add_lanes(Work work);

  const Problem& problem_;
  parallel::Team& team_;
  std::vector<double> shift_;  ///< mean of all rows, or about it
  std::vector<double> sums_;   ///< clusters x columns: sum of w (x - shift)
  std::vector<std::size_t> counts_;
  std::vector<double> weights_;
  bool fresh_ = false;  ///< the sums are of all rows, without what changes leave of rounding
};

}  // namespace logodds::models::k_means
