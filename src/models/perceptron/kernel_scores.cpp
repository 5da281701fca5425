#include "models/perceptron/kernel_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/linear/feature_rows.hpp"

namespace logodds::models::perceptron {

KernelScores::KernelScores(linear::Features features, InnerUnits units, Kernel kernel,
                           Supports supports, std::vector<double> coefficients, std::size_t classes)
    : features_(std::move(features)),
      units_(std::move(units)),
      kernel_(kernel),
      supports_(std::move(supports)),
      coefficients_(std::move(coefficients)),
      classes_(classes),
      voted_(false) {}

KernelScores::KernelScores(linear::Features features, InnerUnits units, Kernel kernel,
                           Supports supports, std::vector<Change> changes, std::size_t classes)
    : features_(std::move(features)),
      units_(std::move(units)),
      kernel_(kernel),
      supports_(std::move(supports)),
      changes_(std::move(changes)),
      classes_(classes),
      voted_(true) {}

void KernelScores::log_scores(const RowBlock& block, std::span<double> out) const {
  if (units_.sparse) {
    score_sparse(block, out);
    return;
  }
  constexpr std::size_t kTile = 64;  // rows whose products are in the cache together
  const std::size_t d = units_.center.size();
  std::vector<double> scratch;
  const DesignRows x = features_.encode(block, scratch);
  std::vector<double> tile(kTile * d);
  std::vector<double> products(kTile * supports_.size());
  for (std::size_t first = 0; first < x.rows; first += kTile) {
    const std::size_t n = std::min(kTile, x.rows - first);
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t i = 0; i < d; ++i) {
        tile[r * d + i] = (x.data[(first + r) * x.stride + i] - units_.center[i]) / units_.unit[i];
      }
    }
    supports_.products(tile.data(), n, products);
    for (std::size_t r = 0; r < n; ++r) {
      double squared = 0.0;
      for (std::size_t i = 0; i < d; ++i) { squared += tile[r * d + i] * tile[r * d + i]; }
      score_row({products.data() + r * supports_.size(), supports_.size()}, squared,
                out.subspan((first + r) * classes_, classes_));
    }
  }
}

void KernelScores::score_sparse(const RowBlock& block, std::span<double> out) const {
  std::vector<double> spread(units_.unit.size(), 0.0);
  std::vector<double> products(supports_.size());
  linear::each_row(block, features_, [&](std::size_t r, const linear::FeatureRow& row) {
    double squared = 0.0;
    for (std::size_t j = 0; j < row.indices.size(); ++j) {
      const double z = row.values[j] / units_.unit[row.indices[j]];
      spread[row.indices[j]] = z;
      squared += z * z;
    }
    supports_.products(spread.data(), 1, products);
    for (const auto index : row.indices) { spread[index] = 0.0; }
    score_row(products, squared, out.subspan(r * classes_, classes_));
  });
}

void KernelScores::score_row(std::span<double> products, double squared,
                             std::span<double> out) const {
  for (std::size_t s = 0; s < products.size(); ++s) {
    products[s] = kernel_.of(products[s], supports_.squared(s), squared);
  }
  if (!voted_) {
    sum(products, out);
  } else {
    vote(products, out);
  }
}

void KernelScores::sum(std::span<const double> values, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t s = 0; s < values.size(); ++s) {
    for (std::size_t k = 0; k < classes_; ++k) {
      out[k] += coefficients_[s * classes_ + k] * values[s];
    }
  }
}

void KernelScores::vote(std::span<const double> values, std::span<double> out) const {
  std::vector<double> scores(classes_, 0.0);
  std::ranges::fill(out, 0.0);
  double cast = 0.0;
  for (const auto& change : changes_) {
    scores[change.up] += change.step * values[change.row];
    scores[change.down] -= change.step * values[change.row];
    if (!std::isfinite(scores[change.up]) || !std::isfinite(scores[change.down])) {
      std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    const double top = *std::ranges::max_element(scores);
    const auto leaders = static_cast<double>(std::ranges::count(scores, top));
    cast += change.votes;
    for (std::size_t k = 0; k < classes_; ++k) {
      if (scores[k] == top) { out[k] += change.votes / leaders; }
    }
  }
  for (double& votes : out) { votes = cast > 0.0 ? std::log(votes / cast) : 0.0; }
}

}  // namespace logodds::models::perceptron
