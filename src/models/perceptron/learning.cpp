#include "models/perceptron/learning.hpp"

#include <algorithm>

#include "random/shuffle.hpp"

namespace logodds::models::perceptron {

std::size_t rival_of(std::span<const double> scores, std::size_t label) {
  std::size_t rival = label;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k != label && (rival == label || scores[k] > scores[rival])) { rival = k; }
  }
  return rival;
}

std::vector<std::size_t> walk(const InnerRows& rows, const Learning& learning,
                              const std::function<std::span<const double>(std::size_t)>& scores,
                              const std::function<void(const Change&)>& change,
                              std::vector<Change>* history) {
  std::vector<std::size_t> mistakes;
  double votes = 0.0;  // since the last change
  const auto close = [&] {
    if (history != nullptr && !history->empty()) { history->back().votes = votes; }
    votes = 0.0;
  };
  while (mistakes.size() < learning.passes && (mistakes.empty() || mistakes.back() > 0)) {
    std::size_t count = 0;
    for (const auto r : random::shuffled(rows.rows(), learning.seed, mistakes.size())) {
      const auto now = scores(r);
      const std::size_t label = rows.label(r);
      const std::size_t rival = rival_of(now, label);
      if (rival != label && !(now[label] > now[rival])) {
        ++count;
        close();
        const Change made{.row = r, .up = label, .down = rival, .step = rows.weight(r)};
        change(made);
        if (history != nullptr) { history->push_back(made); }
      }
      votes += rows.weight(r);
    }
    mistakes.push_back(count);
    if (learning.told) { learning.told(mistakes.size(), count); }
  }
  close();
  return mistakes;
}

void linear_scores(const InnerRow& row, std::span<const double> weights, std::span<double> out) {
  const std::size_t classes = out.size();
  std::ranges::copy(weights.last(classes), out.begin());
  const bool sparse = !row.indices.empty();
  for (std::size_t j = 0; j < row.values.size(); ++j) {
    const double* const w = weights.data() + (sparse ? row.indices[j] : j) * classes;
    for (std::size_t k = 0; k < classes; ++k) { out[k] += row.values[j] * w[k]; }
  }
}

namespace {

/// weights += factor z (e_up - e_down)', the bias with it.
void add_change(const InnerRow& row, const Change& change, double factor, std::size_t classes,
                std::vector<double>& weights) {
  const bool sparse = !row.indices.empty();
  const auto add = [&](std::size_t feature, double amount) {
    weights[feature * classes + change.up] += amount;
    weights[feature * classes + change.down] -= amount;
  };
  for (std::size_t j = 0; j < row.values.size(); ++j) {
    add(sparse ? row.indices[j] : j, factor * row.values[j]);
  }
  add(weights.size() / classes - 1, factor);
}

}  // namespace

LinearWeights learn_linear(const InnerRows& rows, const Learning& learning,
                           std::vector<Change>* history) {
  const std::size_t size = (rows.columns() + 1) * learning.classes;
  LinearWeights weights{std::vector<double>(size, 0.0), std::vector<double>(size, 0.0), {}};
  std::vector<double> now(learning.classes);
  // The mean is the last weights less those shares of the changes that came too late:
  // sum_t w_t W_t = C W - sum over changes of (weight of the rows before it) * change.
  double before = 0.0;
  weights.mistakes = walk(
      rows, learning,
      [&](std::size_t r) {
        linear_scores(rows.row(r), weights.last, now);
        before += rows.weight(r);
        return std::span<const double>(now);
      },
      [&](const Change& change) {
        const InnerRow row = rows.row(change.row);
        add_change(row, change, change.step, learning.classes, weights.last);
        add_change(row, change, change.step * (before - rows.weight(change.row)), learning.classes,
                   weights.mean);
      },
      history);
  for (std::size_t i = 0; i < size; ++i) {
    weights.mean[i] = weights.last[i] - weights.mean[i] / before;
  }
  return weights;
}

}  // namespace logodds::models::perceptron
