#include "models/k_means/assignment.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"

namespace logodds::models::k_means {

Assignment::Assignment(const Problem& problem, parallel::Team& team)
    : problem_(problem),
      team_(team),
      labels_(problem.rows.rows, -1),
      changes_(problem.pieces.count()) {}

void Assignment::assign(const std::vector<double>& centers) {
  begin(centers);
  team_.each(problem_.pieces.count(), [&](std::size_t piece) {
    changes_[piece].clear();
    assign_piece(piece, centers.data());
  });
}

void Assignment::put(std::size_t row, std::int32_t cluster) {
  labels_[row] = cluster;
  forget(row);
}

namespace {

class AllDistances final : public Assignment {
 public:
  using Assignment::Assignment;

 private:
  void assign_piece(std::size_t piece, const double* centers) override {
    const DesignRows& rows = problem().rows;
    const std::size_t k = problem().clusters;
    const std::size_t chunk = std::clamp<std::size_t>(16384 / k, 4, 256);
    std::vector<double> distances(chunk * k);
    const Piece range = problem().pieces[piece];
    for (std::size_t r = range.first; r < range.last; r += chunk) {
      const std::size_t n = std::min(chunk, range.last - r);
      kernels::squared_distances(problem().row(r), n, rows.stride, centers, k, rows.columns,
                                 rows.columns, distances.data());
      for (std::size_t i = 0; i < n; ++i) {
        const double* const row = distances.data() + i * k;
        set(piece, r + i, static_cast<std::int32_t>(std::min_element(row, row + k) - row));
      }
    }
  }
};

}  // namespace

std::unique_ptr<Assignment> all_distances(const Problem& problem, parallel::Team& team) {
  return std::make_unique<AllDistances>(problem, team);
}

namespace {

/// Of several rows at the same time, because the additions of one wait for each other.
template <std::size_t Rows>
void distances_of(const Problem& problem, std::size_t first, std::span<const std::int32_t> labels,
                  const double* centers, double* out) {
  const std::size_t d = problem.rows.columns;
  double sums[Rows] = {};
  const double* center[Rows];
  for (std::size_t t = 0; t < Rows; ++t) {
    center[t] = centers + static_cast<std::size_t>(labels[first + t]) * d;
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t t = 0; t < Rows; ++t) {
      const double difference = problem.row(first + t)[i] - center[t][i];
      sums[t] += difference * difference;
    }
  }
  std::copy_n(sums, Rows, out);
}

}  // namespace

void own_distances(const Problem& problem, Piece piece, std::span<const std::int32_t> labels,
                   const double* centers, double* out) {
  constexpr std::size_t kRows = 8;
  std::size_t r = piece.first;
  for (; r + kRows <= piece.last; r += kRows) {
    distances_of<kRows>(problem, r, labels, centers, out + (r - piece.first));
  }
  for (; r < piece.last; ++r) {
    distances_of<1>(problem, r, labels, centers, out + (r - piece.first));
  }
}

}  // namespace logodds::models::k_means
