#include "models/k_means/start.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "kernels/kernels.hpp"
#include "random/row_draws.hpp"

namespace logodds::models::k_means {

namespace {

bool same_row(const Problem& problem, std::size_t a, std::size_t b) {
  return std::equal(problem.row(a), problem.row(a) + problem.rows.columns, problem.row(b));
}

/// By the numbers of a row; -0 and 0 are one number.
struct RowHash {
  const Problem* problem;
  std::size_t operator()(std::size_t r) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < problem->rows.columns; ++i) {
      const auto bits = std::bit_cast<std::uint64_t>(problem->row(r)[i] + 0.0);
      hash = std::rotl(hash ^ bits, 27) * 0x9E3779B97F4A7C15U;
    }
    return hash ^ (hash >> 32U);
  }
};

struct RowEqual {
  const Problem* problem;
  bool operator()(std::size_t a, std::size_t b) const { return same_row(*problem, a, b); }
};

using RowSet = std::unordered_set<std::size_t, RowHash, RowEqual>;

RowSet no_rows(const Problem& problem) {
  return RowSet(2 * problem.clusters, RowHash{&problem}, RowEqual{&problem});
}

/// The first row that is not in `taken`; there must be one.
std::size_t any_other(const RowSet& taken) {
  std::size_t r = 0;
  while (taken.contains(r)) { ++r; }
  return r;
}

std::vector<double> rows_as_centers(const Problem& problem, const std::vector<std::size_t>& rows) {
  std::vector<double> centers;
  centers.reserve(rows.size() * problem.rows.columns);
  for (const std::size_t r : rows) {
    centers.insert(centers.end(), problem.row(r), problem.row(r) + problem.rows.columns);
  }
  return centers;
}

/// The numbers of a start: rows have one each, and there is one sequence besides.
std::uint64_t stream(std::size_t which, std::size_t row) {
  return std::uint64_t{which} << 40U | row;
}
constexpr std::size_t kSequence = (std::size_t{1} << 40U) - 1;

/// Rows that differ, drawn without replacement by their weights: in the order of -ln u / w
/// (Efraimidis & Spirakis, Information Processing Letters 97, 2006).
std::vector<std::size_t> random_rows(const Problem& problem, std::uint64_t seed,
                                     std::size_t which) {
  std::vector<std::pair<double, std::size_t>> keys(problem.rows.rows);
  for (std::size_t r = 0; r < keys.size(); ++r) {
    const double u = random::RowDraws(seed, stream(which, r)).uniform();
    keys[r] = {-random::portable_log(u) / problem.weight(r), r};
  }
  std::ranges::make_heap(keys, std::greater<>());
  RowSet taken = no_rows(problem);
  std::vector<std::size_t> rows;
  while (rows.size() < problem.clusters) {
    std::ranges::pop_heap(keys, std::greater<>());
    if (taken.insert(keys.back().second).second) { rows.push_back(keys.back().second); }
    keys.pop_back();
  }
  return rows;
}

/// Rows drawn one after the other, each with probability proportional to w |x - nearest so far|^2.
class PlusPlus {
 public:
  PlusPlus(const Problem& problem, std::uint64_t seed, std::size_t which, parallel::Team& team)
      : problem_(problem),
        team_(team),
        draws_(seed, stream(which, kSequence)),
        taken_(no_rows(problem)),
        nearest_(problem.rows.rows, std::numeric_limits<double>::infinity()),
        shares_(problem.rows.rows) {}

  std::vector<std::size_t> rows() {
    for (std::size_t r = 0; r < shares_.size(); ++r) { shares_[r] = problem_.weight(r); }
    take(draw(piece_sums()));
    while (rows_.size() < problem_.clusters) { take(best_candidate()); }
    return std::move(rows_);
  }

 private:
  /// Sums of the shares, by piece.
  std::vector<double> piece_sums() const {
    std::vector<double> sums(problem_.pieces.count());
    for (std::size_t p = 0; p < sums.size(); ++p) {
      const Piece piece = problem_.pieces[p];
      sums[p] = std::accumulate(shares_.begin() + static_cast<std::ptrdiff_t>(piece.first),
                                shares_.begin() + static_cast<std::ptrdiff_t>(piece.last), 0.0);
    }
    return sums;
  }

  /// A row by its share.
  std::size_t draw(const std::vector<double>& sums) {
    double left = draws_.uniform() * std::accumulate(sums.begin(), sums.end(), 0.0);
    std::size_t p = 0;
    while (p + 1 < sums.size() && left >= sums[p]) { left -= sums[p++]; }
    const Piece piece = problem_.pieces[p];
    std::size_t found = piece.first;
    for (std::size_t r = piece.first; r < piece.last; ++r) {
      if (shares_[r] <= 0.0) { continue; }
      found = r;
      if (left < shares_[r]) { break; }
      left -= shares_[r];
    }
    return found;
  }

  /// Calls use(piece, row, distances) with the squared distances of a row to some rows.
  template <class Use>
  void each_distance(const std::vector<std::size_t>& to, Use use) {
    constexpr std::size_t kRows = 64;
    const std::vector<double> points = rows_as_centers(problem_, to);
    const std::size_t d = problem_.rows.columns;
    team_.each(problem_.pieces.count(), [&](std::size_t p) {
      std::vector<double> distances(kRows * to.size());
      const Piece piece = problem_.pieces[p];
      for (std::size_t r = piece.first; r < piece.last; r += kRows) {
        const std::size_t n = std::min(kRows, piece.last - r);
        kernels::squared_distances(problem_.row(r), n, problem_.rows.stride, points.data(),
                                   to.size(), d, d, distances.data());
        for (std::size_t i = 0; i < n; ++i) { use(p, r + i, distances.data() + i * to.size()); }
      }
    });
  }

  void take(std::size_t row) {
    rows_.push_back(row);
    taken_.insert(row);
    each_distance({row}, [&](std::size_t, std::size_t r, const double* distance) {
      nearest_[r] = std::min(nearest_[r], *distance);
      shares_[r] = problem_.weight(r) * nearest_[r];
    });
  }

  /// Of 2 + ln K candidates the one that leaves the least E.
  std::size_t best_candidate() {
    const std::vector<double> sums = piece_sums();
    const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
    if (!(total > 0.0)) { return any_other(taken_); }
    std::vector<std::size_t> candidates(
        2 + static_cast<std::size_t>(std::log(static_cast<double>(problem_.clusters))));
    for (std::size_t& candidate : candidates) { candidate = draw(sums); }
    const std::size_t count = candidates.size();
    std::vector<double> left(problem_.pieces.count() * count, 0.0);
    each_distance(candidates, [&](std::size_t p, std::size_t r, const double* distances) {
      for (std::size_t c = 0; c < count; ++c) {
        left[p * count + c] += problem_.weight(r) * std::min(nearest_[r], distances[c]);
      }
    });
    std::vector<double> errors(count, 0.0);
    for (std::size_t i = 0; i < left.size(); ++i) { errors[i % count] += left[i]; }
    return candidates[static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin())];
  }

  const Problem& problem_;
  parallel::Team& team_;
  random::RowDraws draws_;
  RowSet taken_;
  std::vector<std::size_t> rows_;
  std::vector<double> nearest_;  ///< squared distance of every row to the nearest row taken
  std::vector<double> shares_;   ///< of every row, up to a factor
};

}  // namespace

std::size_t count_different(const Problem& problem, std::size_t most) {
  RowSet met = no_rows(problem);
  for (std::size_t r = 0; r < problem.rows.rows && met.size() < most; ++r) { met.insert(r); }
  return met.size();
}

std::vector<double> start_centers(const Problem& problem, KMeansStart start, std::uint64_t seed,
                                  std::size_t which, parallel::Team& team) {
  return rows_as_centers(problem, start == KMeansStart::random
                                      ? random_rows(problem, seed, which)
                                      : PlusPlus(problem, seed, which, team).rows());
}

}  // namespace logodds::models::k_means
