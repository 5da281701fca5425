#include "models/naive_bayes/tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logodds::models::naive_bayes {

namespace {

/// sum_k sum_lm n_klm ln (n_klm n_k / (n_kl n_km)) / N over the rows that have both columns.
double discrete_information(const CellCounts& counts, std::size_t classes) {
  const auto cells = counts.cells(classes);
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    std::vector<double> first;
    std::vector<double> second;
    double weight = 0.0;
    const auto add = [](std::vector<double>& sums, std::int32_t code, double more) {
      const auto at = static_cast<std::size_t>(code);
      if (at >= sums.size()) { sums.resize(at + 1, 0.0); }
      sums[at] += more;
    };
    for (const auto& cell : cells) {
      add(first, cell.codes[0], cell.weights[k]);
      add(second, cell.codes[1], cell.weights[k]);
      weight += cell.weights[k];
    }
    for (const auto& cell : cells) {
      const double n = cell.weights[k];
      if (n > 0.0) {
        sum += n * std::log(n * weight /
                            (first[static_cast<std::size_t>(cell.codes[0])] *
                             second[static_cast<std::size_t>(cell.codes[1])]));
      }
    }
    total += weight;
  }
  return total > 0.0 ? sum / total : 0.0;
}

/// sum_k N_k / N (-1/2) ln(1 - rho_k^2)
double gaussian_information(const ClassMoments& moments) {
  constexpr double kMostCorrelated = 1.0 - 1e-12;
  double sum = 0.0;
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    const double squares = moments.scatter(k, 0, 0) * moments.scatter(k, 1, 1);
    if (!(squares > 0.0)) { continue; }
    const double product = moments.scatter(k, 1, 0);
    const double square = std::min(product * product / squares, kMostCorrelated);
    sum -= 0.5 * moments.weight(k) * std::log1p(-square);
  }
  return moments.weight() > 0.0 ? sum / moments.weight() : 0.0;
}

/// Trees that are being joined: each column knows one on the way to its root.
class Forest {
 public:
  explicit Forest(std::size_t size) : up_(size) { std::iota(up_.begin(), up_.end(), 0U); }
  std::size_t root(std::size_t i) {
    while (up_[i] != i) { i = up_[i] = up_[up_[i]]; }
    return i;
  }
  /// False when both are in one tree already.
  bool join(std::size_t i, std::size_t j) {
    const std::size_t a = root(i);
    const std::size_t b = root(j);
    up_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<std::size_t> up_;
};

std::vector<TreeEdge> candidates(const NaiveStatistics& statistics, const Schema& schema,
                                 const std::vector<TreeKind>& kinds) {
  std::vector<TreeEdge> edges;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t j = i + 1; j < kinds.size(); ++j) {
      if (kinds[i] == TreeKind::none || kinds[i] != kinds[j]) { continue; }
      const JointStatistic* const joint = statistics.joint({i, j});
      if (joint == nullptr) { continue; }
      const bool discrete = kinds[i] == TreeKind::discrete;
      if (discrete ? !joint->cells() : !joint->moments()) { continue; }
      edges.push_back({j, i,
                       discrete ? discrete_information(*joint->cells(), schema.labels.size())
                                : gaussian_information(*joint->moments())});
    }
  }
  std::ranges::stable_sort(
      edges, [](const TreeEdge& a, const TreeEdge& b) { return a.information > b.information; });
  return edges;
}

/// Columns by the information on their edges, then by name: whatever their order in the table, the
/// same one is the root.
std::vector<std::size_t> roots(const std::vector<TreeEdge>& edges, const Schema& schema) {
  std::vector<double> information(schema.columns.size(), 0.0);
  for (const auto& edge : edges) {
    information[edge.child] += edge.information;
    information[edge.parent] += edge.information;
  }
  std::vector<std::size_t> order(schema.columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (information[a] != information[b]) { return information[a] > information[b]; }
    return schema.columns[a].name < schema.columns[b].name;
  });
  return order;
}

/// Turns edges away from the root of each tree.
std::vector<TreeEdge> directed(const std::vector<TreeEdge>& edges, const Schema& schema) {
  std::vector<TreeEdge> ordered;
  std::vector<bool> reached(schema.columns.size(), false);
  std::vector<std::size_t> open;
  for (const std::size_t root : roots(edges, schema)) {
    if (reached[root]) { continue; }
    reached[root] = true;
    open.assign(1, root);
    for (std::size_t at = 0; at < open.size(); ++at) {
      for (const auto& edge : edges) {
        const std::size_t from = open[at];
        if (edge.child != from && edge.parent != from) { continue; }
        const std::size_t to = edge.child == from ? edge.parent : edge.child;
        if (reached[to]) { continue; }
        reached[to] = true;
        open.push_back(to);
        ordered.push_back({to, from, edge.information});
      }
    }
  }
  return ordered;
}

}  // namespace

std::vector<TreeEdge> best_tree(const NaiveStatistics& statistics, const Schema& schema,
                                const std::vector<TreeKind>& kinds) {
  Forest forest(kinds.size());
  std::vector<TreeEdge> chosen;
  for (const auto& edge : candidates(statistics, schema, kinds)) {
    if (edge.information > 0.0 && forest.join(edge.child, edge.parent)) { chosen.push_back(edge); }
  }
  return directed(chosen, schema);
}

}  // namespace logodds::models::naive_bayes
