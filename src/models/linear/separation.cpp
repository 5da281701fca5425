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

}  // namespace logodds::models::linear
