#include "logodds/posterior/shares.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::posterior {

namespace {

/// One step of EM; rows that every class rules out under these shares say nothing.
std::vector<double> step(std::span<const double> posteriors, std::span<const double> priors,
                         const std::vector<double>& shares) {
  const std::size_t classes = priors.size();
  std::vector<double> next(classes, 0.0);
  std::vector<double> row(classes);
  double rows = 0.0;
  for (std::size_t n = 0; n < posteriors.size() / classes; ++n) {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      sum += row[k] = posteriors[n * classes + k] * shares[k] / priors[k];
    }
    if (!(sum > 0.0)) { continue; }
    rows += 1.0;
    for (std::size_t k = 0; k < classes; ++k) { next[k] += row[k] / sum; }
  }
  for (double& share : next) { share /= rows; }
  return next;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) { largest = std::max(largest, std::abs(a[k] - b[k])); }
  return largest;
}

/// Two steps of EM, and the point that they point at (SQUAREM: Varadhan & Roland 2008), unless it
/// leaves the simplex. EM alone takes thousands of steps where classes overlap.
std::vector<double> leap(std::span<const double> posteriors, std::span<const double> priors,
                         const std::vector<double>& start, double& moved) {
  const std::vector<double> first = step(posteriors, priors, start);
  std::vector<double> second = step(posteriors, priors, first);
  moved = distance(start, first);
  double rr = 0.0;
  double vv = 0.0;
  for (std::size_t k = 0; k < start.size(); ++k) {
    const double r = first[k] - start[k];
    const double v = second[k] - 2.0 * first[k] + start[k];
    rr += r * r;
    vv += v * v;
  }
  if (!(vv > 0.0) || rr <= vv) { return second; }
  const double alpha = -std::sqrt(rr / vv);
  std::vector<double> point(start.size());
  double sum = 0.0;
  for (std::size_t k = 0; k < start.size(); ++k) {
    const double r = first[k] - start[k];
    const double v = second[k] - 2.0 * first[k] + start[k];
    point[k] = start[k] - 2.0 * alpha * r + alpha * alpha * v;
    if (!(point[k] > 0.0)) { return second; }
    sum += point[k];
  }
  for (double& share : point) { share /= sum; }
  return step(posteriors, priors, point);
}

}  // namespace

ShareEstimate estimate_shares(std::span<const double> posteriors, std::span<const double> priors) {
  constexpr std::size_t kMostSteps = 1000;
  constexpr double kTolerance = 1e-12;
  ShareEstimate estimate{.shares = {priors.begin(), priors.end()}};
  for (; estimate.steps < kMostSteps && !estimate.converged; ++estimate.steps) {
    double moved = 0.0;
    estimate.shares = leap(posteriors, priors, estimate.shares, moved);
    estimate.converged = moved <= kTolerance;
  }
  return estimate;
}

}  // namespace logodds::posterior
