// Points to the leaves and boxes of a k-d tree.
#pragma once

#include "logodds/data/design.hpp"
#include "search/tree.hpp"

namespace logodds::search {

[[nodiscard]] TreeParts build_tree(const DesignRows& points, int threads);

}  // namespace logodds::search
