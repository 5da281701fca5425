// A tree over the columns: each depends on the class and on one other column, the one it shares the
// most information with (Chow & Liu, 1968; Friedman, Geiger & Goldszmidt, Bayesian network
// classifiers, 1997). Discrete columns hang on discrete ones, Gaussian ones on Gaussian ones.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/naive_bayes/factor.hpp"
#include "models/naive_bayes/statistics.hpp"

namespace logodds::models::naive_bayes {

/// What sort of tree a column can be part of.
enum class TreeKind : std::uint8_t { none, discrete, gaussian };

struct TreeEdge {
  std::size_t child = 0;
  std::size_t parent = 0;
  double information = 0.0;  ///< I(X_child; X_parent | C), in nats
};

/// The trees of largest information; `kinds` by column of the schema. The root is the column
/// with most information on its edges; edges stand in an order in which every parent comes before
/// its children.
[[nodiscard]] std::vector<TreeEdge> best_tree(const NaiveStatistics& statistics,
                                              const Schema& schema,
                                              const std::vector<TreeKind>& kinds);

/// p(x_child | x_parent, C_k); `alone` is p(x_child | C_k), for rows that lack the parent.
[[nodiscard]] std::unique_ptr<Factor> tree_factor(const NaiveStatistics& statistics,
                                                  const Schema& schema, const TreeEdge& edge,
                                                  TreeKind kind, const ColumnRule& rule,
                                                  std::unique_ptr<ColumnLaw> alone);

}  // namespace logodds::models::naive_bayes
