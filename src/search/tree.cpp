#include "search/tree.hpp"

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
  for (std::size_t q = 0; q < queries.rows; ++q) {
    candidates.clear();
    search(queries.data + q * queries.stride, candidates);
    use(q, candidates.sorted());
  }
}

std::size_t Tree::search(const double* query, Candidates& candidates) const {
  return kernels::search_tree(tree_, query, candidates.limit(), candidates);
}

}  // namespace logodds::search
