#include "kernels/pair_picks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace logodds::kernels {

namespace {

/// The pair in which sums of p_b p_c, in the order of the pairs, come to exceed `place`.
template <class T>
std::size_t pair_at(const T* p, std::size_t stride, std::size_t classes, double place) {
  auto below = static_cast<double>(p[0]);
  std::size_t c = 1;
  for (; c + 1 < classes; ++c) {
    const auto share = static_cast<double>(p[c * stride]);
    if (place < share * below) { break; }
    place -= share * below;
    below += share;
  }
  place /= static_cast<double>(p[c * stride]);
  std::size_t b = 0;
  for (; b + 1 < c; ++b) {
    place -= static_cast<double>(p[b * stride]);
    if (place < 0.0) { break; }
  }
  return c * (c - 1) / 2 + b;
}

}  // namespace

void PairPicks::join(const PairPicks& other) {
  picks.insert(picks.end(), other.picks.begin(), other.picks.end());
  curvature.resize(other.curvature.size(), 0.0);
  std::ranges::transform(curvature, other.curvature, curvature.begin(), std::plus<>());
}

double PairPicks::start(std::size_t i) const {
  constexpr double kGolden = 0.6180339887498949;
  constexpr double kPlastic = 0.7548776662466927;
  const double place = kGolden * static_cast<double>(i + 1) + kPlastic * static_cast<double>(first);
  return place - std::floor(place);
}

template <class T>
void PairPicks::add_pairs(const T* p, std::size_t stride, std::size_t row, double before,
                          double sum) {
  const std::size_t classes = curvature.size();
  double all = 1.0;
  for (std::size_t c = 0; c < classes; ++c) {
    all -= static_cast<double>(p[c * stride]) * static_cast<double>(p[c * stride]);
  }
  const double step = 0.5 * all / (sum - before);  // of sum_{b < c} p_b p_c, from pick to pick
  const double times = std::min(std::floor(sum), kMostTimes);
  for (double t = 1.0; t <= times; ++t) {
    add(pair_at(p, stride, classes, step * (t - before)), row);
  }
}

template void PairPicks::add_pairs(const float*, std::size_t, std::size_t, double, double);
template void PairPicks::add_pairs(const double*, std::size_t, std::size_t, double, double);

PickedRows::PickedRows(const PairPicks& picks)
    : starts_(picks.curvature.size() * (picks.curvature.size() - 1) / 2 + 1, 0),
      rows_(picks.picks.size()) {
  for (const auto& pick : picks.picks) { ++starts_[pick.pair + 1]; }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (const auto& pick : picks.picks) { rows_[next[pick.pair]++] = pick.row; }
}

}  // namespace logodds::kernels
