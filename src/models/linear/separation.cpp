#include "models/linear/separation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logodds::models::linear {

Error separation_error(const SeparatingDirection& direction,
                       const std::vector<std::string>& features) {
  constexpr std::size_t kShown = 4;
  constexpr double kSmall = 0.05;  // of the largest: not worth a name
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return std::abs(direction.weights[i]); };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::string named;
  for (std::size_t i = 0; i < std::min(order.size(), kShown); ++i) {
    if (i > 0 && size(order[i]) < kSmall * size(order[0])) { break; }
    named += (i > 0 ? ", " : "") + std::string(direction.weights[order[i]] < 0.0 ? "-" : "+") +
             features[order[i]];
  }
  return {ErrorCode::numeric,
          "the classes are separable: along (" + named + ") every row of '" + direction.high +
              "' lies beyond every row of '" + direction.low +
              "', or level with it, so that without a penalty the coefficients grow without end; "
              "add one, such as --decay 0.01"};
}

bool nearly_separable(double loss, std::span<const std::int32_t> labels, const double* weights) {
  constexpr double kShare = 0.01;
  std::vector<double> sums;
  double total = 0.0;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const auto k = static_cast<std::size_t>(labels[r]);
    if (k >= sums.size()) { sums.resize(k + 1, 0.0); }
    const double w = weights == nullptr ? 1.0 : weights[r];
    sums[k] += w;
    total += w;
  }
  double of_shares = 0.0;
  for (const double sum : sums) {
    if (sum > 0.0) { of_shares -= sum * std::log(sum / total); }
  }
  return loss < kShare * of_shares;
}

}  // namespace logodds::models::linear
