// Rows to their nearest centers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/k_means/centers.hpp"
#include "models/k_means/problem.hpp"
#include "parallel/team.hpp"

namespace logodds::models::k_means {

/// Keeps the labels of all rows up to date while centers move.
class Assignment {
 public:
  Assignment(const Problem& problem, parallel::Team& team);
  Assignment(const Assignment&) = delete;
  Assignment& operator=(const Assignment&) = delete;
  virtual ~Assignment() = default;

  /// Every row to the nearest of `centers` (clusters x columns), ties to the lower index.
  void assign(const std::vector<double>& centers);
  /// Gives a row to another cluster than the nearest, until the next assign(); no change of it.
  void put(std::size_t row, std::int32_t cluster);

  [[nodiscard]] std::span<const std::int32_t> labels() const { return labels_; }
  [[nodiscard]] std::vector<std::int32_t> take_labels() { return std::move(labels_); }
  /// What the last assign() changed.
  [[nodiscard]] const Changes& changes() const { return changes_; }
  [[nodiscard]] std::size_t changed() const { return count_changes(changes_); }

 protected:
  /// The rows of one piece; calls set() for each that changes.
  virtual void assign_piece(std::size_t piece, const double* centers) = 0;
  /// Before the pieces.
  virtual void begin(const std::vector<double>& /*centers*/) {}
  /// The row was put elsewhere.
  virtual void forget(std::size_t /*row*/) {}

  void set(std::size_t piece, std::size_t row, std::int32_t cluster) {
    if (labels_[row] == cluster) { return; }
    changes_[piece].push_back({row, labels_[row], cluster});
    labels_[row] = cluster;
  }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] parallel::Team& team() const { return team_; }

 private:
  const Problem& problem_;
  parallel::Team& team_;
  std::vector<std::int32_t> labels_;
  Changes changes_;
};

/// Lloyd's: all distances of all rows.
[[nodiscard]] std::unique_ptr<Assignment> all_distances(const Problem& problem,
                                                        parallel::Team& team);

/// The same labels by the triangle inequality, which rules out most distances.
[[nodiscard]] std::unique_ptr<Assignment> triangle(const Problem& problem, parallel::Team& team);

/// Squared distances of the rows of a piece to their own centers, in kernels::squared_distances's
/// order of additions.
void own_distances(const Problem& problem, Piece piece, std::span<const std::int32_t> labels,
                   const double* centers, double* out);

}  // namespace logodds::models::k_means
