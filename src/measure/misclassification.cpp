#include "logodds/measure/misclassification.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/models/generative.hpp"
#include "measure/drawn_error.hpp"
#include "measure/gaussian_error.hpp"

namespace logodds::measure {

namespace {

/// Of probabilities by quadrature, and of those by the normal law.
constexpr double kIntegralBound = 1e-10;
constexpr double kNormalBound = 1e-14;
/// Classes whose pairs are looked at one by one.
constexpr std::size_t kMostForPairs = 100;

/// The parameters of a Gaussian model over columns of numbers.
struct Gaussians {
  std::size_t size = 0;
  std::vector<double> means;        ///< K x D
  std::vector<double> covariances;  ///< one D x D for each different one
  std::vector<double> owner;        ///< by class
  std::vector<double> priors;

  [[nodiscard]] WeightedGaussian of(std::size_t k, double scale = 1.0) const {
    const auto square = size * size;
    return {priors[k] / scale,
            {means.data() + k * size, size},
            {covariances.data() + static_cast<std::size_t>(owner[k]) * square, square}};
  }
  [[nodiscard]] std::size_t classes() const { return priors.size(); }
};

/// Nothing for other models, and where a column is coded: drawn rows have levels, not any number.
std::optional<Gaussians> gaussians_of(const Classifier& model) {
  const bool numbers = std::ranges::all_of(model.schema().columns, &Column::number);
  const NamedArray means = model.array("means");
  const NamedArray covariances = model.array("covariances");
  const NamedArray owners = model.array("covariance_of_class");
  if (!numbers || means.shape.size() != 2 || covariances.shape.size() != 3 ||
      owners.shape.empty()) {
    return {};
  }
  Gaussians found{means.shape[1], means.values, covariances.values, owners.values, {}};
  for (const double log_prior : model.generative()->log_priors()) {
    found.priors.push_back(std::exp(log_prior));
  }
  return found;
}

PairError pair_error(const Gaussians& all, std::size_t j, std::size_t k, bool& one_covariance) {
  const double scale = all.priors[j] + all.priors[k];
  const auto found = pair_probabilities(all.of(j, scale), all.of(k, scale));
  one_covariance = found.one_covariance;
  PairError pair{.first = j,
                 .second = k,
                 .first_as_second = found.first_as_second * all.priors[j] / scale,
                 .second_as_first = found.second_as_first * all.priors[k] / scale,
                 .bhattacharyya = found.bhattacharyya,
                 .chernoff = found.chernoff};
  pair.error = pair.first_as_second + pair.second_as_first;
  return pair;
}

void fill_pairs(const Gaussians& all, Misclassification& found) {
  if (all.classes() > kMostForPairs) { return; }
  bool one_covariance = false;
  for (std::size_t j = 0; j < all.classes(); ++j) {
    for (std::size_t k = j + 1; k < all.classes(); ++k) {
      found.pairs.push_back(pair_error(all, j, k, one_covariance));
    }
  }
}

double weighted(const std::vector<double>& priors, const std::vector<double>& by_class) {
  double sum = 0.0;
  for (std::size_t k = 0; k < priors.size(); ++k) { sum += priors[k] * by_class[k]; }
  return sum;
}

void fill_two(const Gaussians& all, Misclassification& found) {
  bool one_covariance = false;
  const PairError pair = pair_error(all, 0, 1, one_covariance);
  found.exact = true;
  found.method = one_covariance ? "closed form: two Gaussians with one covariance"
                                : "integral: the quadratic form between two Gaussians";
  found.bound = one_covariance ? kNormalBound : kIntegralBound;
  found.by_class = {pair.first_as_second / all.priors[0], pair.second_as_first / all.priors[1]};
  found.error = pair.error;
}

void fill_line(const Gaussians& all, Misclassification& found) {
  std::vector<WeightedGaussian> classes;
  for (std::size_t k = 0; k < all.classes(); ++k) { classes.push_back(all.of(k)); }
  const LineRegions line = line_regions(classes);
  found.exact = true;
  found.method = "closed form: Gaussians on a line";
  found.bound = kNormalBound;
  found.boundaries = line.ends;
  for (std::size_t k = 0; k < all.classes(); ++k) {
    double lost = 0.0;
    for (std::size_t j = 0; j < all.classes(); ++j) {
      if (j != k) { lost += line.probabilities[k * all.classes() + j]; }
    }
    found.by_class.push_back(lost);
  }
  found.error = weighted(all.priors, found.by_class);
}

void fill_drawn(const Classifier& model, const ErrorRequest& request, const Context& context,
                Misclassification& found) {
  const std::size_t classes = model.labels().size();
  const bool pairs = found.pairs.empty() && classes <= kMostForPairs;
  const DrawnSums sums = draw_errors(model, *model.generative(), request, pairs, context);
  found.method = "drawn rows";
  found.error = sums.mean();
  found.standard_error = sums.standard_error();
  found.draws = static_cast<std::size_t>(sums.rows);
  for (std::size_t k = 0; k < classes; ++k) {
    found.by_class.push_back(std::min(1.0, sums.by_class[k] / sums.rows / found.priors[k]));
  }
  if (!pairs) { return; }
  std::size_t at = 0;
  for (std::size_t j = 0; j < classes; ++j) {
    for (std::size_t k = j + 1; k < classes; ++k, ++at) {
      const double scale = found.priors[j] + found.priors[k];
      PairError pair{.first = j,
                     .second = k,
                     .first_as_second = sums.first_lost[at] / sums.rows / scale,
                     .second_as_first = sums.second_lost[at] / sums.rows / scale};
      pair.error = pair.first_as_second + pair.second_as_first;
      const double mean = pair.error * scale;
      pair.standard_error =
          std::sqrt(std::max(0.0, sums.pair_squares[at] / sums.rows - mean * mean) / sums.rows) /
          scale;
      found.pairs.push_back(pair);
    }
  }
}

ThresholdError threshold_error(const Gaussians& all, double threshold) {
  const std::size_t below = all.means[0] <= all.means[1] ? 0 : 1;
  ThresholdError found{.threshold = threshold, .below = below, .by_class = {}};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 2; ++k) {
    const WeightedGaussian one = all.of(k);
    const double deviation = std::sqrt(one.covariance[0]);
    found.by_class.push_back(k == below
                                 ? normal_between(one.mean[0], deviation, threshold, kInfinity)
                                 : normal_between(one.mean[0], deviation, -kInfinity, threshold));
  }
  found.error = weighted(all.priors, found.by_class);
  return found;
}

void check(const Classifier& model, const ErrorRequest& request,
           const std::optional<Gaussians>& gaussians) {
  if (model.generative() == nullptr) {
    throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                      " has no densities to err by; evaluate it on labelled rows, "
                                      "or take a generative one, as gaussian is");
  }
  if (!request.threshold) { return; }
  if (!gaussians || gaussians->size != 1 || gaussians->classes() != 2) {
    throw Error(ErrorCode::usage,
                "option --threshold: a threshold decides between two Gaussian classes of one "
                "column, which this model has not; leave the option out");
  }
  if (!std::isfinite(*request.threshold)) {
    throw Error(ErrorCode::usage, "option --threshold: it must be a finite number");
  }
}

}  // namespace

Misclassification misclassification(const Classifier& model, const ErrorRequest& request,
                                    const Context& context) {
  const auto gaussians = model.generative() != nullptr ? gaussians_of(model) : std::nullopt;
  check(model, request, gaussians);
  Misclassification found;
  for (const double log_prior : model.generative()->log_priors()) {
    found.priors.push_back(std::exp(log_prior));
  }
  if (found.priors.size() < 2) {
    found.exact = true;
    found.method = "one class, which is always decided";
    found.by_class.assign(found.priors.size(), 0.0);
    return found;
  }
  if (gaussians) { fill_pairs(*gaussians, found); }
  if (gaussians && gaussians->size == 1) {
    fill_line(*gaussians, found);
  } else if (gaussians && gaussians->classes() == 2) {
    fill_two(*gaussians, found);
  } else {
    fill_drawn(model, request, context, found);
  }
  if (request.threshold) { found.threshold = threshold_error(*gaussians, *request.threshold); }
  return found;
}

}  // namespace logodds::measure
