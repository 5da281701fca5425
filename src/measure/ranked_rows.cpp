#include "measure/ranked_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "logodds/error.hpp"
#include "logodds/parallel/blocks.hpp"
#include "measure/intervals.hpp"
#include "parallel/radix_sort.hpp"

namespace logodds::measure {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// rows / (rows - 1): the variance of few rows is larger than their spread tells.
double correction(double rows) { return rows > 1.0 ? rows / (rows - 1.0) : kNaN; }

bool both_kinds(const TiedRows& all) { return all.positives > 0.0 && all.negatives > 0.0; }

}  // namespace

RankedRows::RankedRows(const Scores& scores, int threads) : weights_(scores.weights) {
  const std::size_t n = scores.values.size();
  if (n >> 31U != 0) {
    throw Error(ErrorCode::usage, "at most 2147483647 scores can be sorted; give fewer rows");
  }
  keys_.resize(n);
  tags_.resize(n);
  constexpr std::size_t kLaneRows = 65536;
  const std::size_t lanes = std::clamp<std::size_t>(n / kLaneRows, 1, parallel::kMostLanes);
  parallel::run_lanes(threads, lanes, [&](std::size_t lane) {
    for (std::size_t r = n * lane / lanes; r < n * (lane + 1) / lanes; ++r) {
      if (std::isnan(scores.values[r])) {
        throw Error(ErrorCode::input, "the score of row " + std::to_string(r + 1) +
                                          " is not a number; leave such rows out");
      }
      keys_[r] = parallel::ordered_key(scores.values[r]);
      tags_[r] = static_cast<std::uint32_t>(2 * r) | (scores.positive[r] != 0 ? 1U : 0U);
    }
  });
  for (std::size_t r = 0; r < n; ++r) { add(all_, r); }
  parallel::radix_sort(keys_, tags_, threads);
}

double RankedRows::positive_rows() const {
  return all_.positives * all_.positives / all_.positive_squares;
}
double RankedRows::negative_rows() const {
  return all_.negatives * all_.negatives / all_.negative_squares;
}
double RankedRows::score(std::size_t place) const { return parallel::value_of_key(keys_[place]); }

Spread auc_spread(const RankedRows& rows, std::span<double> influences, double share) {
  const TiedRows& all = rows.all();
  if (!both_kinds(all)) { return {kNaN, kNaN}; }
  double area = 0.0;
  double above = 0.0;  // negatives
  rows.each_score([&](const TiedRows& tied) {
    area += tied.positives * (all.negatives - above - 0.5 * tied.negatives);
    above += tied.negatives;
  });
  const double auc = area / (all.positives * all.negatives);
  // Placements: of a positive row the share of negatives below it, of a negative one the share of
  // positives above.
  double positive_squares = 0.0;
  double negative_squares = 0.0;
  const double per_positive = share * std::sqrt(correction(rows.positive_rows())) / all.positives;
  const double per_negative = share * std::sqrt(correction(rows.negative_rows())) / all.negatives;
  double positives_above = 0.0;
  above = 0.0;
  rows.each_score([&](const TiedRows& tied) {
    const double of_positive = (all.negatives - above - 0.5 * tied.negatives) / all.negatives - auc;
    const double of_negative = (positives_above + 0.5 * tied.positives) / all.positives - auc;
    positive_squares += tied.positive_squares * of_positive * of_positive;
    negative_squares += tied.negative_squares * of_negative * of_negative;
    above += tied.negatives;
    positives_above += tied.positives;
    if (influences.empty()) { return; }
    for (std::size_t i = tied.first; i < tied.last; ++i) {
      influences[rows.row(i)] +=
          rows.positive(i) ? per_positive * of_positive : per_negative * of_negative;
    }
  });
  return {
      auc,
      correction(rows.positive_rows()) * positive_squares / (all.positives * all.positives) +
          correction(rows.negative_rows()) * negative_squares / (all.negatives * all.negatives)};
}

// With T the weight of the positives at or above a score and N that of all rows there, AP =
// sum w T / N / W+ over the positives. A row i of weight w_i is in T and N of every score up to
// its own, so with sums over the positives j that score at most s_i
//   W+ dAP/dw_i = y_i (T_i / N_i - AP + sum w_j / N_j) - sum w_j T_j / N_j^2.
Spread average_precision_spread(const RankedRows& rows, std::span<double> influences,
                                double share) {
  const TiedRows& all = rows.all();
  if (!(all.positives > 0.0)) { return {kNaN, kNaN}; }
  double sum = 0.0;
  double inverse_left = 0.0;  // sum w / N over the positives not yet passed
  double precision_left = 0.0;
  double t = 0.0;
  double n = 0.0;
  rows.each_score([&](const TiedRows& tied) {
    t += tied.positives;
    n += tied.positives + tied.negatives;
    sum += tied.positives * (t / n);
    inverse_left += tied.positives / n;
    precision_left += tied.positives / n * (t / n);
  });
  const double value = sum / all.positives;
  double variance = 0.0;
  t = 0.0;
  n = 0.0;
  rows.each_score([&](const TiedRows& tied) {
    t += tied.positives;
    n += tied.positives + tied.negatives;
    const double of_negative = -precision_left / all.positives;
    const double of_positive = (t / n - value + inverse_left) / all.positives + of_negative;
    variance += tied.positive_squares * of_positive * of_positive +
                tied.negative_squares * of_negative * of_negative;
    inverse_left -= tied.positives / n;
    precision_left -= tied.positives / n * (t / n);
    if (influences.empty()) { return; }
    for (std::size_t i = tied.first; i < tied.last; ++i) {
      influences[rows.row(i)] += share * (rows.positive(i) ? of_positive : of_negative);
    }
  });
  return {value, correction(rows.positive_rows()) * variance};
}

Estimate auc_estimate(const RankedRows& rows, const Spread& spread, double level) {
  Estimate found{.value = spread.value};
  if (!both_kinds(rows.all())) { return found; }
  constexpr double kRounding = 1e-12;
  if (std::min(spread.value, 1.0 - spread.value) < kRounding) {
    const double trials = std::min(rows.positive_rows(), rows.negative_rows());
    const double successes = spread.value > 0.5 ? trials : 0.0;
    return exact_share({successes, successes, trials, trials}, level);
  }
  if (!(spread.variance > 0.0)) { return found; }
  const double reach = normal_quantile(level) * std::sqrt(spread.variance);
  found.lower = std::max(0.0, spread.value - reach);
  found.upper = std::min(1.0, spread.value + reach);
  found.method = IntervalMethod::delong;
  return found;
}

Estimate average_precision_estimate(const RankedRows& rows, const Spread& spread, double level) {
  return jackknife(spread.value, spread.variance, rows.positive_rows(), Scale::logit, level, 0.0,
                   1.0);
}

}  // namespace logodds::measure
