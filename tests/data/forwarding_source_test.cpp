#include "logodds/data/forwarding_source.hpp"

#include <doctest/doctest.h>

#include "data/csv_source.hpp"

namespace logodds {

TEST_CASE("a forwarding source is the source behind it") {
  const auto source =
      open_csv_bytes("y,x,w\na,1,2\nb,3,4\n", "table.csv", {.target = "y", .weights = "w"});
  ForwardingSource same(*source);
  CHECK(same.name() == source->name());
  CHECK(same.target() == "y");
  CHECK(same.weights() == "w");
  CHECK(same.columns().size() == 1);
  CHECK(same.place(1) == source->place(1));
  CHECK(same.notes() == source->notes());
  CHECK_FALSE(same.keep_sparse());
  RowBuffer buffer;
  REQUIRE(same.take(buffer));
  same.parse(buffer);
  CHECK(buffer.weights == std::vector<double>{2.0, 4.0});
  CHECK(buffer.labels.size() == 2);
  CHECK_FALSE(same.take(buffer));
  CHECK(same.fraction_taken() == source->fraction_taken());
}

}  // namespace logodds
