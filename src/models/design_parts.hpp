// Which column of the schema each column of its design belongs to.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/schema.hpp"

namespace logodds::models {

struct DesignParts {
  std::vector<std::string> names;      ///< of the schema's columns
  std::vector<std::size_t> of_design;  ///< for each column of the design, an index into `names`
};

[[nodiscard]] DesignParts design_parts(const Schema& schema, const Design& design);

}  // namespace logodds::models
