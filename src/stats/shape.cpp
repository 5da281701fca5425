#include "logodds/stats/shape.hpp"

#include <algorithm>
#include <iterator>

namespace logodds {

Shape shape_of(const Schema& schema) {
  Shape shape{.classes = schema.labels.size(), .numeric = schema.numeric_count(), .levels = {}};
  for (const auto& column : schema.columns) {
    if (column.coded()) { shape.levels.push_back(column.levels.size()); }
  }
  return shape;
}

std::vector<std::string> united(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
  std::vector<std::string> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all), label_less);
  return all;
}

std::vector<std::int32_t> codes_between(const std::vector<std::string>& from,
                                        const std::vector<std::string>& to) {
  std::vector<std::int32_t> map;
  map.reserve(from.size());
  for (const auto& value : from) {
    const auto at = std::lower_bound(to.begin(), to.end(), value, label_less);
    map.push_back(static_cast<std::int32_t>(at - to.begin()));
  }
  return map;
}

}  // namespace logodds
