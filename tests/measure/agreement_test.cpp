#include "logodds/measure/agreement.hpp"

#include <doctest/doctest.h>

#include <vector>

using logodds::measure::Agreement;

namespace {

Agreement agreement(const std::vector<std::size_t>& clusters,
                    const std::vector<std::size_t>& labels) {
  Agreement result(4, 4);
  for (std::size_t r = 0; r < clusters.size(); ++r) { result.add(clusters[r], labels[r]); }
  return result;
}

}  // namespace

TEST_CASE("agreement: the adjusted Rand index is scikit-learn's") {
  // sklearn.metrics.adjusted_rand_score
  CHECK(agreement({0, 0, 1, 2}, {0, 0, 1, 1}).adjusted_rand_index() ==
        doctest::Approx(0.5714285714285714).epsilon(1e-14));
  CHECK(agreement({0, 0, 1, 1, 2, 2}, {0, 0, 0, 1, 1, 1}).adjusted_rand_index() ==
        doctest::Approx(0.24242424242424243).epsilon(1e-14));
  CHECK(agreement({0, 0, 1, 1}, {0, 1, 0, 1}).adjusted_rand_index() ==
        doctest::Approx(-0.5).epsilon(1e-14));
}

TEST_CASE("agreement: equal groupings agree whatever they are called, trivial ones too") {
  CHECK(agreement({0, 0, 1, 2, 2}, {3, 3, 0, 1, 1}).adjusted_rand_index() == 1.0);
  CHECK(agreement({0, 0, 0}, {1, 1, 1}).adjusted_rand_index() == 1.0);
  CHECK(agreement({0, 1, 2}, {2, 1, 0}).adjusted_rand_index() == 1.0);
  CHECK(agreement({0, 0, 0, 0}, {0, 1, 2, 3}).adjusted_rand_index() == 0.0);
}

TEST_CASE("agreement: purity, weights and merging") {
  Agreement first(2, 2);
  first.add(0, 0, 2.0);
  first.add(1, 1);
  Agreement second(2, 2);
  second.add(1, 0);
  second.add(1, 1);
  first.merge(second);
  CHECK(first.counts() == std::vector<double>{2.0, 0.0, 1.0, 2.0});
  CHECK(first.purity() == doctest::Approx(0.8));
  const Agreement rows = agreement({0, 0, 1, 1, 1}, {0, 0, 1, 0, 1});
  CHECK(first.adjusted_rand_index() == doctest::Approx(rows.adjusted_rand_index()).epsilon(1e-15));
}
