#include "measure/drawn_error.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/models/adjusted.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"

namespace logodds::measure {

namespace {

double standard_error_of(double sum, double squares, double rows) {
  const double mean = sum / rows;
  return std::sqrt(std::max(0.0, squares / rows - mean * mean) / rows);
}

/// What priors that were put over those of the densities make of posteriors: pi' / pi, so that a
/// row that is drawn by the old priors counts for the new ones as well.
std::vector<double> prior_factors(const Classifier& model) {
  std::vector<double> factors(model.labels().size(), 1.0);
  const Adjustments* const adjustments = adjustments_of(model);
  if (adjustments == nullptr || adjustments->prior_shift.empty()) { return factors; }
  for (std::size_t k = 0; k < factors.size(); ++k) {
    factors[k] = std::exp(adjustments->prior_shift[k]);
  }
  return factors;
}

}  // namespace

DrawnSums::DrawnSums(std::size_t classes, bool pairs)
    : by_class(classes, 0.0),
      first_lost(pairs ? classes * (classes - 1) / 2 : 0, 0.0),
      second_lost(first_lost),
      pair_squares(first_lost) {}

void DrawnSums::add(std::span<const double> posteriors) {
  const auto decided =
      static_cast<std::size_t>(std::ranges::max_element(posteriors) - posteriors.begin());
  double lost = 0.0;  // not 1 - max, which is rounded where the error is small
  for (std::size_t k = 0; k < posteriors.size(); ++k) {
    if (k == decided) { continue; }
    by_class[k] += posteriors[k];
    lost += posteriors[k];
  }
  rows += 1.0;
  error += lost;
  squares += lost * lost;
  if (first_lost.empty()) { return; }
  std::size_t pair = 0;
  for (std::size_t j = 0; j < posteriors.size(); ++j) {
    for (std::size_t k = j + 1; k < posteriors.size(); ++k, ++pair) {
      const bool first = posteriors[j] >= posteriors[k];  // decided
      const double smaller = first ? posteriors[k] : posteriors[j];
      (first ? second_lost : first_lost)[pair] += smaller;
      pair_squares[pair] += smaller * smaller;
    }
  }
}

void DrawnSums::merge(const DrawnSums& other) {
  const auto add_all = [](std::vector<double>& to, const std::vector<double>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) { to[i] += from[i]; }
  };
  rows += other.rows;
  error += other.error;
  squares += other.squares;
  add_all(by_class, other.by_class);
  add_all(first_lost, other.first_lost);
  add_all(second_lost, other.second_lost);
  add_all(pair_squares, other.pair_squares);
}

double DrawnSums::standard_error() const { return standard_error_of(error, squares, rows); }

DrawnSums draw_errors(const Classifier& model, const Generative& generative,
                      const ErrorRequest& request, bool pairs, const Context& context) {
  constexpr std::size_t kFirstBlocks = 64;
  const std::size_t classes = model.labels().size();
  const std::size_t most = std::max<std::size_t>(1, request.most_draws / kBlockRows);
  const Classifier& densities = unadjusted(model);
  const std::vector<double> factors = prior_factors(model);
  DrawnSums all(classes, pairs);
  std::size_t done = 0;
  while (done < most) {
    const std::size_t round = std::min(done == 0 ? kFirstBlocks : done, most - done);
    const std::size_t lanes = std::min(round, parallel::kMostLanes);
    std::vector<DrawnSums> sums(lanes, DrawnSums(classes, pairs));
    parallel::run_lanes(context.threads, lanes, [&](std::size_t lane) {
      RowBuffer rows;
      std::vector<double> posteriors(kBlockRows * classes);
      for (std::size_t block = done + lane; block < done + round; block += lanes) {
        generative.sample(context.seed, block * kBlockRows, kBlockRows, rows);
        densities.log_scores(rows.view(), posteriors);
        posterior::from_log_scores(posteriors, classes);
        for (std::size_t i = 0; i < posteriors.size(); ++i) {
          posteriors[i] *= factors[i % classes];
        }
        for (std::size_t r = 0; r < kBlockRows; ++r) {
          sums[lane].add({posteriors.data() + r * classes, classes});
        }
      }
    });
    for (const auto& lane : sums) { all.merge(lane); }
    done += round;
    if (context.progress) {
      const double share = request.standard_error / std::max(all.standard_error(), 1e-300);
      context.progress(
          {.what = "drawing", .fraction = std::min(1.0, share * share), .rows = done * kBlockRows});
    }
    if (all.standard_error() <= request.standard_error) { break; }
  }
  return all;
}

}  // namespace logodds::measure
