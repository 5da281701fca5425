#include "models/gaussian/marginal_factor.hpp"

#include <cmath>

namespace logodds::models::gaussian {

namespace {

/// Column-major, so that a rotation of two columns works on contiguous numbers.
struct Columns {
  std::vector<double> values;
  std::size_t rows = 0;
  [[nodiscard]] double* at(std::size_t i, std::size_t j) { return values.data() + j * rows + i; }
};

/// Rotates columns j - 1 and j of rows i, i + 1, ... so that entry (i, j) becomes 0.
void rotate(Columns& matrix, std::size_t i, std::size_t j) {
  double* left = matrix.at(i, j - 1);
  double* right = matrix.at(i, j);
  const double length = std::sqrt(*left * *left + *right * *right);
  const double c = *left / length;
  const double s = *right / length;
  for (std::size_t r = 0; r < matrix.rows - i; ++r) {
    const double before = left[r];
    left[r] = c * before + s * right[r];
    right[r] = c * right[r] - s * before;
  }
}

/// Row i of L_o ends at column observed[i]; rotations move its end to column i, from the first row
/// to the last, and leave the rows above alone.
Columns triangular_rows(const CholeskyFactor& factor, const std::vector<std::size_t>& observed) {
  const std::size_t count = observed.size();
  Columns matrix{std::vector<double>(count * factor.size, 0.0), count};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= observed[i]; ++j) {
      *matrix.at(i, j) = factor.lower[observed[i] * factor.size + j];
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = observed[i]; j > i; --j) { rotate(matrix, i, j); }
  }
  return matrix;
}

}  // namespace

CholeskyFactor marginal_factor(const CholeskyFactor& factor,
                               const std::vector<std::size_t>& observed) {
  const std::size_t count = observed.size();
  CholeskyFactor result{count, {}, std::vector<double>(count), 0.0, factor.smallest_share};
  if (factor.diagonal()) {
    for (std::size_t i = 0; i < count; ++i) {
      result.inverse_diagonal[i] = factor.inverse_diagonal[observed[i]];
    }
  } else {
    Columns matrix = triangular_rows(factor, observed);
    result.lower.resize(count * count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j <= i; ++j) { result.lower[i * count + j] = *matrix.at(i, j); }
      result.inverse_diagonal[i] = 1.0 / *matrix.at(i, i);
    }
  }
  for (const double inverse : result.inverse_diagonal) {
    result.log_determinant -= 2.0 * std::log(inverse);
  }
  return result;
}

}  // namespace logodds::models::gaussian
