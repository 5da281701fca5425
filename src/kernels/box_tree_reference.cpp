#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/box_tree.hpp"

namespace logodds::kernels::reference {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double term(const BoxTree& tree, double off) {
  return tree.measure == Measure::squares ? off * off : std::abs(off);
}

double box_distance(const BoxTree& tree, std::size_t node, std::size_t b, const double* query) {
  double sum = 0.0;
  for (std::size_t i = 0; i < tree.d; ++i) {
    const double* const box = tree.boxes + (node * tree.d + i) * 2 * kNodeBoxes + b;
    const double below = box[0] - query[i];
    const double above = query[i] - box[kNodeBoxes];
    sum += term(tree, below > 0.0 || std::isnan(below) ? below : std::max(above, 0.0));
  }
  return sum;
}

/// One query on its way.
struct Search {
  const BoxTree& tree;
  const double* query;
  double limit;
  Taker& taker;
  std::size_t looked_at = 0;

  void look_at(std::size_t tile) {
    std::array<double, kTilePoints> distances{};
    std::uint32_t near = 0;
    for (std::size_t p = 0; p < kTilePoints; ++p) {
      for (std::size_t i = 0; i < tree.d; ++i) {
        const double y = tree.points[(tile * tree.d + i) * kTilePoints + p];
        distances[p] += term(tree, query[i] - y);
      }
      if (distances[p] <= limit) { near |= std::uint32_t{1} << p; }
    }
    ++looked_at;
    if (near != 0) { limit = taker.take(near, distances.data(), tree.rows + tile * kTilePoints); }
  }

  void look_into(std::size_t node) {
    if (node >= tree.first_leaf) {
      const std::uint32_t* const begins = tree.begins + (node - tree.first_leaf);
      for (std::size_t tile = begins[0]; tile < begins[1]; ++tile) { look_at(tile); }
      return;
    }
    std::array<double, kNodeBoxes> distances{};
    std::array<std::size_t, kNodeBoxes> order{};
    std::size_t count = 0;
    for (std::size_t b = 0; b < kNodeBoxes; ++b) {
      distances[b] = box_distance(tree, node, b, query);
      if (!std::isnan(distances[b])) { order[count++] = b; }
    }
    std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
    std::size_t taken = 0;
    const bool leaves = tree.below(node) >= tree.first_leaf;
    for (; taken < count && !(leaves && limit < kInfinity); ++taken) {
      if (distances[order[taken]] <= limit) { look_into(tree.below(node) + order[taken]); }
    }
    // With a limit, leaves in the order of their numbers.
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(taken),
              order.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = taken; i < count; ++i) {
      if (distances[order[i]] <= limit) { look_into(tree.below(node) + order[i]); }
    }
  }
};

}  // namespace

std::size_t search_tree(const BoxTree& tree, const double* query, double limit, Taker& taker) {
  Search search{tree, query, limit, taker};
  search.look_into(0);
  return search.looked_at;
}

void search_tree_for_all(const BoxTree& tree, const double* queries, std::size_t count,
                         Taker& taker, const AfterQuery& after) {
  for (std::size_t q = 0; q < count; ++q) {
    reference::search_tree(tree, queries + q * tree.d, kInfinity, taker);
    after(q);
  }
}

}  // namespace logodds::kernels::reference
