#include "measure/bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/parallel/blocks.hpp"
#include "random/row_draws.hpp"

namespace logodds::measure {

namespace {

/// Every estimate of a report, in one order.
std::vector<Estimate*> estimates_of(Report& found) {
  std::vector<Estimate*> all;
  for (const auto& named : overall_measures()) { all.push_back(&(found.*named.estimate)); }
  for (ClassReport& one : found.classes) {
    for (const auto& named : class_measures()) { all.push_back(&(one.*named.estimate)); }
  }
  return all;
}

/// As many rows as there are, drawn with replacement: a row that comes c times has c times its
/// weight.
Measures drawn_again(const Measures& measures, std::uint64_t seed, std::size_t sample) {
  const KeptRows& kept = *measures.kept_rows();
  const std::size_t rows = kept.rows();
  random::RowDraws draws(seed, sample);
  std::vector<std::uint32_t> times(rows, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    ++times[std::min(rows - 1,
                     static_cast<std::size_t>(draws.uniform() * static_cast<double>(rows)))];
  }
  const std::size_t classes = measures.classes();
  Measures again(classes, {.bins = measures.decision_calibration().bins().size(),
                           .keep_rows = true,
                           .floor = measures.floor()});
  std::size_t row = 0;
  for (const KeptRows::Chunk& chunk : kept.chunks()) {
    for (std::size_t r = 0; r < chunk.truths.size(); ++r, ++row) {
      if (times[row] == 0) { continue; }
      again.add(static_cast<std::size_t>(chunk.truths[r]),
                static_cast<std::size_t>(chunk.decisions[r]),
                {chunk.posteriors.data() + r * classes, classes}, chunk.weights[r] * times[row]);
    }
  }
  return again;
}

/// Linear between the order statistics.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

void bootstrap_intervals(const Measures& measures, const ReportOptions& options,
                         const Context& context, Report& found) {
  const std::vector<Estimate*> wanted = estimates_of(found);
  std::vector<std::vector<double>> values(wanted.size(), std::vector<double>(options.bootstrap));
  const std::size_t lanes = std::min(options.bootstrap, parallel::kMostLanes);
  parallel::run_lanes(context.threads, lanes, [&](std::size_t lane) {
    for (std::size_t sample = lane; sample < options.bootstrap; sample += lanes) {
      Report again = report(drawn_again(measures, context.seed, sample), {.level = options.level});
      const std::vector<Estimate*> drawn = estimates_of(again);
      for (std::size_t i = 0; i < drawn.size(); ++i) { values[i][sample] = drawn[i]->value; }
    }
  });
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Estimate& estimate = *wanted[i];
    const bool asked =
        estimate.method == IntervalMethod::jackknife || estimate.method == IntervalMethod::mover;
    std::erase_if(values[i], [](double value) { return std::isnan(value); });
    if (!asked || values[i].empty()) { continue; }
    std::ranges::sort(values[i]);
    const double tail = 0.5 * (1.0 - options.level);
    estimate.lower = quantile(values[i], tail);
    estimate.upper = quantile(values[i], 1.0 - tail);
    estimate.method = IntervalMethod::bootstrap;
  }
}

}  // namespace logodds::measure
