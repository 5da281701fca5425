// Rows to moments: a block's rows by class, centred where they are, and their scatter.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/kernels.hpp"
#include "logodds/stats/class_moments.hpp"

namespace logodds {

namespace {

/// Row numbers of a block, grouped by class: members of class k stand in [begin[k], begin[k + 1]).
struct Grouped {
  std::vector<std::size_t> begin;
  std::vector<std::size_t> members;
};

Grouped group_by_class(const RowBlock& block, std::size_t classes) {
  Grouped groups{std::vector<std::size_t>(classes + 1, 0), std::vector<std::size_t>(block.rows)};
  for (std::size_t r = 0; r < block.rows; ++r) {
    ++groups.begin[static_cast<std::size_t>(block.labels[r]) + 1];
  }
  std::partial_sum(groups.begin.begin(), groups.begin.end(), groups.begin.begin());
  auto next = groups.begin;
  for (std::size_t r = 0; r < block.rows; ++r) {
    groups.members[next[static_cast<std::size_t>(block.labels[r])]++] = r;
  }
  return groups;
}

/// Takes the mean off the rows, then the mean of what its rounding left over off both: a constant
/// column has no scatter at all.
void center(double* rows, std::size_t n, std::size_t d, const RowBlock& block,
            std::span<const std::size_t> members, double weight, double* mean) {
  std::vector<double> rest(d, 0.0);
  for (std::size_t m = 0; m < n; ++m) {
    const double share = block.weight(members[m]) / weight;
    for (std::size_t i = 0; i < d; ++i) {
      rows[m * d + i] -= mean[i];
      rest[i] += share * rows[m * d + i];
    }
  }
  for (std::size_t m = 0; m < n; ++m) {
    for (std::size_t i = 0; i < d; ++i) { rows[m * d + i] -= rest[i]; }
  }
  for (std::size_t i = 0; i < d; ++i) { mean[i] += rest[i]; }
}

}  // namespace

void ClassMoments::add(const RowBlock& block, const Shape& shape) {
  grow(shape);
  if (block.rows == 0) { return; }
  std::vector<double> scratch;
  const DesignRows rows = encode_design(block, columns_, scratch);
  if (second_ == SecondMoments::full) {
    add_full(rows, block);
  } else {
    add_diagonal(rows, block);
  }
}

void ClassMoments::add_full(const DesignRows& rows, const RowBlock& block) {
  const Grouped groups = group_by_class(block, classes());
  std::vector<double> centered;
  for (std::size_t k = 0; k < classes(); ++k) {
    const std::span<const std::size_t> members(groups.members.data() + groups.begin[k],
                                               groups.begin[k + 1] - groups.begin[k]);
    if (!members.empty()) { add_class_rows(k, rows, block, members, centered); }
  }
}

/// Centres the rows at their own mean and adds their scatter; the distance between that mean and
/// the one so far enters as one more row, sqrt(w_a w_b / (w_a + w_b)) (mean_b - mean_a), which is
/// the update of Chan, Golub & LeVeque (1983), equation 2.1b, in its matrix form.
void ClassMoments::add_class_rows(std::size_t k, const DesignRows& rows, const RowBlock& block,
                                  std::span<const std::size_t> members,
                                  std::vector<double>& centered) {
  const std::size_t d = rows.columns;
  const std::size_t n = members.size();
  centered.assign((n + 1) * d + d, 0.0);
  double* const mean = centered.data() + (n + 1) * d;
  std::vector<double> row_weights;
  double weight = 0.0;
  for (std::size_t m = 0; m < n; ++m) {
    const double w = block.weight(members[m]);
    const double* row = rows.data + members[m] * rows.stride;
    double* out = centered.data() + m * d;
    for (std::size_t i = 0; i < d; ++i) {
      out[i] = row[i];
      mean[i] += w * row[i];
    }
    weight += w;
    if (block.weights != nullptr) { row_weights.push_back(w); }
  }
  for (std::size_t i = 0; i < d; ++i) { mean[i] /= weight; }
  center(centered.data(), n, d, block, members, weight, mean);
  const double before = weights_[k];
  const double total = before + weight;
  const double scale = std::sqrt(before * (weight / total));
  double* const class_mean = means_.data() + k * d;
  for (std::size_t i = 0; i < d; ++i) {
    const double delta = mean[i] - class_mean[i];
    centered[n * d + i] = scale * delta;
    class_mean[i] = before == 0.0 ? mean[i] : class_mean[i] + delta * (weight / total);
  }
  weights_[k] = total;
  const double* kernel_weights = nullptr;
  if (block.weights != nullptr) {
    row_weights.push_back(1.0);
    kernel_weights = row_weights.data();
  }
  const std::size_t used = before == 0.0 ? n : n + 1;
  kernels::scatter_add(centered.data(), used, d, d, kernel_weights,
                       second_moments_.data() + k * d * d);
}

/// One pass: sums around a shift that is near the mean (the mean so far, or the heaviest row of the
/// class), so that the square of the mean distance, taken off at the end, is small.
void ClassMoments::add_diagonal(const DesignRows& rows, const RowBlock& block) {
  const std::size_t d = rows.columns;
  const std::size_t size = classes() * d;
  std::vector<double> work(3 * size, 0.0);
  double* const shifts = work.data();
  double* const sums = shifts + size;
  double* const squares = sums + size;
  std::vector<double> weights(classes(), 0.0);
  std::vector<double> heaviest(classes(), 0.0);
  std::vector<std::size_t> near(classes(), 0);
  for (std::size_t r = 0; r < block.rows; ++r) {
    const auto k = static_cast<std::size_t>(block.labels[r]);
    weights[k] += block.weight(r);
    if (block.weight(r) > heaviest[k]) {
      heaviest[k] = block.weight(r);
      near[k] = r;
    }
  }
  for (std::size_t k = 0; k < classes(); ++k) {
    const double* from =
        weights_[k] > 0.0 ? means_.data() + k * d : rows.data + near[k] * rows.stride;
    if (weights[k] > 0.0) { std::copy_n(from, d, shifts + k * d); }
  }
  kernels::class_sums(rows.data, rows.rows, d, rows.stride, block.labels, block.weights, shifts,
                      sums, squares);
  for (std::size_t k = 0; k < classes(); ++k) {
    if (weights[k] == 0.0) { continue; }
    for (std::size_t i = k * d; i < (k + 1) * d; ++i) {
      const double off = sums[i] / weights[k];
      squares[i] -= sums[i] * off;
      squares[i] = squares[i] < 0.0 ? 0.0 : squares[i];  // keeps a NaN, which says 'overflow'

      shifts[i] += off;
    }
    merge_class(k, weights[k], shifts + k * d, squares + k * d);
  }
}

}  // namespace logodds
