#include "models/gaussian/design_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/principal.hpp"
#include "logodds/error.hpp"
#include "models/gaussian/eigen.hpp"

namespace logodds::models::gaussian {

DesignMoments::DesignMoments(std::size_t classes, std::size_t d, bool all_pairs)
    : size(d),
      full(all_pairs),
      weights(classes, 0.0),
      means(classes * d, 0.0),
      scatters(classes * scatter_size(), 0.0) {}

DesignMoments::DesignMoments(const ClassMoments& all, const Design& design)
    : DesignMoments(all.classes(), design.size(), all.second() == SecondMoments::full) {
  std::vector<std::size_t> picked;
  for (const auto& column : design.columns()) { picked.push_back(all.position(column)); }
  for (std::size_t k = 0; k < classes(); ++k) {
    weights[k] = all.weight(k);
    for (std::size_t i = 0; i < size; ++i) {
      mean(k)[i] = all.mean(k, picked[i]);
      if (!full) {
        scatter(k)[i] = all.scatter(k, picked[i], picked[i]);
        continue;
      }
      for (std::size_t j = 0; j <= i; ++j) {
        const double value = all.scatter(k, picked[i], picked[j]);
        scatter(k)[i * size + j] = value;
        scatter(k)[j * size + i] = value;
      }
    }
  }
}

double DesignMoments::weight() const {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

std::vector<double> DesignMoments::magnitudes(const std::vector<std::size_t>& members) const {
  std::vector<double> largest(size, 0.0);
  for (const std::size_t k : members) {
    for (std::size_t i = 0; i < size; ++i) {
      largest[i] = std::max(largest[i], std::abs(mean(k)[i]));
    }
  }
  return largest;
}

namespace {

/// m = sum_k (N_k / N) mu_k.
std::vector<double> overall_mean(const DesignMoments& moments) {
  std::vector<double> mean(moments.size, 0.0);
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    for (std::size_t i = 0; i < moments.size; ++i) {
      mean[i] += moments.mean(k)[i] * (moments.weights[k] / moments.weight());
    }
  }
  return mean;
}

/// Within plus between: (1/N) sum_k [S_k + N_k (mu_k - m)(mu_k - m)^T].
Matrix total_covariance(const DesignMoments& moments, const std::vector<double>& center) {
  const std::size_t d = moments.size;
  Matrix total = Matrix::Zero(index(d), index(d));
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    const Vector off = vector_view(moments.mean(k), d) - vector_view(center.data(), d);
    total += matrix_view(moments.scatter(k), d, d);
    total += moments.weights[k] * off * off.transpose();
  }
  return total / moments.weight();
}

}  // namespace

Projection principal_components(const DesignMoments& moments, std::size_t count) {
  const std::size_t d = moments.size;
  Projection projection{.center = overall_mean(moments), .axes = std::vector<double>(d * count)};
  const auto all = linalg::principal_axes(total_covariance(moments, projection.center));
  const std::size_t varying = all.varying(d);
  if (count > varying) {
    throw Error(ErrorCode::usage, "--components " + std::to_string(count) + ": only " +
                                      std::to_string(varying) + " of the " + std::to_string(d) +
                                      " principal components vary; ask for at most so many");
  }
  matrix_view(projection.axes.data(), d, count) = all.vectors.leftCols(index(count));
  return projection;
}

DesignMoments projected(const DesignMoments& moments, const Projection& projection) {
  const std::size_t d = moments.size;
  const std::size_t count = projection.axes.size() / d;
  const auto axes = matrix_view(projection.axes.data(), d, count);
  DesignMoments result(moments.classes(), count, true);
  result.weights = moments.weights;
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    const Vector off = vector_view(moments.mean(k), d) - vector_view(projection.center.data(), d);
    vector_view(result.mean(k), count) = axes.transpose() * off;
    const Matrix half = matrix_view(moments.scatter(k), d, d) * axes;
    matrix_view(result.scatter(k), count, count) = axes.transpose() * half;
  }
  return result;
}

}  // namespace logodds::models::gaussian
