// Where the label changes along straight edges, for many edges at once.
#pragma once

#include <vector>

#include "draw/partition.hpp"

namespace logodds::draw {

/// From `begin`, which has label `first`, to `end`, which has `second`.
struct Edge {
  Point begin;
  Point end;
  std::int32_t first = 0;
  std::int32_t second = 0;
};

[[nodiscard]] Point along(const Edge& edge, double share);

/// Of every edge where its label changes, as shares of its length and in their order. All edges are
/// searched together, by ITP (Oliveira and Takahashi, ACM TOMS 47, 2020): never more steps than by
/// halves, far fewer where margins are smooth. A third label on the way is found where a step meets
/// it.
[[nodiscard]] std::vector<std::vector<Change>> find_changes(const Labeling& labeling,
                                                            const std::vector<Edge>& edges);

}  // namespace logodds::draw
