#include "models/linear/separation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/data/schema.hpp"

namespace logodds::models::linear {

std::string direction_text(std::span<const double> weights,
                           const std::vector<std::string>& features) {
  constexpr std::size_t kShown = 4;
  constexpr double kNegligible = 0.005;  // of the length
  double length = 0.0;
  for (const double weight : weights) { length = std::hypot(length, weight); }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return std::abs(weights[i]); };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::string text;
  std::size_t shown = 0;
  for (; shown < std::min(order.size(), kShown); ++shown) {
    const double share = std::round(100.0 * weights[order[shown]] / length) / 100.0;
    if (!(std::abs(share) > kNegligible)) { break; }
    text += text.empty() ? (share < 0.0 ? "-" : "") : (share < 0.0 ? " - " : " + ");
    text += format_number(std::abs(share)) + " '" + features[order[shown]] + "'";
  }
  const bool more = shown < order.size() && size(order[shown]) > kNegligible * length;
  return more ? text + " + ..." : text;
}

Error separation_error(const SeparatingDirection& direction,
                       const std::vector<std::string>& features) {
  const std::string along = direction_text(direction.weights, features);
  if (!direction.proven) {
    return {ErrorCode::numeric,
            "the classes are separable, or so nearly that no coefficients are found: these grow on "
            "along " +
                along + " (in standardized columns), where rows of '" + direction.high +
                "' lie beyond those of '" + direction.low +
                "', however small a penalty is; add one, such as --decay 0.01"};
  }
  return {ErrorCode::numeric,
          "the classes are separable: along " + along +
              " (in standardized columns) every row of '" + direction.high +
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
