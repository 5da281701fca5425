#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

/// A lower triangular factor and the reciprocals of its diagonal; the upper triangle is poisoned.
struct Factor {
  explicit Factor(std::size_t size) : d(size), entries(normal_values(size * size, 0.0, 0.3)) {
    const std::vector<double> diagonal = positive_values(d);
    for (std::size_t i = 0; i < d; ++i) {
      entries[i * d + i] = diagonal[i];
      inverse_diagonal.push_back(1.0 / diagonal[i]);
      for (std::size_t j = i + 1; j < d; ++j) {
        entries[i * d + j] = std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
  std::size_t d;
  std::vector<double> entries, inverse_diagonal;
};

/// Bound on the error of ||z||^2, z = L^-1 b, from |z^ - z| <= gamma M(L)^-1 |L| |z| (Higham,
/// Accuracy and Stability, theorem 8.5), M(L) the comparison matrix; one extra rounding for the
/// reciprocal of the diagonal and one for b itself, which is covered by |L| |z| as well.
double error_bound(const Factor& factor, const std::vector<double>& b) {
  const std::size_t d = factor.d;
  const auto entry = [&](std::size_t i, std::size_t j) { return factor.entries[i * d + j]; };
  std::vector<double> z(d), error(d);
  double bound = 0.0, norm = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    double rest = b[i], magnitude = std::fabs(b[i]), inherited = 0.0;
    for (std::size_t j = 0; j < i; ++j) {
      rest -= entry(i, j) * z[j];
      magnitude += std::fabs(entry(i, j) * z[j]);
      inherited += std::fabs(entry(i, j)) * error[j];
    }
    z[i] = rest / entry(i, i);
    magnitude += std::fabs(rest);
    error[i] = (magnitude * static_cast<double>(d + 4) * kEpsilon + inherited) / entry(i, i);
    bound += 2.0 * std::fabs(z[i]) * error[i] + error[i] * error[i];
    norm += z[i] * z[i];
  }
  return bound + static_cast<double>(d + 1) * kEpsilon * norm;
}

void check_mahalanobis(const Rows& rows, std::size_t out_stride) {
  const Factor factor(rows.d);
  const std::vector<double> mean = normal_values(rows.d);
  std::vector<double> expected(rows.n * out_stride, -7.0), bound(rows.n * out_stride, 0.0);
  reference::mahalanobis(rows.first(), rows.n, rows.d, rows.stride, mean.data(),
                         factor.entries.data(), factor.inverse_diagonal.data(), expected.data(),
                         out_stride);
  for (std::size_t r = 0; r < rows.n; ++r) {
    std::vector<double> deviation(rows.d);
    for (std::size_t i = 0; i < rows.d; ++i) { deviation[i] = rows.at(r, i) - mean[i]; }
    bound[r * out_stride] = 2.0 * error_bound(factor, deviation);
  }
  for_each_level([&] {
    std::vector<double> actual(rows.n * out_stride, -7.0);
    mahalanobis(rows.first(), rows.n, rows.d, rows.stride, mean.data(), factor.entries.data(),
                factor.inverse_diagonal.data(), actual.data(), out_stride);
    check_within(actual, expected, bound);
  });
}

/// k classes with factors of their own; the bound is that of the substitution, halved, and the
/// rounding of the last difference.
void check_quadratic(const Rows& rows, std::size_t k) {
  const std::size_t d = rows.d;
  const std::vector<double> means = normal_values(k * d), bias = normal_values(k);
  std::vector<Factor> factors;
  std::vector<double> entries, inverse_diagonals;
  for (std::size_t c = 0; c < k; ++c) {
    const Factor& factor = factors.emplace_back(d);
    entries.insert(entries.end(), factor.entries.begin(), factor.entries.end());
    inverse_diagonals.insert(inverse_diagonals.end(), factor.inverse_diagonal.begin(),
                             factor.inverse_diagonal.end());
  }
  std::vector<double> expected(rows.n * k), bound(rows.n * k);
  reference::quadratic_scores(rows.first(), rows.n, d, rows.stride, means.data(), entries.data(),
                              inverse_diagonals.data(), bias.data(), k, expected.data());
  for (std::size_t r = 0; r < rows.n; ++r) {
    for (std::size_t c = 0; c < k; ++c) {
      std::vector<double> deviation(d);
      for (std::size_t i = 0; i < d; ++i) { deviation[i] = rows.at(r, i) - means[c * d + i]; }
      bound[r * k + c] = error_bound(factors[c], deviation) +
                         2.0 * kEpsilon * (std::fabs(bias[c]) + std::fabs(expected[r * k + c]));
    }
  }
  for_each_level([&] {
    std::vector<double> actual(rows.n * k);
    quadratic_scores(rows.first(), rows.n, d, rows.stride, means.data(), entries.data(),
                     inverse_diagonals.data(), bias.data(), k, actual.data());
    check_within(actual, expected, bound);
  });
}

}  // namespace

TEST_CASE("quadratic_scores agrees with plain forward substitution class by class") {
  for (const std::size_t k : {1UL, 3UL, 10UL}) {
    CAPTURE(k);
    for_each_shape([k](const Rows& rows) { check_quadratic(rows, k); });
  }
}

TEST_CASE("mahalanobis agrees with plain forward substitution and writes only its own column") {
  for_each_shape([](const Rows& rows) {
    check_mahalanobis(rows, 1);
    check_mahalanobis(rows, 3);
  });
}

TEST_CASE("mahalanobis of a factor that is a multiple of the identity is a scaled length") {
  const std::vector<double> row{3.0, 4.0}, mean{0.0, 0.0}, factor{2.0, 0.0, 0.0, 2.0};
  const std::vector<double> inverse{0.5, 0.5};
  for_each_level([&] {
    double length = 0.0;
    mahalanobis(row.data(), 1, 2, 2, mean.data(), factor.data(), inverse.data(), &length, 1);
    CHECK(length == 6.25);
  });
}
