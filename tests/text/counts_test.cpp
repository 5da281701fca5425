#include "logodds/text/counts.hpp"

#include <doctest/doctest.h>

namespace logodds {

TEST_CASE("thousands are set apart") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(123456) == "123,456");
  CHECK(grouped(1234567) == "1,234,567");
}

}  // namespace logodds
