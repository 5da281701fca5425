// Centers as means of their rows: sums that follow the rows that change their cluster.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/k_means/problem.hpp"
#include "parallel/team.hpp"

namespace logodds::models::k_means {

/// A row that has left a cluster.
struct Change {
  std::size_t row;
  std::int32_t from;  ///< -1: it had none
};

/// The changes of one assignment, by piece, in the order of the rows.
using Changes = std::vector<std::vector<Change>>;

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
  [[nodiscard]] double weight(std::size_t cluster) const { return weights_[cluster]; }
  /// The centers of clusters that have a row; others stay as they are.
  void means(std::vector<double>& centers) const;

 private:
  void add(std::size_t row, std::int32_t cluster, double sign, double* sums) const;
  void count(std::span<const std::int32_t> labels, const Changes& changes);
  void sum_all(std::span<const std::int32_t> labels);
  void take_weights();
  /// Adds what `work` leaves in the sums of each lane, in the order of the lanes.
  template <class Work>
  void add_lanes(Work work);

  const Problem& problem_;
  parallel::Team& team_;
  std::size_t width_;          ///< columns and the weight
  std::vector<double> shift_;  ///< mean of all rows
  std::vector<double> sums_;   ///< clusters x width: sum of w (x - shift), then sum of w
  std::vector<std::size_t> counts_;
  std::vector<double> weights_;
  bool fresh_ = false;  ///< the sums are of all rows, without what changes leave of rounding
};

}  // namespace logodds::models::k_means
