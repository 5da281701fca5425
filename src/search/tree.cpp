#include "search/tree.hpp"

#include <numeric>

#include "search/tree_builder.hpp"

namespace logodds::search {

kernels::BoxTree TreeParts::view(std::size_t d, Measure measure) const {
  return {.d = d,
          .measure = measure,
          .first_leaf = first_leaf,
          .root_boxes = root_boxes,
          .boxes = boxes.data(),
          .points = points.data(),
          .rows = rows.data(),
          .begins = begins.data()};
}

Tree::Tree(const DesignRows& points, Measure measure, int threads)
    : parts_(build_tree(points, threads)), tree_(parts_.view(points.columns, measure)) {}

void Tree::nearest(const DesignRows& queries, const Wanted& wanted, const Use& use) const {
  Candidates candidates(wanted);
  const auto search_all = [&](const double* data, std::size_t first, std::size_t count) {
    kernels::search_tree_for_all(tree_, data, count, candidates, [&](std::size_t q) {
      use(first + q, candidates.sorted());
      candidates.clear();
    });
  };
  if (queries.stride == queries.columns) { return search_all(queries.data, 0, queries.rows); }
  for (std::size_t q = 0; q < queries.rows; ++q) {
    search_all(queries.data + q * queries.stride, q, 1);
  }
}

/// By bucket, counted.
std::vector<std::uint32_t> Tree::order(const DesignRows& queries) const {
  std::vector<std::uint16_t> buckets(queries.rows);
  std::vector<std::uint32_t> places(parts_.cuts.parts() + 1, 0);
  parts_.cuts.find(queries, 0, queries.rows, [&](std::size_t query, std::size_t bucket) {
    buckets[query] = static_cast<std::uint16_t>(bucket);
    ++places[bucket + 1];
  });
  std::partial_sum(places.begin(), places.end(), places.begin());
  std::vector<std::uint32_t> order(queries.rows);
  for (std::uint32_t query = 0; query < order.size(); ++query) {
    order[places[buckets[query]]++] = query;
  }
  return order;
}

std::size_t Tree::search(const double* query, Candidates& candidates) const {
  return kernels::search_tree(tree_, query, candidates.limit(), candidates);
}

}  // namespace logodds::search
