#include "logodds/data/positions.hpp"

#include <doctest/doctest.h>

namespace logodds {

TEST_CASE("every column has its position among those of its kind") {
  const Schema schema{.columns = {{"a", ColumnKind::real, {}},
                                  {"b", ColumnKind::categorical, {"x", "y", "z"}},
                                  {"c", ColumnKind::text, {}},
                                  {"d", ColumnKind::count, {}},
                                  {"e", ColumnKind::binary, {"no", "yes"}},
                                  {"f", ColumnKind::binary, {}}},
                      .target = "y",
                      .labels = {}};
  CHECK(positions_of(schema) == std::vector<std::size_t>{0, 0, 0, 1, 1, 2});
  CHECK(positions_of({}).empty());
}

}  // namespace logodds
