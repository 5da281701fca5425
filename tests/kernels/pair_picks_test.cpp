#include "kernels/pair_picks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/sample.hpp"
#include "kernels/softmax_single.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

/// A pass over rows, and what it has to pick.
struct Picked {
  Rows rows;
  std::size_t k;
  std::vector<double> weights;
  PairPicks picks;
  std::vector<double> overlap;  ///< by pair: sum_r w_r p_b p_c
  std::vector<double> curvature;

  Picked(std::size_t n, std::size_t classes, double rate, std::size_t every = 1)
      : rows(n, 5, 1), k(classes), weights(positive_values(n)) {
    picks = {.rate = rate, .every = every, .first = 7000};
  }

  void run() {
    const std::vector<double> zeros(rows.d, 0.0);
    const std::vector<double> ones(rows.d, 1.0);
    std::vector<double> theta(rows.d * k);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      theta[i] = std::sin(1.3 * static_cast<double>(i));
    }
    const std::vector<double> bias(k, 0.0);
    const std::vector<std::int32_t> labels(rows.n, 0);
    const SingleMap map{rows.d, k, zeros.data(), ones.data(), theta.data(), bias.data()};
    std::vector<double> gradient((rows.d + 1) * k, 0.0);
    picks.picks.clear();
    picks.curvature.clear();
    static_cast<void>(softmax_add_single(rows.first(), rows.n, rows.stride, map, labels.data(),
                                         weights.data(), gradient.data(), {}, &picks));
    overlap.assign(k * (k - 1) / 2, 0.0);
    curvature.assign(k, 0.0);
    std::vector<double> p(k);
    for (std::size_t r = 0; r < rows.n; ++r) {
      for (std::size_t c = 0; c < k; ++c) {
        p[c] = 0.0;
        for (std::size_t i = 0; i < rows.d; ++i) { p[c] += rows.at(r, i) * theta[i * k + c]; }
        p[c] = std::exp(p[c]);
      }
      const double sum = std::accumulate(p.begin(), p.end(), 0.0);
      for (double& share : p) { share /= sum; }
      for (std::size_t c = 0; c < k; ++c) {
        curvature[c] += weights[r] * p[c] * (1.0 - p[c]);
        for (std::size_t b = 0; b < c; ++b) {
          overlap[c * (c - 1) / 2 + b] += weights[r] * p[b] * p[c];
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("picks: of every pair as many rows as it has overlap, within what chance leaves") {
  for (const std::size_t k : {2U, 3U, 5U, 10U}) {
    for (const double rate : {0.3, 2.0, 9.0}) {
      Picked picked(5000, k, rate);
      for_each_level([&] {
        picked.run();
        const PickedRows rows(picked.picks);
        REQUIRE(rows.pairs() == k * (k - 1) / 2);
        std::size_t all = 0;
        for (std::size_t pair = 0; pair < rows.pairs(); ++pair) {
          const double wanted = rate * picked.overlap[pair];
          const auto found = static_cast<double>(rows.of(pair).size());
          CHECK(std::abs(found - wanted) <= 8.0 + 5.0 * std::sqrt(wanted));
          CHECK(std::ranges::is_sorted(rows.of(pair)));
          all += rows.of(pair).size();
        }
        const double wanted = rate * std::reduce(picked.overlap.begin(), picked.overlap.end());
        CHECK(std::abs(static_cast<double>(all) - wanted) <= 20.0);  // sums start off evenly
        for (std::size_t c = 0; c < k; ++c) {
          CHECK(picked.picks.curvature[c] == doctest::Approx(picked.curvature[c]).epsilon(1e-4));
        }
        for (const auto& pick : picked.picks.picks) {
          CHECK(pick.row >= 7000);
          CHECK(pick.row < 12000);
        }
      });
    }
  }
}

TEST_CASE("picks: one of several tiles stands for all of them") {
  Picked picked(6000, 4, 2.0, 3);
  for_each_level([&] {
    picked.run();
    const double wanted = 2.0 * std::reduce(picked.overlap.begin(), picked.overlap.end());
    CHECK(static_cast<double>(picked.picks.picks.size()) == doctest::Approx(wanted).epsilon(0.1));
    for (std::size_t c = 0; c < 4; ++c) {
      CHECK(picked.picks.curvature[c] == doctest::Approx(picked.curvature[c]).epsilon(0.1));
    }
  });
}

TEST_CASE("picks: a row of huge weight is picked a few times, not without end") {
  Picked picked(300, 3, 1.0);
  picked.weights[100] = 0x1p50;
  for_each_level([&] {
    picked.run();
    const auto of_heavy = std::ranges::count(picked.picks.picks, 7100U, &PairPicks::Pick::row);
    CHECK(of_heavy == static_cast<std::ptrdiff_t>(PairPicks::kMostTimes));
    CHECK(picked.picks.picks.size() < 400);
  });
}

TEST_CASE("picks: a row that is picked often is picked for its pairs by their shares") {
  PairPicks picks{.rate = 1.0, .first = 3, .curvature = {0.0, 0.0, 0.0}};
  const std::vector<double> p{0.5, 0.3, 0.2};  // pairs .15, .1, .06 of .31
  picks.add_pairs(p.data(), 1, 2, 0.0, 15.5);
  std::vector<std::size_t> counts(3, 0);
  for (const auto& pick : picks.picks) {
    CHECK(pick.row == 5);
    ++counts.at(pick.pair);
  }
  CHECK(counts == std::vector<std::size_t>{7, 5, 3});
}
