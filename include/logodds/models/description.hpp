// What a fitted model says about itself, for tables and for JSON alike.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace logodds {

using Cell = std::variant<std::string, double, std::int64_t>;

struct DescriptionTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

struct Description {
  std::vector<std::pair<std::string, Cell>> facts;
  std::vector<DescriptionTable> tables;
};

}  // namespace logodds
