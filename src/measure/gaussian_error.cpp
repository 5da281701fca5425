#include "measure/gaussian_error.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "logodds/error.hpp"
#include "measure/quadratic_form.hpp"

namespace logodds::measure {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// P(x > z) of a standard normal x.
double upper_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

Vector vector_of(std::span<const double> values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Sigma = L L^T and ln |Sigma| / 2.
struct Factor {
  explicit Factor(const WeightedGaussian& gaussian) {
    const auto d = static_cast<Eigen::Index>(gaussian.mean.size());
    const Eigen::LLT<Matrix> llt(Eigen::Map<const Matrix>(gaussian.covariance.data(), d, d));
    if (llt.info() != Eigen::Success) {
      throw Error(ErrorCode::numeric,
                  "the covariance of a class is not positive definite, so its density has no "
                  "boundary; train with a --ridge");
    }
    lower = llt.matrixL();
    log_root = lower.diagonal().array().log().sum();
  }
  Matrix lower;
  double log_root = 0.0;
};

/// Two classes, told by what stands between them.
struct Pair {
  Pair(const WeightedGaussian& a, const WeightedGaussian& b)
      : first(a),
        second(b),
        between(vector_of(a.mean) - vector_of(b.mean)),
        log_odds(std::log(a.prior) - std::log(b.prior)) {}
  Factor first;
  Factor second;
  Vector between;   ///< mu_1 - mu_2
  double log_odds;  ///< ln pi_1 / pi_2
};

/// P(the other class is the likelier | x of the class with factor `own`): with x = mu + L z the log
/// odds of the other are  |z|^2 / 2 - |W z + e|^2 / 2 - k,  W = M^-1 L, e = M^-1 (mu - nu),
/// k = ln |M| - ln |L| + ln pi / rho for the other's factor M, mean nu and prior rho.
double taken_for_other(const Factor& own, const Factor& other, const Vector& between,
                       double log_odds) {
  const auto m = other.lower.triangularView<Eigen::Lower>();
  const Matrix w = m.solve(own.lower);
  const Vector e = m.solve(between);
  const Matrix squares = 0.5 * (Matrix::Identity(w.rows(), w.cols()) - w.transpose() * w);
  const Eigen::SelfAdjointEigenSolver<Matrix> axes(squares);
  const Vector slopes = -(axes.eigenvectors().transpose() * (w.transpose() * e));
  const double constant = -0.5 * e.squaredNorm() - (other.log_root - own.log_root + log_odds);
  const auto span = [](const Vector& v) {
    return std::span<const double>(v.data(), static_cast<std::size_t>(v.size()));
  };
  return probability_positive({span(axes.eigenvalues()), span(slopes), constant});
}

/// Both errors where the covariances are one: the log odds are normal with mean +-D^2 / 2 and
/// variance D^2, D the Mahalanobis distance of the means.
void fill_one_covariance(const Pair& pair, PairProbabilities& found) {
  found.one_covariance = true;
  const double distance =
      pair.first.lower.triangularView<Eigen::Lower>().solve(pair.between).norm();
  if (distance == 0.0) {  // the prior decides, the first class at a tie
    found.first_as_second = pair.log_odds < 0.0 ? 1.0 : 0.0;
    found.second_as_first = 1.0 - found.first_as_second;
    return;
  }
  found.first_as_second = upper_tail(0.5 * distance + pair.log_odds / distance);
  found.second_as_first = upper_tail(0.5 * distance - pair.log_odds / distance);
}

/// ln of the Chernoff bound, as a function of s: in coordinates in which the second covariance is
/// the identity and the first is diagonal.
class ChernoffBound {
 public:
  explicit ChernoffBound(const Pair& pair, double log_first, double log_second)
      : log_first_(log_first), log_second_(log_second) {
    const auto m = pair.second.lower.triangularView<Eigen::Lower>();
    const Matrix w = m.solve(pair.first.lower);
    const Eigen::SelfAdjointEigenSolver<Matrix> axes(w * w.transpose());
    variances_ = axes.eigenvalues().cwiseMax(std::numeric_limits<double>::min());
    between_ = axes.eigenvectors().transpose() * m.solve(pair.between);
  }
  /// Fukunaga, Introduction to Statistical Pattern Recognition (1990), 3.4.
  [[nodiscard]] double operator()(double s) const {
    double sum = s * log_first_ + (1.0 - s) * log_second_;
    for (Eigen::Index i = 0; i < variances_.size(); ++i) {
      const double mixed = (1.0 - s) * variances_[i] + s;
      sum -= 0.5 * s * (1.0 - s) * between_[i] * between_[i] / mixed;
      sum -= 0.5 * (std::log(mixed) - (1.0 - s) * std::log(variances_[i]));
    }
    return sum;
  }
  /// The s of the least bound, by golden section: the function is convex.
  [[nodiscard]] double best() const {
    constexpr double kGolden = 0.6180339887498949;
    constexpr int kSteps = 60;
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < kSteps; ++i) {
      const double a = high - kGolden * (high - low);
      const double b = low + kGolden * (high - low);
      if ((*this)(a) <= (*this)(b)) {
        high = b;
      } else {
        low = a;
      }
    }
    return 0.5 * (low + high);
  }

 private:
  double log_first_;
  double log_second_;
  Vector variances_;
  Vector between_;
};

/// ln pi - ln s - (x - mu)^2 / (2 s^2)
double log_joint(const WeightedGaussian& gaussian, double x) {
  const double z = (x - gaussian.mean[0]) / std::sqrt(gaussian.covariance[0]);
  return std::log(gaussian.prior) - 0.5 * std::log(gaussian.covariance[0]) - 0.5 * z * z;
}

/// Where two of them are equal: roots of a quadratic, around the mean of the first.
void add_crossings(const WeightedGaussian& a, const WeightedGaussian& b, std::vector<double>& to) {
  const double off = a.mean[0] - b.mean[0];
  const double square = 0.5 / b.covariance[0] - 0.5 / a.covariance[0];
  const double slope = off / b.covariance[0];
  const double constant = 0.5 * off * off / b.covariance[0] + std::log(a.prior / b.prior) +
                          0.5 * std::log(b.covariance[0] / a.covariance[0]);
  if (square == 0.0) {
    if (slope != 0.0) { to.push_back(a.mean[0] - constant / slope); }
    return;
  }
  const double root = slope * slope - 4.0 * square * constant;
  if (root < 0.0) { return; }
  const double sum = -0.5 * (slope + std::copysign(std::sqrt(root), slope));
  to.push_back(a.mean[0] + sum / square);
  if (sum != 0.0) { to.push_back(a.mean[0] + constant / sum); }
}

std::size_t decided_at(std::span<const WeightedGaussian> classes, double x) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < classes.size(); ++k) {
    if (log_joint(classes[k], x) > log_joint(classes[best], x)) { best = k; }
  }
  return best;
}

}  // namespace

double normal_between(double mean, double deviation, double from, double to) {
  const double low = (from - mean) / deviation;
  const double high = (to - mean) / deviation;
  return low > 0.0 ? upper_tail(low) - upper_tail(high) : upper_tail(-high) - upper_tail(-low);
}

PairProbabilities pair_probabilities(const WeightedGaussian& first,
                                     const WeightedGaussian& second) {
  const Pair pair(first, second);
  PairProbabilities found;
  if (std::ranges::equal(first.covariance, second.covariance)) {
    fill_one_covariance(pair, found);
  } else {
    found.first_as_second = taken_for_other(pair.first, pair.second, pair.between, pair.log_odds);
    found.second_as_first = taken_for_other(pair.second, pair.first, -pair.between, -pair.log_odds);
  }
  const ChernoffBound bound(pair, std::log(first.prior), std::log(second.prior));
  found.chernoff_exponent = bound.best();
  found.bhattacharyya = std::exp(bound(0.5));
  found.chernoff = std::min(found.bhattacharyya, std::exp(bound(found.chernoff_exponent)));
  return found;
}

LineRegions line_regions(std::span<const WeightedGaussian> classes) {
  double deviation = 0.0;  // the largest: what lies so far outside of all crossings is beyond doubt
  for (const WeightedGaussian& one : classes) {
    deviation = std::max(deviation, std::sqrt(one.covariance[0]));
  }
  std::vector<double> crossings;
  for (std::size_t j = 0; j < classes.size(); ++j) {
    for (std::size_t k = j + 1; k < classes.size(); ++k) {
      add_crossings(classes[j], classes[k], crossings);
    }
  }
  std::erase_if(crossings, [](double x) { return !std::isfinite(x); });
  std::ranges::sort(crossings);
  crossings.push_back(kInfinity);
  LineRegions found;
  double begin = -kInfinity;
  for (const double end : crossings) {
    if (end == begin) { continue; }
    const auto step = [deviation](double x) { return std::max(deviation, 1e-12 * std::abs(x)); };
    const double inside = std::isinf(begin) && std::isinf(end) ? classes.front().mean[0]
                          : std::isinf(begin)                  ? end - step(end)
                          : std::isinf(end)                    ? begin + step(begin)
                                                               : 0.5 * begin + 0.5 * end;
    const std::size_t decided = decided_at(classes, inside);
    if (found.decided.empty() || found.decided.back() != decided) {
      if (!found.decided.empty()) { found.ends.push_back(begin); }
      found.decided.push_back(decided);
    }
    begin = end;
  }
  found.probabilities.assign(classes.size() * classes.size(), 0.0);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    for (std::size_t i = 0; i < found.decided.size(); ++i) {
      found.probabilities[k * classes.size() + found.decided[i]] +=
          normal_between(classes[k].mean[0], std::sqrt(classes[k].covariance[0]),
                         i == 0 ? -kInfinity : found.ends[i - 1],
                         i == found.ends.size() ? kInfinity : found.ends[i]);
    }
  }
  return found;
}

}  // namespace logodds::measure
