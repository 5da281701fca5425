#include "models/binary/coordinates.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "linalg/qr.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/stats/variance.hpp"
#include "models/linear/column_means.hpp"

namespace logodds::models::binary {

namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Second derivative of a row's loss at a typical eta.
constexpr double kCurvature = 0.1;

double weight_of(const double* weights, std::size_t row) {
  return weights == nullptr ? 1.0 : weights[row];
}

double total_weight(const double* weights, std::size_t n) {
  double total = 0.0;
  for (std::size_t r = 0; r < n; ++r) { total += weight_of(weights, r); }
  return total;
}

/// Standard deviations around `center`; 0 for a column that does not vary but by rounding.
std::vector<double> spreads(const DesignRows& rows, const double* weights, double total,
                            const std::vector<double>& center) {
  std::vector<double> squares(rows.columns, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double share = weight_of(weights, r) / total;
    const double* const x = rows.data + r * rows.stride;
    for (std::size_t i = 0; i < rows.columns; ++i) {
      squares[i] += share * (x[i] - center[i]) * (x[i] - center[i]);
    }
  }
  for (std::size_t i = 0; i < rows.columns; ++i) {
    const bool none = std::isfinite(squares[i]) && has_no_variance(squares[i], std::abs(center[i]));
    squares[i] = none ? 0.0 : std::sqrt(squares[i]);
  }
  return squares;
}

/// Powers of 2 near 1 / spread, and 0 for a column without: scaling by them is exact.
std::vector<double> exact_scales(const std::vector<double>& spread) {
  std::vector<double> scales;
  for (const double s : spread) {
    scales.push_back(std::isnormal(s) ? std::ldexp(1.0, -std::ilogb(s)) : 0.0);
  }
  return scales;
}

/// R of the rows (x - center) scale, block by block in fixed lanes.
linalg::BlockQr triangle(const DesignRows& rows, const double* weights,
                         const std::vector<double>& center, const std::vector<double>& scale,
                         int threads) {
  const std::size_t d = rows.columns;
  const std::size_t blocks = (rows.rows + kBlockRows - 1) / kBlockRows;
  std::vector<linalg::BlockQr> lanes(std::min(lanes_for(d), std::max<std::size_t>(blocks, 1)),
                                     linalg::BlockQr(d));
  parallel::run_lanes(threads, lanes.size(), [&](std::size_t lane) {
    std::vector<double> scaled(kBlockRows * d);
    for (std::size_t block = lane; block < blocks; block += lanes.size()) {
      const std::size_t begin = block * kBlockRows;
      const std::size_t n = std::min(kBlockRows, rows.rows - begin);
      for (std::size_t r = 0; r < n; ++r) {
        const double* const x = rows.data + (begin + r) * rows.stride;
        for (std::size_t i = 0; i < d; ++i) { scaled[r * d + i] = (x[i] - center[i]) * scale[i]; }
      }
      lanes[lane].add(scaled.data(), n, d, weights == nullptr ? nullptr : weights + begin);
    }
  });
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) { lanes[0].merge(lanes[lane]); }
  return lanes[0];
}

/// The penalty of each column in the user's units.
std::vector<double> penalties(const CoordinateWish& wish, const std::vector<double>& spread) {
  std::vector<double> result;
  for (const double s : spread) { result.push_back(wish.decay * (wish.standardize ? s * s : 1.0)); }
  return result;
}

/// Rows of 0 but for sqrt(2 penalty / curvature) scale on the diagonal: they add to R^T R what the
/// decay adds to the Hessian.
void add_penalty_rows(linalg::BlockQr& qr, const std::vector<double>& penalty,
                      const std::vector<double>& scale) {
  const std::size_t d = penalty.size();
  std::vector<double> rows(d * d, 0.0);
  for (std::size_t i = 0; i < d; ++i) {
    rows[i * d + i] = std::sqrt(2.0 * penalty[i] / kCurvature) * scale[i];
  }
  qr.add(rows.data(), d, d, nullptr);
}

void fill(Coordinates& out, const linalg::IndependentColumns& found,
          const std::vector<double>& scale, const std::vector<double>& penalty, double total) {
  const auto kept = static_cast<Index>(found.kept.size());
  const auto d = static_cast<Index>(out.columns);
  const auto m = static_cast<Index>(out.size);
  const RowMajor r = found.r / std::sqrt(total);
  const RowMajor t = r.triangularView<Eigen::Upper>().solve(RowMajor::Identity(kept, kept));
  RowMajor a = RowMajor::Zero(d, m);
  RowMajor back = RowMajor::Zero(m, d);
  for (Index k = 0; k < kept; ++k) {
    const auto column = found.kept[static_cast<std::size_t>(k)];
    a.row(static_cast<Index>(column)).head(kept) = scale[column] * t.row(k);
    back.col(static_cast<Index>(column)).head(kept) = r.col(k) / scale[column];
  }
  const Eigen::Map<const Eigen::VectorXd> p(penalty.data(), d);
  const RowMajor quadratic = a.transpose() * p.asDiagonal() * a;
  out.matrix.assign(a.data(), a.data() + a.size());
  out.inverse.assign(back.data(), back.data() + back.size());
  out.penalty.assign(quadratic.data(), quadratic.data() + quadratic.size());
}

}  // namespace

Coordinates coordinates_for(const DesignRows& rows, const double* weights,
                            const CoordinateWish& wish) {
  const double total = total_weight(weights, rows.rows);
  Coordinates result;
  result.columns = rows.columns;
  result.intercept = wish.intercept;
  result.center =
      wish.intercept ? linear::column_means(rows, weights) : std::vector<double>(rows.columns, 0.0);
  result.spread = spreads(rows, weights, total, result.center);
  const auto scale = exact_scales(result.spread);
  const auto penalty = penalties(wish, result.spread);
  auto qr = triangle(rows, weights, result.center, scale, wish.threads);
  if (wish.decay > 0.0) { add_penalty_rows(qr, penalty, scale); }
  const auto found = linalg::independent_columns(qr.r(), rows.columns);
  result.size = found.kept.size() + (wish.intercept ? 1 : 0);
  result.identifiable.assign(rows.columns, 0);
  for (const auto column : found.kept) { result.identifiable[column] = 1; }
  result.made_of.resize(rows.columns);
  for (std::size_t i = 0; i < found.dependent.size(); ++i) {
    result.made_of[found.dependent[i]] = found.made_of[i];
  }
  fill(result, found, scale, penalty, total);
  return result;
}

std::vector<double> Coordinates::apply(const DesignRows& rows) const {
  std::vector<double> bias(size, 0.0);
  if (intercept) { bias.back() = 1.0; }
  std::vector<double> z(rows.rows * size);
  kernels::affine_scores(rows.data, rows.rows, columns, rows.stride, center.data(), matrix.data(),
                         bias.data(), size, z.data());
  return z;
}

std::vector<double> Coordinates::in_user_units(const std::vector<double>& beta) const {
  std::vector<double> coefficients(columns, 0.0);
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t k = 0; k < size; ++k) { coefficients[i] += matrix[i * size + k] * beta[k]; }
  }
  return coefficients;
}

std::vector<double> Coordinates::from_user_units(const std::vector<double>& coefficients,
                                                 double intercept_at_center) const {
  std::vector<double> beta(size, 0.0);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < columns; ++i) {
      beta[k] += inverse[k * columns + i] * coefficients[i];
    }
  }
  if (intercept) { beta.back() = intercept_at_center; }
  return beta;
}

}  // namespace logodds::models::binary
