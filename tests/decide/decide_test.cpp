#include "logodds/decide/decide.hpp"

#include <doctest/doctest.h>

#include <vector>

TEST_CASE("ties go to the class that comes first") {
  CHECK(logodds::decide::argmax(std::vector<double>{0.4, 0.4, 0.2}) == 0);
  CHECK(logodds::decide::argmax(std::vector<double>{0.2, 0.4, 0.4}) == 1);
}
