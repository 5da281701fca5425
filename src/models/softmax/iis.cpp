#include "models/softmax/iis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"
#include "models/softmax/columns.hpp"
#include "models/softmax/inner.hpp"

namespace logodds::models::softmax {

namespace {

/// Features f = (x - low) / range, and 1 for the intercept, all from 0 to 1.
class Scaling {
 public:
  Scaling(const FitRows& rows, const Wish& wish)
      : rows_(rows),
        width_(rows.columns + (wish.intercept ? 1 : 0)),
        classes_(rows.classes),
        low_(rows.columns, wish.intercept ? std::numeric_limits<double>::infinity() : 0.0),
        range_(rows.columns, 0.0) {
    find_ranges(wish.intercept);
    fill_features();
    const Penalty penalty = penalty_of(rows, wish);
    // For two classes theta is the difference of two opposite vectors, of half its length each.
    const double factor = classes_ == 2 ? 2.0 : 1.0;
    decay_.assign(width_, 0.0);
    for (std::size_t i = 0; i < rows.columns; ++i) {
      decay_[i] = factor * penalty.decay[i] / (range_[i] * range_[i]);
    }
  }

  [[nodiscard]] std::size_t size() const { return width_ * classes_; }

  void begin(const Start& start, std::vector<double>& beta) const {
    beta.assign(size(), 0.0);
    for (std::size_t k = 0; k < classes_ && !start.coefficients.empty(); ++k) {
      double bias = start.intercepts[k];
      for (std::size_t i = 0; i < rows_.columns; ++i) {
        const double theta = start.coefficients[i * classes_ + k];
        beta[i * classes_ + k] = theta * range_[i];
        bias += theta * low_[i];
      }
      if (width_ > rows_.columns) { beta[rows_.columns * classes_ + k] = bias; }
    }
  }

  /// The objective; posteriors stay for the step.
  double evaluate(const std::vector<double>& beta, std::vector<double>& gradient) {
    const std::vector<double> zeros(std::max(width_, classes_), 0.0);
    std::vector<double> log_sums(rows_.rows);
    kernels::affine_scores(features_.data(), rows_.rows, width_, width_, zeros.data(), beta.data(),
                           zeros.data(), classes_, p_.data());
    double value = 0.0;
    for (std::size_t r = 0; r < rows_.rows; ++r) { value -= rows_.weight_of(r) * truth(r); }
    kernels::softmax_rows(p_.data(), rows_.rows, classes_, log_sums.data());
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      const double w = rows_.weight_of(r);
      value += w * log_sums[r];
      for (std::size_t k = 0; k < classes_; ++k) { p_[r * classes_ + k] *= w; }
    }
    for (std::size_t c = 0; c < size(); ++c) { gradient[c] = -observed_[c]; }
    kernels::outer_add(features_.data(), rows_.rows, width_, width_, zeros.data(), p_.data(),
                       classes_, gradient.data());
    for (std::size_t c = 0; c < size(); ++c) {
      const double decay = decay_[c / classes_];
      gradient[c] += 2.0 * decay * beta[c];
      value += decay * beta[c] * beta[c];
    }
    return value;
  }

  /// delta for parameter c, by Newton's method on an increasing convex function; a step needs no
  /// more than its first digits.
  [[nodiscard]] double delta(std::size_t c, double theta, double gradient) const {
    constexpr int kMost = 20;
    constexpr double kFar = 4.0;
    const std::size_t i = c / classes_;
    const std::size_t k = c % classes_;
    double step = 0.0;
    double value = gradient;
    for (int trial = 0; trial < kMost; ++trial) {
      double slope = 2.0 * decay_[i];
      if (trial > 0) { value = 2.0 * decay_[i] * (theta + step) - observed_[c]; }
      for (std::size_t r = 0; r < rows_.rows; ++r) {
        const double share = p_[r * classes_ + k] * features_[r * width_ + i];
        const double power = trial > 0 ? share * std::exp(step * sums_[r]) : share;
        if (trial > 0) { value += power; }
        slope += power * sums_[r];
      }
      if (!(slope > 0.0)) { return 0.0; }
      const double next = std::clamp(step - value / slope, -kFar, kFar);
      const bool enough = std::abs(next - step) <= 0.01 * std::abs(next);
      step = next;
      if (enough) { break; }
    }
    return step;
  }

  [[nodiscard]] Solution solution(const std::vector<double>& beta) const {
    const std::size_t d = rows_.columns;
    Solution result{.center = low_,
                    .coefficients = std::vector<double>(d * classes_),
                    .bias = std::vector<double>(classes_, 0.0),
                    .optimizer = "iis"};
    for (std::size_t i = 0; i < width_; ++i) {
      for (std::size_t k = 0; k < classes_; ++k) {
        const double reference = classes_ == 2 ? beta[i * classes_] : 0.0;
        const double value = beta[i * classes_ + k] - reference;
        if (i < d) {
          result.coefficients[i * classes_ + k] = value / range_[i];
        } else {
          result.bias[k] = value;
        }
      }
    }
    return result;
  }

 private:
  [[nodiscard]] double truth(std::size_t r) const {
    return p_[r * classes_ + static_cast<std::size_t>(rows_.labels[r])];
  }

  void find_ranges(bool intercept) {
    std::vector<double> high(low_.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      const double* const x = rows_.x.data + r * rows_.x.stride;
      for (std::size_t i = 0; i < rows_.columns; ++i) {
        low_[i] = std::min(low_[i], x[i]);
        high[i] = std::max(high[i], x[i]);
      }
    }
    for (std::size_t i = 0; i < rows_.columns; ++i) {
      if (!intercept && low_[i] < 0.0) {
        throw Error(ErrorCode::usage,
                    "--optimizer iis wants columns that are not negative, or an intercept that "
                    "makes good for shifting them; take --intercept on, or --optimizer lbfgs");
      }
      const double range = high[i] - low_[i];
      range_[i] = std::isnormal(range) ? range : 1.0;
    }
  }

  void fill_features() {
    features_.resize(rows_.rows * width_);
    p_.resize(rows_.rows * classes_);
    observed_.assign(size(), 0.0);
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      const auto label = static_cast<std::size_t>(rows_.labels[r]);
      double sum = 0.0;
      for (std::size_t i = 0; i < width_; ++i) {
        const bool last = i == rows_.columns;
        const double f = last ? 1.0 : (rows_.x.data[r * rows_.x.stride + i] - low_[i]) / range_[i];
        features_[r * width_ + i] = f;
        observed_[i * classes_ + label] += rows_.weight_of(r) * f;
        sum += f;
      }
      sums_.push_back(sum);
    }
  }

  const FitRows& rows_;
  std::size_t width_;
  std::size_t classes_;
  std::vector<double> low_;
  std::vector<double> range_;
  std::vector<double> features_;  ///< N x width
  std::vector<double> sums_;      ///< of a row's features
  std::vector<double> observed_;  ///< width x K
  std::vector<double> decay_;
  std::vector<double> p_;  ///< w_n p_nk, N x K
};

}  // namespace

Solution solve_iis(const FitRows& rows, const Wish& wish, const Start& start,
                   linear::FitTrace& trace) {
  Scaling scaling(rows, wish);
  std::vector<double> beta;
  scaling.begin(start, beta);
  std::vector<double> gradient(scaling.size());
  optimize::Result result;
  double longest = 0.0;
  for (;; ++result.iterations) {
    result.value = scaling.evaluate(beta, gradient);
    result.gradient_norm = 0.0;
    for (const double g : gradient) {
      result.gradient_norm = std::max(result.gradient_norm, std::abs(g));
    }
    trace.add({result.iterations, result.value, result.gradient_norm, longest});
    result.converged = result.gradient_norm <= wish.tolerance * rows.weight;
    if (result.converged || result.iterations >= wish.max_iterations) { break; }
    longest = 0.0;
    for (std::size_t c = 0; c < beta.size(); ++c) {
      const double step = scaling.delta(c, beta[c], gradient[c]);
      beta[c] += step;
      longest = std::max(longest, std::abs(step));
    }
  }
  remove_class_means(beta, rows.classes);  // so that the decay is that of the solution
  result.value = scaling.evaluate(beta, gradient);
  return finished(scaling.solution(beta), result, rows.classes, true);
}

}  // namespace logodds::models::softmax
