#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

TEST_CASE("squared_distances has the same bits at every level") {
  for_each_shape([](const Rows& points) {
    for (const std::size_t n : {0UL, 1UL, 3UL, 4UL, 9UL}) {
      const Rows queries(n, points.d, 2);
      std::vector<double> expected(n * points.n);
      reference::squared_distances(queries.first(), n, queries.stride, points.first(), points.n,
                                   points.stride, points.d, expected.data());
      for_each_level([&] {
        std::vector<double> actual(n * points.n, -1.0);
        squared_distances(queries.first(), n, queries.stride, points.first(), points.n,
                          points.stride, points.d, actual.data());
        CHECK(actual == expected);
      });
    }
  });
}

TEST_CASE("squared_distances is zero for a point itself and equal for mirrored points") {
  const std::vector<double> query{0.1, 0.2, 0.3};
  const std::vector<double> points{0.1, 0.2, 0.3, 0.4, 0.2, 0.3, -0.2, 0.2, 0.3};
  for_each_level([&] {
    std::vector<double> found(3);
    squared_distances(query.data(), 1, 3, points.data(), 3, 3, 3, found.data());
    CHECK(found[0] == 0.0);
    CHECK(found[1] == doctest::Approx(found[2]));
    CHECK(found[1] == (0.1 - 0.4) * (0.1 - 0.4));
  });
}
