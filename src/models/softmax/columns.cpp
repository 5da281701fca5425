#include "models/softmax/columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/kernels.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/stats/variance.hpp"

namespace logodds::models::softmax {

namespace {

/// Sums around `shift`.
struct Sums {
  std::vector<double> first;
  std::vector<double> second;
};

/// The mean of the first block: near enough to the mean that little cancels.
std::vector<double> shift_of(const FitRows& rows) {
  const std::size_t n = std::min(rows.rows, kBlockRows);
  std::vector<double> shift(rows.columns, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const double* const x = rows.x.data + r * rows.x.stride;
    for (std::size_t i = 0; i < rows.columns; ++i) { shift[i] += x[i] / static_cast<double>(n); }
  }
  return shift;
}

Sums dense_sums(const FitRows& rows, const std::vector<double>& shift) {
  const std::size_t blocks = (rows.rows + kBlockRows - 1) / kBlockRows;
  const std::size_t lanes = std::min<std::size_t>(blocks, parallel::kMostLanes);
  std::vector<std::uint32_t> members(std::min(rows.rows, kBlockRows));
  std::iota(members.begin(), members.end(), 0U);
  const std::vector<double> zeros(rows.columns, 0.0);
  std::vector<Sums> parts(lanes, {zeros, zeros});
  parallel::run_lanes(rows.threads, lanes, [&](std::size_t lane) {
    for (std::size_t b = lane; b < blocks; b += lanes) {
      const std::size_t begin = b * kBlockRows;
      kernels::member_sums(rows.x.data + begin * rows.x.stride, members.data(),
                           std::min(kBlockRows, rows.rows - begin), rows.columns, rows.x.stride,
                           rows.weights == nullptr ? nullptr : rows.weights + begin, shift.data(),
                           parts[lane].first.data(), parts[lane].second.data());
    }
  });
  Sums sums{zeros, zeros};
  for (const auto& part : parts) {
    for (std::size_t i = 0; i < rows.columns; ++i) {
      sums.first[i] += part.first[i];
      sums.second[i] += part.second[i];
    }
  }
  return sums;
}

Sums sparse_sums(const FitRows& rows) {
  Sums sums{std::vector<double>(rows.columns, 0.0), std::vector<double>(rows.columns, 0.0)};
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double w = rows.weight_of(r);
    for (std::size_t i = rows.sparse.starts[r]; i < rows.sparse.starts[r + 1]; ++i) {
      const double x = rows.sparse.values[i];
      sums.first[rows.sparse.indices[i]] += w * x;
      sums.second[rows.sparse.indices[i]] += w * x * x;
    }
  }
  return sums;
}

}  // namespace

ColumnSpread column_spread(const FitRows& rows) {
  const std::vector<double> shift =
      rows.is_sparse() ? std::vector<double>(rows.columns, 0.0) : shift_of(rows);
  const Sums sums = rows.is_sparse() ? sparse_sums(rows) : dense_sums(rows, shift);
  ColumnSpread spread;
  for (std::size_t i = 0; i < rows.columns; ++i) {
    const double off = sums.first[i] / rows.weight;
    const double variance = sums.second[i] / rows.weight - off * off;
    spread.mean.push_back(shift[i] + off);
    spread.variance.push_back(has_no_variance(variance, std::abs(spread.mean[i])) ? 0.0 : variance);
  }
  return spread;
}

Penalty penalty_of(const FitRows& rows, const Wish& wish) {
  Penalty penalty{std::vector<double>(rows.columns, wish.decay),
                  std::vector<double>(rows.columns, wish.l1)};
  if (!wish.standardize) { return penalty; }
  const ColumnSpread spread = column_spread(rows);
  for (std::size_t i = 0; i < rows.columns; ++i) {
    if (spread.variance[i] == 0.0) { continue; }
    penalty.decay[i] *= spread.variance[i];
    penalty.l1[i] *= std::sqrt(spread.variance[i]);
  }
  return penalty;
}

}  // namespace logodds::models::softmax
