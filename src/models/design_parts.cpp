#include "models/design_parts.hpp"

namespace logodds::models {

DesignParts design_parts(const Schema& schema, const Design& design) {
  DesignParts parts;
  std::vector<std::size_t> numeric;  // schema columns by their position among those of numbers
  std::vector<std::size_t> coded;
  for (const Column& column : schema.columns) {
    (column.coded() ? coded : numeric).push_back(parts.names.size());
    parts.names.push_back(column.name);
  }
  for (const DesignColumn& column : design.columns()) {
    parts.of_design.push_back((column.level < 0 ? numeric : coded)[column.position]);
  }
  return parts;
}

}  // namespace logodds::models
