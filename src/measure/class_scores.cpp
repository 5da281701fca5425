#include "measure/class_scores.hpp"

#include <algorithm>

namespace logodds::measure {

ClassScores::ClassScores(const KeptRows& kept)
    : kept_(kept), values_(kept.rows()), positive_(kept.rows()) {
  weights_.reserve(kept.rows());
  bool weighted = false;
  for (const KeptRows::Chunk& chunk : kept.chunks()) {
    weights_.insert(weights_.end(), chunk.weights.begin(), chunk.weights.end());
    weighted = weighted || std::ranges::any_of(chunk.weights, [](double w) { return w != 1.0; });
  }
  if (!weighted) { weights_ = {}; }
}

Scores ClassScores::of_class(std::size_t k) {
  std::size_t row = 0;
  for (const KeptRows::Chunk& chunk : kept_.chunks()) {
    for (std::size_t r = 0; r < chunk.truths.size(); ++r, ++row) {
      values_[row] = chunk.posteriors[r * kept_.classes() + k];
      positive_[row] = static_cast<std::size_t>(chunk.truths[r]) == k ? 1 : 0;
    }
  }
  return {values_, positive_, weights_};
}

double ClassScores::squared_sum(std::span<const double> influences) const {
  double sum = 0.0;
  for (std::size_t r = 0; r < influences.size(); ++r) {
    const double one = (weights_.empty() ? 1.0 : weights_[r]) * influences[r];
    sum += one * one;
  }
  return sum;
}

}  // namespace logodds::measure
