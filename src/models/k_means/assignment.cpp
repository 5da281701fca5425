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

std::size_t Assignment::changed() const {
  std::size_t count = 0;
  for (const auto& piece : changes_) { count += piece.size(); }
  return count;
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

void own_distances(const Problem& problem, Piece piece, std::span<const std::int32_t> labels,
                   const double* centers, double* out) {
  const std::size_t d = problem.rows.columns;
  for (std::size_t r = piece.first; r < piece.last; ++r) {
    const double* const x = problem.row(r);
    const double* const center = centers + static_cast<std::size_t>(labels[r]) * d;
    double sum = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      const double difference = x[i] - center[i];
      sum += difference * difference;
    }
    out[r - piece.first] = sum;
  }
}

}  // namespace logodds::models::k_means
