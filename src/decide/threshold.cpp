#include "logodds/decide/threshold.hpp"

#include <algorithm>

namespace logodds::decide {

namespace {

/// Every set of rows that a threshold can decide for the class, from the smallest on; rows of one
/// posterior come together. `use` gets the choice that ends before rows[n].
template <class Use>
void for_each_threshold(std::vector<ThresholdRow>& rows, const Use& use) {
  std::ranges::sort(rows, std::greater<>{}, &ThresholdRow::posterior);
  double all = 0.0;
  double positives = 0.0;
  ThresholdChoice choice;
  for (const ThresholdRow& row : rows) {
    all += row.weight;
    positives += row.positive ? row.weight : 0.0;
    choice.cost += row.weight * row.cost_if_not;
  }
  double found = 0.0;
  double cost = choice.cost;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const ThresholdRow& row = rows[n];
    choice.decided += row.weight;
    found += row.positive ? row.weight : 0.0;
    cost += row.weight * (row.cost_if_decided - row.cost_if_not);
    const double next = n + 1 < rows.size() ? rows[n + 1].posterior : 0.0;
    if (row.posterior == next) { continue; }
    const double middle = row.posterior + (next - row.posterior) / 2.0;
    choice.threshold = middle > next ? middle : row.posterior;
    choice.precision = found / choice.decided;
    choice.recall = positives > 0.0 ? found / positives : 0.0;
    choice.cost = cost / all;
    use(choice);
  }
}

}  // namespace

std::size_t argmax_of_others(std::span<const double> posteriors, std::size_t label) {
  std::size_t best = label == 0 ? 1 : 0;
  for (std::size_t k = best + 1; k < posteriors.size(); ++k) {
    if (k != label && posteriors[k] > posteriors[best]) { best = k; }
  }
  return best;
}

std::optional<ThresholdChoice> cheapest_threshold(std::vector<ThresholdRow> rows) {
  double least = 0.0;  // of never deciding for the class
  double all = 0.0;
  for (const ThresholdRow& row : rows) {
    all += row.weight;
    least += row.weight * row.cost_if_not;
  }
  least /= all;
  std::optional<ThresholdChoice> best;
  for_each_threshold(rows, [&](const ThresholdChoice& choice) {
    if (choice.cost < least) {
      least = choice.cost;
      best = choice;
    }
  });
  return best;
}

std::optional<ThresholdChoice> precise_threshold(std::vector<ThresholdRow> rows, double precision) {
  std::optional<ThresholdChoice> best;
  for_each_threshold(rows, [&](const ThresholdChoice& choice) {
    const bool better = !best || choice.recall > best->recall;
    if (choice.precision >= precision && better) { best = choice; }
  });
  return best;
}

double best_precision(std::vector<ThresholdRow> rows) {
  double best = 0.0;
  for_each_threshold(
      rows, [&](const ThresholdChoice& choice) { best = std::max(best, choice.precision); });
  return best;
}

}  // namespace logodds::decide
