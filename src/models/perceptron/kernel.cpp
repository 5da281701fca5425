#include "models/perceptron/kernel.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::perceptron {

namespace {

double whole_power(double base, int exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) { result *= base; }
    base *= exponent > 1 ? base : 1.0;
  }
  return result;
}

double square_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) { sum += value * value; }
  return sum;
}

}  // namespace

double Kernel::of(double product, double squared_one, double squared_other) const {
  switch (kind) {
    case KernelKind::linear:
      return 1.0 + product;
    case KernelKind::polynomial:
      return whole_power(1.0 + gamma * product, degree);
    case KernelKind::rbf:
      break;
  }
  const double distance = squared_one + squared_other - 2.0 * product;
  // Not std::max, which would make 0 of a distance that overflowed to NaN.
  return distance < 0.0 ? 1.0 : std::exp(-gamma * distance);
}

Supports::Supports(const InnerRows& rows, std::span<const std::size_t> which)
    : columns_(rows.columns()) {
  if (rows.sparse()) { starts_.push_back(0); }
  for (const auto r : which) {
    const InnerRow row = rows.row(r);
    values_.insert(values_.end(), row.values.begin(), row.values.end());
    if (!rows.sparse()) { continue; }
    for (const auto index : row.indices) { indices_.push_back(static_cast<std::int32_t>(index)); }
    starts_.push_back(static_cast<std::int32_t>(values_.size()));
  }
  prepare();
}

Supports::Supports(std::vector<double> values, std::size_t columns)
    : columns_(columns), values_(std::move(values)) {
  prepare();
}

Supports::Supports(std::vector<std::int32_t> starts, std::vector<std::int32_t> indices,
                   std::vector<double> values, std::size_t columns)
    : columns_(columns),
      values_(std::move(values)),
      starts_(std::move(starts)),
      indices_(std::move(indices)) {
  prepare();
}

void Supports::prepare() {
  if (sparse()) {
    for (std::size_t s = 0; s + 1 < starts_.size(); ++s) {
      const auto begin = static_cast<std::size_t>(starts_[s]);
      const auto end = static_cast<std::size_t>(starts_[s + 1]);
      squares_.push_back(square_of({values_.data() + begin, end - begin}));
    }
    return;
  }
  const std::size_t size = values_.size() / columns_;
  zeros_.assign(std::max(columns_, size), 0.0);
  transposed_.resize(values_.size());
  for (std::size_t s = 0; s < size; ++s) {
    squares_.push_back(square_of({values_.data() + s * columns_, columns_}));
    for (std::size_t i = 0; i < columns_; ++i) {
      transposed_[i * size + s] = values_[s * columns_ + i];
    }
  }
}

void Supports::products(const double* rows, std::size_t n, std::span<double> out) const {
  if (size() == 0) { return; }
  if (!sparse()) {
    kernels::affine_scores(rows, n, columns_, columns_, zeros_.data(), transposed_.data(),
                           zeros_.data(), size(), out.data());
    return;
  }
  for (std::size_t r = 0; r < n; ++r) {
    const double* const row = rows + r * columns_;
    for (std::size_t s = 0; s < size(); ++s) {
      double sum = 0.0;
      for (auto i = static_cast<std::size_t>(starts_[s]);
           i < static_cast<std::size_t>(starts_[s + 1]); ++i) {
        sum += values_[i] * row[indices_[i]];
      }
      out[r * size() + s] = sum;
    }
  }
}

std::vector<double> squared_lengths(const InnerRows& rows) {
  std::vector<double> squares(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) { squares[r] = square_of(rows.row(r).values); }
  return squares;
}

std::vector<double> kernel_column(const Kernel& kernel, const InnerRows& rows,
                                  std::span<const double> squares, std::size_t r, int threads) {
  constexpr std::size_t kWorthThreads = std::size_t{1} << 20U;  // numbers to multiply
  const std::size_t n = rows.rows();
  const std::size_t d = rows.columns();
  std::vector<double> other(d, 0.0);
  const InnerRow one = rows.row(r);
  for (std::size_t j = 0; j < one.values.size(); ++j) {
    other[rows.sparse() ? one.indices[j] : j] = one.values[j];
  }
  const std::vector<double> zeros(d, 0.0);
  const double bias = 0.0;
  std::vector<double> column(n);
  const std::size_t blocks = (n + kBlockRows - 1) / kBlockRows;
  const int useful = n * d < kWorthThreads ? 1 : parallel::useful_threads(threads, blocks);
  parallel::run_lanes(useful, blocks, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows;
    const std::size_t end = std::min(n, begin + kBlockRows);
    if (!rows.sparse()) {
      kernels::affine_scores(rows.dense() + begin * d, end - begin, d, d, zeros.data(),
                             other.data(), &bias, 1, column.data() + begin);
    }
    for (std::size_t s = begin; s < end; ++s) {
      if (rows.sparse()) {
        const InnerRow row = rows.row(s);
        for (std::size_t j = 0; j < row.values.size(); ++j) {
          column[s] += row.values[j] * other[row.indices[j]];
        }
      }
      column[s] = kernel.of(column[s], squares[r], squares[s]);
    }
  });
  return column;
}

}  // namespace logodds::models::perceptron
