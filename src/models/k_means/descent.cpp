#include "models/k_means/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "models/k_means/centers.hpp"

namespace logodds::models::k_means {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

class Descent {
 public:
  Descent(const Problem& problem, const DescentPlan& plan, std::vector<double> centers,
          parallel::Team& team)
      : problem_(problem),
        plan_(plan),
        team_(team),
        sums_(problem, team),
        assignment_((plan.triangle ? triangle : all_distances)(problem, team)),
        centers_(std::move(centers)) {}

  KMeansResult run(const std::function<void(std::size_t, double)>& told) {
    assignment_->assign(centers_);
    note_step(0);
    for (std::size_t step = 1;; ++step) {
      told(step - 1, result_.steps.back().error);
      if (result_.end != KMeansEnd::max_steps || step > plan_.max_steps) { break; }
      take_step(step == plan_.max_steps);
    }
    return finished();
  }

 private:
  void take_step(bool last) {
    sums_.update(assignment_->labels(), assignment_->changes());
    const std::size_t reseeded = reseed();
    if (last) { sums_.renew(assignment_->labels()); }
    const double moved = move();
    assignment_->assign(centers_);
    if (assignment_->changed() == 0 && sums_.renew(assignment_->labels())) {
      move();
      assignment_->assign(centers_);
    }
    note_step(reseeded);
    if (reseeded > 0) { return; }
    if (moved <= plan_.least_move) {
      result_.end = KMeansEnd::small_move;
    } else if (assignment_->changed() == 0) {
      result_.end = KMeansEnd::no_change;
    }
  }

  /// Centers to the means of their rows; the sum of their squared moves.
  double move() {
    const std::vector<double> before = centers_;
    sums_.means(centers_);
    return std::transform_reduce(centers_.begin(), centers_.end(), before.begin(), 0.0,
                                 std::plus<>(),
                                 [](double a, double b) { return (a - b) * (a - b); });
  }

  /// The rows farthest from their centers, each different, become the clusters that have no row.
  std::size_t reseed() {
    std::vector<std::int32_t> empty;
    for (std::size_t k = 0; k < problem_.clusters; ++k) {
      if (sums_.rows(k) == 0) { empty.push_back(static_cast<std::int32_t>(k)); }
    }
    if (empty.empty()) { return 0; }
    const std::vector<std::size_t> rows = farthest_rows(empty.size());
    Changes changes(problem_.pieces.count());
    for (std::size_t e = 0; e < rows.size(); ++e) {
      changes.front().push_back({rows[e], assignment_->labels()[rows[e]], empty[e]});
      assignment_->put(rows[e], empty[e]);
    }
    sums_.update(assignment_->labels(), changes);
    return rows.size();
  }

  std::vector<double> distances() const {
    std::vector<double> all(problem_.rows.rows);
    team_.each(problem_.pieces.count(), [&](std::size_t p) {
      const Piece piece = problem_.pieces[p];
      own_distances(problem_, piece, assignment_->labels(), centers_.data(),
                    all.data() + piece.first);
    });
    return all;
  }

  /// None that is alone in its cluster, which would be empty then.
  std::vector<std::size_t> farthest_rows(std::size_t count) const {
    const std::vector<double> distance = distances();
    std::vector<std::size_t> order(distance.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return distance[a] != distance[b] ? distance[a] > distance[b] : a < b;
    });
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < problem_.clusters; ++k) { left.push_back(sums_.rows(k)); }
    std::vector<std::size_t> rows;
    const std::size_t d = problem_.rows.columns;
    for (const std::size_t r : order) {
      if (rows.size() == count) { break; }
      std::size_t& rows_left = left[static_cast<std::size_t>(assignment_->labels()[r])];
      const bool again = std::ranges::any_of(rows, [&](std::size_t other) {
        return std::equal(problem_.row(r), problem_.row(r) + d, problem_.row(other));
      });
      if (again || rows_left == 1) { continue; }
      --rows_left;
      rows.push_back(r);
    }
    return rows;
  }

  void note_step(std::size_t reseeded) {
    result_.steps.push_back({plan_.trace ? error() : kUnknown, assignment_->changed(), reseeded});
  }

  /// E: by piece, in the order of the pieces.
  double error() {
    const std::vector<double> by_cluster = cluster_errors();
    return std::accumulate(by_cluster.begin(), by_cluster.end(), 0.0);
  }

  /// The share of every cluster in E.
  std::vector<double> cluster_errors() const {
    const std::size_t pieces = problem_.pieces.count();
    std::vector<std::vector<double>> errors(pieces);
    team_.each(pieces, [&](std::size_t p) {
      const Piece piece = problem_.pieces[p];
      std::vector<double> distances(piece.last - piece.first);
      own_distances(problem_, piece, assignment_->labels(), centers_.data(), distances.data());
      errors[p].assign(problem_.clusters, 0.0);
      for (std::size_t r = piece.first; r < piece.last; ++r) {
        errors[p][static_cast<std::size_t>(assignment_->labels()[r])] +=
            problem_.weight(r) * distances[r - piece.first];
      }
    });
    std::vector<double> sums(problem_.clusters, 0.0);
    for (const auto& piece : errors) {
      for (std::size_t k = 0; k < sums.size(); ++k) { sums[k] += piece[k]; }
    }
    return sums;
  }

  KMeansResult finished() {
    result_.errors = cluster_errors();
    result_.error = std::accumulate(result_.errors.begin(), result_.errors.end(), 0.0);
    result_.steps.back().error = result_.error;
    result_.weights.assign(problem_.clusters, 0.0);
    for (std::size_t r = 0; r < problem_.rows.rows; ++r) {
      result_.weights[static_cast<std::size_t>(assignment_->labels()[r])] += problem_.weight(r);
    }
    result_.centers = std::move(centers_);
    result_.labels = assignment_->take_labels();
    return std::move(result_);
  }

  const Problem& problem_;
  DescentPlan plan_;
  parallel::Team& team_;
  ClusterSums sums_;
  std::unique_ptr<Assignment> assignment_;
  std::vector<double> centers_;
  KMeansResult result_;
};

}  // namespace

KMeansResult descend(const Problem& problem, const DescentPlan& plan, std::vector<double> centers,
                     parallel::Team& team, const std::function<void(std::size_t, double)>& told) {
  return Descent(problem, plan, std::move(centers), team).run(told);
}

}  // namespace logodds::models::k_means
