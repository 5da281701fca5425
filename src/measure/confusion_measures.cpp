#include "measure/confusion_measures.hpp"

#include <algorithm>
#include <cmath>

#include "measure/intervals.hpp"

namespace logodds::measure {

namespace {

/// Sums of a confusion matrix, of weights or of their squares.
struct Margins {
  explicit Margins(const std::vector<double>& cells, std::size_t classes)
      : truths(classes, 0.0), decisions(classes, 0.0), right(classes, 0.0) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      truths[i / classes] += cells[i];
      decisions[i % classes] += cells[i];
      total += cells[i];
    }
    for (std::size_t k = 0; k < classes; ++k) {
      right[k] = cells[k * (classes + 1)];
      all_right += right[k];
    }
  }
  std::vector<double> truths;
  std::vector<double> decisions;
  std::vector<double> right;
  double total = 0.0;
  double all_right = 0.0;
};

Estimate other_share(const Estimate& share) {
  return {1.0 - share.value, 1.0 - share.upper, 1.0 - share.lower, share.method};
}

/// Of the TP + FP + FN rows that either are of the class or were decided for it, q = TP / (...) are
/// both: a binomial share, and F1 = 2 q / (1 + q) grows with it.
Estimate f1_of(const Share& both, double level) {
  Estimate found = exact_share(both, level);
  for (double* const q : {&found.value, &found.lower, &found.upper}) { *q = 2.0 * *q / (1.0 + *q); }
  return found;
}

/// Zou & Donner (Statistics in Medicine 27, 2008): limits of a sum from the limits of its terms.
Estimate mean_recall(const std::vector<ClassReport>& classes) {
  double sum = 0.0;
  double below = 0.0;
  double above = 0.0;
  double count = 0.0;
  for (const ClassReport& one : classes) {
    if (one.recall.method == IntervalMethod::none) { continue; }
    sum += one.recall.value;
    below += std::pow(one.recall.value - one.recall.lower, 2);
    above += std::pow(one.recall.upper - one.recall.value, 2);
    count += 1.0;
  }
  const double mean = sum / count;
  return {mean, std::max(0.0, mean - std::sqrt(below) / count),
          std::min(1.0, mean + std::sqrt(above) / count), IntervalMethod::mover};
}

/// What a unit of weight in a cell adds to a measure, times the total weight.
template <class Influence>
double variance_of(const Measures& measures, Influence influence) {
  const std::size_t classes = measures.classes();
  const auto& squares = measures.confusion_squares();
  double sum = 0.0;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    if (squares[i] == 0.0) { continue; }
    const double of_cell = influence(i / classes, i % classes);
    sum += squares[i] * of_cell * of_cell;
  }
  const double rows = measures.weight() * measures.weight() / measures.weight_squares();
  return sum / (measures.weight() * measures.weight()) * rows / (rows - 1.0);
}

double rows_of(const Measures& measures) {
  return measures.weight() * measures.weight() / measures.weight_squares();
}

Estimate mean_f1(const Measures& measures, const Margins& sums, const Report& found, double level) {
  double count = 0.0;
  double sum = 0.0;
  for (const ClassReport& one : found.classes) {
    if (one.weight + one.decided == 0.0) { continue; }
    sum += one.f1.value;
    count += 1.0;
  }
  const double all = sums.total;
  const auto part = [&](std::size_t k, bool truth, bool decision) {
    const double shares = (sums.truths[k] + sums.decisions[k]) / all;
    const double two = truth && decision ? 2.0 : 0.0;
    const double either = (truth ? 1.0 : 0.0) + (decision ? 1.0 : 0.0);
    return (two - found.classes[k].f1.value * either) / shares;
  };
  const double variance = variance_of(measures, [&](std::size_t t, std::size_t d) {
    return (t == d ? part(t, true, true) : part(t, true, false) + part(d, false, true)) / count;
  });
  return jackknife(sum / count, variance, rows_of(measures), Scale::logit, level, 0.0, 1.0);
}

/// Agreement beyond chance: with shares of the truth r and of the decisions c, a the share of rows
/// decided rightly, e = sum r_k c_k.
struct Chance {
  explicit Chance(const Margins& sums) : agreement(sums.all_right / sums.total) {
    for (std::size_t k = 0; k < sums.truths.size(); ++k) {
      truths.push_back(sums.truths[k] / sums.total);
      decisions.push_back(sums.decisions[k] / sums.total);
      expected += truths[k] * decisions[k];
      truth_squares += truths[k] * truths[k];
      decision_squares += decisions[k] * decisions[k];
    }
  }
  std::vector<double> truths;
  std::vector<double> decisions;
  double agreement;
  double expected = 0.0;
  double truth_squares = 0.0;
  double decision_squares = 0.0;

  [[nodiscard]] double agreement_influence(std::size_t t, std::size_t d) const {
    return (t == d ? 1.0 : 0.0) - agreement;
  }
  [[nodiscard]] double expected_influence(std::size_t t, std::size_t d) const {
    return decisions[t] + truths[d] - 2.0 * expected;
  }
};

/// (a - e) / (1 - e)
Estimate kappa(const Measures& measures, const Chance& chance, double level) {
  const double rest = 1.0 - chance.expected;
  const double value = (chance.agreement - chance.expected) / rest;
  const double variance = variance_of(measures, [&](std::size_t t, std::size_t d) {
    return chance.agreement_influence(t, d) / rest -
           chance.expected_influence(t, d) * (1.0 - chance.agreement) / (rest * rest);
  });
  return jackknife(value, variance, rows_of(measures), Scale::fisher, level, -1.0, 1.0);
}

/// (a - e) / sqrt((1 - sum r^2) (1 - sum c^2)): Gorodkin, Computational Biology and Chemistry 28
/// (2004). 0 where all rows are of one class, or all were decided for one.
Estimate matthews(const Measures& measures, const Chance& chance, double level) {
  const double truths = 1.0 - chance.truth_squares;
  const double decisions = 1.0 - chance.decision_squares;
  constexpr double kRounding = 1e-14;
  if (truths < kRounding || decisions < kRounding) { return {.value = 0.0}; }
  const double root = std::sqrt(truths * decisions);
  const double value = (chance.agreement - chance.expected) / root;
  const double variance = variance_of(measures, [&](std::size_t t, std::size_t d) {
    const double of_truths = -2.0 * (chance.truths[t] - chance.truth_squares) / truths;
    const double of_decisions = -2.0 * (chance.decisions[d] - chance.decision_squares) / decisions;
    return (chance.agreement_influence(t, d) - chance.expected_influence(t, d)) / root -
           0.5 * value * (of_truths + of_decisions);
  });
  return jackknife(value, variance, rows_of(measures), Scale::fisher, level, -1.0, 1.0);
}

}  // namespace

void fill_confusion_measures(const Measures& measures, double level, Report& found) {
  const std::size_t classes = measures.classes();
  const Margins sums(measures.confusion(), classes);
  const Margins squares(measures.confusion_squares(), classes);
  for (std::size_t k = 0; k < classes; ++k) {
    ClassReport& one = found.classes[k];
    one.weight = sums.truths[k];
    one.decided = sums.decisions[k];
    const Share both{sums.right[k], squares.right[k], sums.truths[k], squares.truths[k]};
    one.recall = exact_share(both, level);
    one.precision =
        exact_share({both.part, both.part_squares, sums.decisions[k], squares.decisions[k]}, level);
    one.f1 = f1_of({both.part, both.part_squares, one.weight + one.decided - both.part,
                    squares.truths[k] + squares.decisions[k] - both.part_squares},
                   level);
  }
  found.accuracy =
      exact_share({sums.all_right, squares.all_right, sums.total, squares.total}, level);
  found.error_rate = other_share(found.accuracy);
  found.error_rate.value = measures.error_rate();  // without the rounding of 1 - accuracy
  found.balanced_accuracy = mean_recall(found.classes);
  found.macro_f1 = mean_f1(measures, sums, found, level);
  const Chance chance(sums);
  found.kappa = kappa(measures, chance, level);
  found.matthews = matthews(measures, chance, level);
}

Estimate confusion_rate(const Measures& measures, std::size_t truth, std::size_t decision,
                        double level) {
  const std::size_t classes = measures.classes();
  const auto row_sum = [&](const std::vector<double>& cells) {
    double sum = 0.0;
    for (std::size_t d = 0; d < classes; ++d) { sum += cells[truth * classes + d]; }
    return sum;
  };
  const std::size_t cell = truth * classes + decision;
  return exact_share({measures.confusion()[cell], measures.confusion_squares()[cell],
                      row_sum(measures.confusion()), row_sum(measures.confusion_squares())},
                     level);
}

}  // namespace logodds::measure
