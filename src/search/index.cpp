#include "search/index.hpp"

#include <algorithm>
#include <numeric>

#include "search/brute_force.hpp"
#include "search/tree.hpp"

namespace logodds::search {

namespace {

/// Fewer points are quickly compared, and more columns leave no box far away.
constexpr std::size_t kWorthTree = 1024;
constexpr std::size_t kMostColumns = 24;

/// The share of the points that a search for `rows` neighbors of one of them looks at.
double share_looked_at(const Tree& tree, const DesignRows& points, std::size_t rows) {
  constexpr std::size_t kTrials = 64;
  Candidates candidates(Wanted{.rows = std::min(rows, points.rows)});
  std::size_t tiles = 0;
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    candidates.clear();
    const std::size_t row = trial * points.rows / kTrials;
    tiles += tree.search(points.data + row * points.stride, candidates);
  }
  return static_cast<double>(tiles * kernels::kTilePoints) /
         static_cast<double>(kTrials * points.rows);
}

/// How much longer a tree takes for a point that it looks at than brute force for one of all.
constexpr double price(Measure measure) { return measure == Measure::squares ? 10.0 : 4.0; }

}  // namespace

std::vector<std::uint32_t> Index::order(const DesignRows& queries) const {
  std::vector<std::uint32_t> order(queries.rows);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

std::unique_ptr<Index> make_index(const DesignRows& points, Measure measure, std::size_t rows,
                                  int threads) {
  if (points.rows >= kWorthTree && points.columns <= kMostColumns) {
    auto tree = std::make_unique<Tree>(points, measure, threads);
    if (share_looked_at(*tree, points, rows) * price(measure) < 1.0) { return tree; }
  }
  return std::make_unique<BruteForce>(points, measure, threads);
}

}  // namespace logodds::search
