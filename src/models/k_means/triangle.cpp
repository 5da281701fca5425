// Rows whose cluster cannot have changed are left alone. What is known of a row is one number: how
// far its two nearest centers are apart in distance. As long as the moves of its own center and of
// the one of the others that moved most sum to less, the triangle inequality keeps it where it is
// (Hamerly, Making k-means even faster, SDM 2010). The sums of the moves are kept by cluster, so a
// row that stays costs a comparison.
//
// The other rows are compared with all centers in floats, whose error is bounded; where this does
// not tell the nearest center, the distances in doubles do that AllDistances would take. So the
// labels are the same.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/kernels.hpp"
#include "kernels/nearest.hpp"
#include "memory/large_array.hpp"
#include "models/k_means/assignment.hpp"

namespace logodds::models::k_means {

namespace {

constexpr double kFloatUnit = 0x1p-24;
constexpr double kDoubleUnit = 0x1p-53;
/// Slack for the roundings of a bound itself.
constexpr double kUp = 1.0 + 1e-6;

class Triangle final : public Assignment {
 public:
  Triangle(const Problem& problem, parallel::Team& team)
      : Assignment(problem, team),
        d_(problem.rows.columns),
        shift_(d_, 0.0),
        rows_(memory::LargeArray<float>::for_overwrite(problem.rows.rows * d_)),
        lengths_(memory::LargeArray<float>::for_overwrite(problem.rows.rows)),
        limits_(memory::LargeArray<float>::for_overwrite(problem.rows.rows)),
        values_(problem.clusters * d_),
        half_norms_(problem.clusters),
        moved_(problem.clusters, 0.0),
        moved_floats_(problem.clusters, 0.0F) {
    choose_units();
    this->team().each(problem.pieces.count(), [&](std::size_t p) { convert(problem.pieces[p]); });
  }

 private:
  /// Around the mean of some rows, in units of a power of 2 above the farthest value.
  void choose_units() {
    const DesignRows& rows = problem().rows;
    const std::size_t step = 1 + rows.rows / 1024;
    std::size_t count = 0;
    for (std::size_t r = 0; r < rows.rows; r += step) {
      ++count;
      for (std::size_t i = 0; i < d_; ++i) {
        shift_[i] += (problem().row(r)[i] - shift_[i]) / static_cast<double>(count);
      }
    }
    std::vector<double> farthest(problem().pieces.count(), 0.0);
    team().each(farthest.size(), [&](std::size_t p) {
      const Piece piece = problem().pieces[p];
      for (std::size_t r = piece.first; r < piece.last; ++r) {
        farthest[p] = std::max(farthest[p], length(problem().row(r), 1.0));
      }
    });
    longest_ = *std::ranges::max_element(farthest);
    unit_ = longest_ > 0.0 ? std::ldexp(1.0, -std::ilogb(longest_) - 1) : 1.0;
    longest_ *= unit_;
  }

  [[nodiscard]] double length(const double* x, double unit) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < d_; ++i) {
      const double off = (x[i] - shift_[i]) * unit;
      sum += off * off;
    }
    return std::sqrt(sum);
  }

  void convert(Piece piece) {
    for (std::size_t r = piece.first; r < piece.last; ++r) {
      const double* const x = problem().row(r);
      float* const to = rows_.data() + r * d_;
      for (std::size_t i = 0; i < d_; ++i) {
        to[i] = static_cast<float>((x[i] - shift_[i]) * unit_);
      }
      lengths_[r] = static_cast<float>(length(x, unit_) * kUp);
      limits_[r] = -std::numeric_limits<float>::infinity();
    }
  }

  void begin(const std::vector<double>& centers) override {
    if (!centers_.empty()) { add_moves(centers); }
    centers_ = centers;
    double longest = 0.0;
    for (std::size_t k = 0; k < problem().clusters; ++k) {
      const double* const center = centers.data() + k * d_;
      for (std::size_t i = 0; i < d_; ++i) {
        values_[i * problem().clusters + k] = static_cast<float>((center[i] - shift_[i]) * unit_);
      }
      const double norm = length(center, unit_);
      half_norms_[k] = static_cast<float>(0.5 * norm * norm);
      longest = std::max(longest, norm);
    }
    set_margins(longest);
  }

  /// Errors of g = |c|^2 / 2 - x.c in floats, and of half a squared distance in doubles, for
  /// centers of this length: see kernels::nearest_two. Numbers of rows and centers are rounded to
  /// floats, which adds 3 units.
  void set_margins(double longest) {
    const double terms = static_cast<double>(d_) + 6.0;
    const double in_floats = 1.02 * terms * kFloatUnit;
    const double in_doubles = 2.0 * terms * kDoubleUnit;
    const double reach = longest + longest_;
    margin_ = {static_cast<float>(in_floats * 0.5 * longest * longest + in_doubles * reach * reach +
                                  terms * 0x1p-120),
               static_cast<float>(in_floats * longest)};
    least_gap_ = 4.0 * terms * kDoubleUnit * reach;
    constexpr double kMost = 0x1p50;  // of which the square is far from overflowing
    floats_will_do_ = longest < kMost;
  }

  /// moved_[k] grows by what can have come between a row of k and the other centers.
  void add_moves(const std::vector<double>& centers) {
    std::vector<double> moves(problem().clusters);
    for (std::size_t k = 0; k < moves.size(); ++k) {
      double sum = 0.0;
      for (std::size_t i = k * d_; i < (k + 1) * d_; ++i) {
        const double off = (centers[i] - centers_[i]) * unit_;
        sum += off * off;
      }
      moves[k] = std::sqrt(sum) * kUp;
    }
    const auto most = std::ranges::max_element(moves);
    double next = 0.0;
    for (auto move = moves.begin(); move != moves.end(); ++move) {
      if (move != most) { next = std::max(next, *move); }
    }
    for (std::size_t k = 0; k < moves.size(); ++k) {
      const bool farthest = most - moves.begin() == static_cast<std::ptrdiff_t>(k);
      moved_[k] += moves[k] + (farthest ? next : *most);
      moved_floats_[k] = static_cast<float>(moved_[k] * kUp);
    }
  }

  void forget(std::size_t row) override { limits_[row] = -std::numeric_limits<float>::infinity(); }

  void assign_piece(std::size_t piece, const double* centers) override {
    const Piece range = problem().pieces[piece];
    const std::size_t n = range.last - range.first;
    std::vector<std::uint32_t> open(n + kernels::kUnsettledRoom);
    std::size_t count = n;
    if (labels()[range.first] < 0) {
      std::iota(open.begin(), open.end(), 0U);
    } else {
      count = kernels::unsettled_rows(labels().data() + range.first, limits_.data() + range.first,
                                      n, moved_floats_.data(), open.data());
    }
    if (floats_will_do_) { count = settle_in_floats(piece, open.data(), count); }
    settle_in_doubles(piece, open.data(), count, centers);
  }

  /// Leaves those in `open` for which floats are too coarse; how many.
  std::size_t settle_in_floats(std::size_t piece, std::uint32_t* open, std::size_t count) {
    const std::size_t first = problem().pieces[piece].first;
    std::vector<std::int32_t> nearest(count);
    std::vector<float> gaps(count);
    kernels::nearest_centers(rows_.data() + first * d_, lengths_.data() + first, open, count,
                             {values_.data(), half_norms_.data(), problem().clusters, d_}, margin_,
                             nearest.data(), gaps.data());
    std::size_t left = 0;
    for (std::size_t m = 0; m < count; ++m) {
      if (gaps[m] > 0.0F) {
        settle(piece, first + open[m], nearest[m], static_cast<double>(gaps[m]));
      } else {
        open[left++] = open[m];
      }
    }
    return left;
  }

  void settle_in_doubles(std::size_t piece, const std::uint32_t* open, std::size_t count,
                         const double* centers) {
    const std::size_t k = problem().clusters;
    std::vector<double> distances(k);
    for (std::size_t m = 0; m < count; ++m) {
      const std::size_t row = problem().pieces[piece].first + open[m];
      kernels::squared_distances(problem().row(row), 1, d_, centers, k, d_, d_, distances.data());
      const auto nearest = std::ranges::min_element(distances);
      const auto center = static_cast<std::int32_t>(nearest - distances.begin());
      const double best = std::exchange(*nearest, std::numeric_limits<double>::infinity());
      const double second = *std::ranges::min_element(distances);
      settle(piece, row, center, (std::sqrt(second) - std::sqrt(best)) * unit_ / kUp);
    }
  }

  /// The nearest center is nearer than any other by at least `gap`.
  void settle(std::size_t piece, std::size_t row, std::int32_t center, double gap) {
    set(piece, row, center);
    const double limit = moved_[static_cast<std::size_t>(center)] + gap - least_gap_;
    limits_[row] = static_cast<float>(limit - std::abs(limit) * (kUp - 1.0));
  }

  std::size_t d_;
  std::vector<double> shift_;
  double unit_ = 1.0;
  double longest_ = 0.0;               ///< length of the longest row
  memory::LargeArray<float> rows_;     ///< (x - shift) unit
  memory::LargeArray<float> lengths_;  ///< of these, rounded up
  memory::LargeArray<float> limits_;   ///< the row stays while moved_ of its cluster is below
  std::vector<float> values_;          ///< centers as kernels::FloatCenters
  std::vector<float> half_norms_;
  std::vector<double> centers_;  ///< of the last assignment
  std::vector<double> moved_;
  std::vector<float> moved_floats_;  ///< the same, rounded up
  kernels::FloatMargin margin_{};
  bool floats_will_do_ = true;
  double least_gap_ = 0.0;  ///< nearer than this, doubles may round to another decision
};

}  // namespace

std::unique_ptr<Assignment> triangle(const Problem& problem, parallel::Team& team) {
  return std::make_unique<Triangle>(problem, team);
}

}  // namespace logodds::models::k_means
