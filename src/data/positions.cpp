#include "logodds/data/positions.hpp"

namespace logodds {

std::vector<std::size_t> positions_of(const Schema& schema) {
  std::vector<std::size_t> positions;
  positions.reserve(schema.columns.size());
  std::size_t numbers = 0;
  std::size_t coded = 0;
  std::size_t texts = 0;
  for (const Column& column : schema.columns) {
    positions.push_back(column.text() ? texts++ : column.coded() ? coded++ : numbers++);
  }
  return positions;
}

}  // namespace logodds
