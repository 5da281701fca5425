// EM for Gaussian classes with missing values, on moments by pattern (Little & Rubin, 2002, 11.2).
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "logodds/error.hpp"
#include "models/gaussian/eigen.hpp"
#include "models/gaussian/missing.hpp"

namespace logodds::models::gaussian {

namespace {

/// Means of the classes and covariances as matrices (a diagonal one as a whole matrix, too).
struct State {
  std::vector<double> means;          ///< K x D
  std::vector<std::size_t> of_class;  ///< which sigma
  std::vector<Matrix> sigmas;
};

Matrix picked(const Matrix& sigma, const std::vector<std::size_t>& rows,
              const std::vector<std::size_t>& columns) {
  Matrix part(index(rows.size()), index(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      part(index(i), index(j)) = sigma(index(rows[i]), index(columns[j]));
    }
  }
  return part;
}

Vector picked(const double* mean, const std::vector<std::size_t>& rows) {
  Vector part(index(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) { part(index(i)) = mean[rows[i]]; }
  return part;
}

/// -1/2 [ n (d ln 2 pi + ln |Sigma|) + tr Sigma^-1 (S + n off off^T) ].
double log_density_sum(const Eigen::LLT<Matrix>& llt, double weight, const Matrix& scatter,
                       const Vector& off) {
  const auto d = static_cast<double>(off.size());
  const double log_determinant = 2.0 * Matrix(llt.matrixL()).diagonal().array().log().sum();
  const double spread = llt.solve(scatter).trace() + weight * off.dot(llt.solve(off));
  return -0.5 * (weight * (d * std::log(2.0 * std::numbers::pi) + log_determinant) + spread);
}

/// Weight, mean and scatter of one more group of rows (Chan, Golub & LeVeque, 1983).
void join(DesignMoments& sum, std::size_t k, double weight, const Vector& mean,
          const Matrix& scatter) {
  const std::size_t d = sum.size;
  auto total_mean = vector_view(sum.mean(k), d);
  auto total_scatter = matrix_view(sum.scatter(k), d, d);
  const double total = sum.weights[k] + weight;
  const Vector delta = mean - total_mean;
  total_scatter += scatter + (sum.weights[k] * (weight / total)) * delta * delta.transpose();
  total_mean += delta * (weight / total);
  sum.weights[k] = total;
}

/// The inverse of picked().
void place(Matrix& whole, const std::vector<std::size_t>& rows,
           const std::vector<std::size_t>& columns, const Matrix& part) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      whole(index(rows[i]), index(columns[j])) = part(index(i), index(j));
    }
  }
}

/// What a pattern's rows look like, completed: E[x | observed], and their expected scatter.
double complete_part(const PatternPart& part, const State& state, DesignMoments& sum) {
  const std::size_t d = sum.size;
  const std::size_t count = part.observed.size();
  const Matrix& sigma = state.sigmas[state.of_class[part.label]];
  const double* const mu = state.means.data() + part.label * d;
  Vector mean = vector_view(mu, d);
  Matrix scatter = Matrix::Zero(index(d), index(d));
  if (part.observed.empty()) {
    join(sum, part.label, part.weight, mean, part.weight * sigma);
    return 0.0;
  }
  const Matrix observed_scatter = matrix_view(part.scatter.data(), count, count);
  const Eigen::LLT<Matrix> llt(picked(sigma, part.observed, part.observed));
  const Vector off = vector_view(part.mean.data(), count) - picked(mu, part.observed);
  for (std::size_t a = 0; a < count; ++a) { mean(index(part.observed[a])) = part.mean[a]; }
  place(scatter, part.observed, part.observed, observed_scatter);
  if (!part.missing.empty()) {  // it is when the column that is missing has no indicator
    const Matrix across = picked(sigma, part.observed, part.missing);
    const Matrix regression = llt.solve(across);  // observed x missing
    const Matrix cross = observed_scatter * regression;
    const Matrix conditional =
        picked(sigma, part.missing, part.missing) - across.transpose() * regression;
    const Vector expected = picked(mu, part.missing) + regression.transpose() * off;
    for (std::size_t a = 0; a < part.missing.size(); ++a) {
      mean(index(part.missing[a])) = expected(index(a));
    }
    place(scatter, part.observed, part.missing, cross);
    place(scatter, part.missing, part.observed, cross.transpose());
    place(scatter, part.missing, part.missing,
          regression.transpose() * cross + part.weight * conditional);
  }
  join(sum, part.label, part.weight, mean, scatter);
  return log_density_sum(llt, part.weight, observed_scatter, off);
}

double complete_log_likelihood(const DesignMoments& complete, const State& state) {
  const std::size_t d = complete.size;
  double sum = 0.0;
  std::vector<Eigen::LLT<Matrix>> factors;
  for (const auto& sigma : state.sigmas) { factors.emplace_back(sigma); }
  for (std::size_t k = 0; k < complete.classes(); ++k) {
    if (complete.weights[k] == 0.0) { continue; }
    const Vector off =
        vector_view(complete.mean(k), d) - vector_view(state.means.data() + k * d, d);
    sum += log_density_sum(factors[state.of_class[k]], complete.weights[k],
                           matrix_view(complete.scatter(k), d, d), off);
  }
  return sum;
}

State state_from(const DesignMoments& moments, const CovarianceTask& task,
                 const Shrinker& shrinker) {
  const std::size_t d = moments.size;
  const Covariances found = covariances(moments, task, shrinker(moments));
  std::vector<std::string> notes;
  static_cast<void>(
      factors(found, moments, task, notes));  // refuses singular ones, with the reason
  State state{moments.means, found.of_class, {}};
  for (const auto& sigma : found.sigmas) {
    state.sigmas.emplace_back(matrix_view(sigma.values.data(), d, d));
  }
  for (const auto& variances : found.variances) {
    state.sigmas.emplace_back(vector_view(variances.data(), d).asDiagonal());
  }
  return state;
}

/// Moments with all squares and products, for the steps below.
DesignMoments as_full(const DesignMoments& moments) {
  if (moments.full) { return moments; }
  DesignMoments wide(moments.classes(), moments.size, true);
  wide.weights = moments.weights;
  wide.means = moments.means;
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    for (std::size_t i = 0; i < moments.size; ++i) {
      wide.scatter(k)[i * moments.size + i] = moments.square(k, i);
    }
  }
  return wide;
}

PatternPart as_full(const PatternPart& part) {
  PatternPart wide = part;
  const std::size_t count = part.observed.size();
  if (part.scatter.size() == count * count) { return wide; }
  wide.scatter.assign(count * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) { wide.scatter[i * count + i] = part.scatter[i]; }
  return wide;
}

/// Only the diagonals of the available cases: positive definite whatever is missing.
DesignMoments start_moments(const DesignMoments& complete, const std::vector<PatternPart>& parts) {
  DesignMoments start = available_moments(complete, parts);
  for (std::size_t k = 0; k < start.classes(); ++k) {
    for (std::size_t i = 0; i < start.size; ++i) {
      for (std::size_t j = 0; j < start.size; ++j) {
        if (i != j) { start.scatter(k)[i * start.size + j] = 0.0; }
      }
    }
  }
  return start;
}

/// Of any covariance in units of the standard deviations, and of any mean in these. The likelihood
/// is flat at its maximum, so it would say 'done' too early by half the digits.
double largest_change(const DesignMoments& before, const DesignMoments& after) {
  const std::size_t d = after.size;
  double largest = 0.0;
  for (std::size_t k = 0; k < after.classes(); ++k) {
    std::vector<double> scale(d);
    for (std::size_t i = 0; i < d; ++i) { scale[i] = std::sqrt(after.square(k, i)); }
    for (std::size_t i = 0; i < d; ++i) {
      if (scale[i] == 0.0) { continue; }
      const double moved = std::abs(after.mean(k)[i] - before.mean(k)[i]) / scale[i];
      largest = std::max(largest, moved * std::sqrt(after.weights[k]));
      for (std::size_t j = 0; j < d; ++j) {
        if (scale[j] == 0.0) { continue; }
        const std::size_t at = i * d + j;
        largest = std::max(largest, std::abs(after.scatter(k)[at] - before.scatter(k)[at]) /
                                        (scale[i] * scale[j]));
      }
    }
  }
  return largest;
}

}  // namespace

DesignMoments em_moments(const DesignMoments& given, const std::vector<PatternPart>& given_parts,
                         const CovarianceTask& task, const Shrinker& shrinker,
                         const Context& context, EmTrace& trace) {
  constexpr std::size_t kMostSteps = 1000;
  constexpr double kSmallChange = 1e-11;
  const DesignMoments complete = as_full(given);
  std::vector<PatternPart> parts;
  for (const auto& part : given_parts) { parts.push_back(as_full(part)); }
  DesignMoments moments = start_moments(complete, parts);
  for (std::size_t step = 0; step < kMostSteps && !trace.converged; ++step) {
    const State state = state_from(moments, task, shrinker);
    double log_likelihood = complete_log_likelihood(complete, state);
    DesignMoments next = complete;
    for (const auto& part : parts) { log_likelihood += complete_part(part, state, next); }
    trace.last_change = largest_change(moments, next);
    trace.converged = trace.last_change <= kSmallChange;
    moments = std::move(next);
    if (context.progress) {
      context.progress({.what = "EM", .objective = log_likelihood, .iteration = step + 1});
    }
    trace.log_likelihoods.push_back(log_likelihood);
  }
  if (given.full) { return moments; }
  DesignMoments squares(given.classes(), given.size, false);
  squares.weights = moments.weights;
  squares.means = moments.means;
  for (std::size_t k = 0; k < given.classes(); ++k) {
    for (std::size_t i = 0; i < given.size; ++i) { squares.scatter(k)[i] = moments.square(k, i); }
  }
  return squares;
}

double observed_log_likelihood(const DesignMoments& given, const std::vector<PatternPart>& parts,
                               const Densities& densities) {
  const DesignMoments complete = as_full(given);
  const std::size_t d = complete.size;
  State state{densities.means, densities.covariance_of, {}};
  for (const auto& factor : densities.factors) {
    Matrix lower = Matrix::Zero(index(d), index(d));
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) { lower(index(i), index(j)) = factor.at(i, j); }
    }
    state.sigmas.emplace_back(lower * lower.transpose());
  }
  double sum = complete_log_likelihood(complete, state);
  DesignMoments scratch = complete;
  for (const auto& part : parts) { sum += complete_part(as_full(part), state, scratch); }
  return sum;
}

}  // namespace logodds::models::gaussian
