#include "logodds/registry/descriptive.hpp"

#include <algorithm>

namespace logodds {

namespace models::axes {
DescriptiveRecord pca();
DescriptiveRecord canonical();
}  // namespace models::axes
namespace models::line {
DescriptiveRecord record();
}  // namespace models::line

const std::vector<DescriptiveRecord>& descriptive_records() {
  static const std::vector<DescriptiveRecord> records{
      models::axes::pca(), models::axes::canonical(), models::line::record()};
  return records;
}

const DescriptiveRecord* find_descriptive(std::string_view name) {
  const auto found = std::ranges::find(descriptive_records(), name, &DescriptiveRecord::name);
  return found == descriptive_records().end() ? nullptr : &*found;
}

}  // namespace logodds
