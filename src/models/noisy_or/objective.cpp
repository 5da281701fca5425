#include "models/noisy_or/objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::noisy_or {

double log1mexp(double z) {
  return z < std::numbers::ln2 ? std::log(-std::expm1(-z)) : std::log1p(-std::exp(-z));
}

NoisyOrObjective::NoisyOrObjective(const CauseRows& rows, bool leak, int threads)
    : rows_(rows),
      leak_(leak),
      threads_(rows.rows() > 4 * kBlockRows ? threads : 1),
      linear_(rows.off_sums),
      sums_(rows.off_sums),
      optimality_{rows.largest, rows.weight},
      curvature_(rows.rows()) {
  for (std::size_t i = 0; i < rows.causes; ++i) {
    sums_[i] += rows.on_sums[i];
    if (rows.known[i] != Known::fitted) { optimality_.scale[i] = 0.0; }
  }
  if (!leak) { return; }
  linear_.push_back(rows.off_weight);
  sums_.push_back(rows.off_weight + rows.on_weight);
  optimality_.scale.push_back(1.0);
}

double NoisyOrObjective::inner(std::size_t row, std::span<const double> theta) const {
  double z = leak_ ? theta.back() : 0.0;
  for (std::size_t i = rows_.starts[row]; i < rows_.starts[row + 1]; ++i) {
    z += rows_.values[i] * theta[rows_.indices[i]];
  }
  return z;
}

void NoisyOrObjective::add_row(std::size_t row, double factor, std::span<double> target) const {
  if (leak_) { target.back() += factor; }
  for (std::size_t i = rows_.starts[row]; i < rows_.starts[row + 1]; ++i) {
    target[rows_.indices[i]] += factor * rows_.values[i];
  }
}

template <class Work>
double NoisyOrObjective::sum_rows(std::span<double> out, Work work) const {
  const std::size_t n = rows_.rows();
  const std::size_t blocks = (n + kBlockRows - 1) / kBlockRows;
  const std::size_t lanes = std::min(lanes_for(out.size()), std::max<std::size_t>(blocks, 1));
  std::vector<std::vector<double>> sums(lanes);
  std::vector<double> values(lanes, 0.0);
  parallel::run_lanes(threads_, lanes, [&](std::size_t lane) {
    sums[lane].assign(out.size(), 0.0);
    for (std::size_t block = lane; block < blocks; block += lanes) {
      const std::size_t end = std::min(n, (block + 1) * kBlockRows);
      for (std::size_t r = block * kBlockRows; r < end; ++r) {
        values[lane] += work(r, std::span<double>(sums[lane]));
      }
    }
  });
  double value = 0.0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    value += values[lane];
    for (std::size_t i = 0; i < out.size(); ++i) { out[i] += sums[lane][i]; }
  }
  return value;
}

double NoisyOrObjective::evaluate(std::span<const double> theta, std::span<double> gradient) const {
  double off = 0.0;
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    off += linear_[i] * theta[i];
    gradient[i] = linear_[i];
  }
  const double on = sum_rows(gradient, [&](std::size_t r, std::span<double> target) {
    const double z = inner(r, theta);
    if (!(z > 0.0)) { return std::numeric_limits<double>::infinity(); }
    add_row(r, -rows_.weights[r] / std::expm1(z), target);
    return -rows_.weights[r] * log1mexp(z);
  });
  return off + on;
}

void NoisyOrObjective::curve(std::span<const double> theta, std::span<double> diagonal) {
  std::ranges::fill(diagonal, 0.0);
  sum_rows(diagonal, [&](std::size_t r, std::span<double> target) {
    const double z = inner(r, theta);
    curvature_[r] = rows_.weights[r] / (std::expm1(z) * -std::expm1(-z));
    if (leak_) { target.back() += curvature_[r]; }
    for (std::size_t i = rows_.starts[r]; i < rows_.starts[r + 1]; ++i) {
      target[rows_.indices[i]] += curvature_[r] * rows_.values[i] * rows_.values[i];
    }
    return 0.0;
  });
}

void NoisyOrObjective::hessian_times(std::span<const double> v, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  sum_rows(out, [&](std::size_t r, std::span<double> target) {
    add_row(r, curvature_[r] * inner(r, v), target);
    return 0.0;
  });
}

}  // namespace logodds::models::noisy_or
