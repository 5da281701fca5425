#include "models/softmax/sparse_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernels.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::softmax {

/// Rows in fixed lanes: each counts its values by column, and so knows where to put them.
ColumnStore::ColumnStore(const FitRows& rows, const std::vector<double>& scale, const RunAll& run)
    : starts_(rows.columns + 1, 0) {
  const SparseRows& x = rows.sparse;
  constexpr std::size_t kLanes = 4;
  std::vector<std::vector<std::size_t>> places(kLanes);
  const auto in_lanes = [&](const auto& work) {
    run(kLanes, [&](std::size_t lane) {
      work(places[lane], rows.rows * lane / kLanes, rows.rows * (lane + 1) / kLanes);
    });
  };
  in_lanes([&](std::vector<std::size_t>& counts, std::size_t begin, std::size_t end) {
    counts.assign(rows.columns, 0);
    for (std::size_t i = x.starts[begin]; i < x.starts[end]; ++i) { ++counts[x.indices[i]]; }
  });
  std::size_t sum = 0;
  for (std::size_t j = 0; j < rows.columns; ++j) {
    for (auto& place : places) { sum += std::exchange(place[j], sum); }
    starts_[j + 1] = sum;
  }
  rows_.resize(sum);
  values_.resize(sum);
  in_lanes([&](std::vector<std::size_t>& place, std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      for (std::size_t i = x.starts[r]; i < x.starts[r + 1]; ++i) {
        const std::size_t at = place[x.indices[i]]++;
        rows_[at] = static_cast<std::uint32_t>(r);
        values_[at] = x.values[i] * (scale.empty() ? 1.0 : scale[x.indices[i]]);
      }
    }
  });
}

std::vector<std::size_t> ColumnStore::shares(std::size_t count) const {
  std::vector<std::size_t> begins{0};
  for (std::size_t share = 1; share < count; ++share) {
    const std::size_t goal = values_.size() * share / count;
    const auto at = std::lower_bound(starts_.begin(), starts_.end() - 1, goal);
    begins.push_back(
        std::max(begins.back(), static_cast<std::size_t>(std::distance(starts_.begin(), at))));
  }
  begins.push_back(starts_.size() - 1);
  return begins;
}

namespace {

/// One row of two classes: a becomes w (sigma(a) - y).
double logistic_row(double& score, double bias, std::int32_t label, double w) {
  const double a = score + bias;
  const double power = std::exp(-std::abs(a));
  const double p = (a < 0.0 ? power : 1.0) / (1.0 + power);
  const double y = static_cast<double>(label);
  score = w * (p - y);
  return w * (std::log1p(power) + std::max(a, 0.0) - y * a);
}

}  // namespace

double block_of_residuals(const FitRows& rows, std::size_t begin, std::size_t end, std::size_t free,
                          std::size_t width, const std::vector<double>& bias, double* scores,
                          double* totals) {
  double loss = 0.0;
  if (free == 1) {
    for (std::size_t r = begin; r < end; ++r) {
      loss += logistic_row(scores[r], bias[0], rows.labels[r], rows.weight_of(r));
      totals[0] += scores[r];
    }
    return loss;
  }
  std::vector<double> p((end - begin) * free);
  std::vector<double> log_sums(end - begin);
  for (std::size_t r = begin; r < end; ++r) {
    for (std::size_t k = 0; k < free; ++k) {
      p[(r - begin) * free + k] = scores[r * width + k] + bias[k];
    }
    loss -= rows.weight_of(r) * p[(r - begin) * free + static_cast<std::size_t>(rows.labels[r])];
  }
  kernels::softmax_rows(p.data(), end - begin, free, log_sums.data());
  for (std::size_t r = begin; r < end; ++r) {
    const double w = rows.weight_of(r);
    double* const residual = p.data() + (r - begin) * free;
    loss += w * log_sums[r - begin];
    residual[static_cast<std::size_t>(rows.labels[r])] -= 1.0;
    for (std::size_t k = 0; k < free; ++k) {
      scores[r * width + k] = w * residual[k];
      totals[k] += w * residual[k];
    }
  }
  return loss;
}

double residuals_of(const FitRows& rows, std::size_t free, std::size_t width,
                    const std::vector<double>& bias, std::vector<double>& scores,
                    std::vector<double>& totals) {
  constexpr std::size_t kRows = 256;
  const std::size_t blocks = (rows.rows + kRows - 1) / kRows;
  std::vector<double> losses(blocks, 0.0);
  std::vector<std::vector<double>> sums(blocks, std::vector<double>(free, 0.0));
  const std::size_t lanes = std::min<std::size_t>(blocks, parallel::kMostLanes);
  parallel::run_lanes(rows.threads, lanes, [&](std::size_t lane) {
    for (std::size_t b = lane; b < blocks; b += lanes) {
      losses[b] = block_of_residuals(rows, b * kRows, std::min((b + 1) * kRows, rows.rows), free,
                                     width, bias, scores.data(), sums[b].data());
    }
  });
  totals.assign(free, 0.0);
  double loss = 0.0;
  for (std::size_t b = 0; b < blocks; ++b) {
    loss += losses[b];
    for (std::size_t k = 0; k < free; ++k) { totals[k] += sums[b][k]; }
  }
  return loss;
}

}  // namespace logodds::models::softmax
