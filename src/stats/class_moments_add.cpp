// Rows to moments: a block's rows class by class, around a point near their mean.
#include "kernels/kernels.hpp"
#include "logodds/stats/class_moments.hpp"
#include "stats/grouped_rows.hpp"

namespace logodds {

namespace {

/// The mean of the members, summed from the first of them: that of a constant column is exact.
void own_mean(const DesignRows& rows, const RowBlock& block, std::span<const std::uint32_t> members,
              double weight, double* mean) {
  const std::size_t d = rows.columns;
  const double* const first = rows.data + members.front() * rows.stride;
  std::vector<double> sums(d, 0.0);
  kernels::member_sums(rows.data, members.data(), members.size(), d, rows.stride, block.weights,
                       first, sums.data(), nullptr);
  for (std::size_t i = 0; i < d; ++i) { mean[i] = first[i] + sums[i] / weight; }
}

}  // namespace

void ClassMoments::add(const RowBlock& block, const Shape& shape) {
  grow(shape);
  if (block.rows == 0) { return; }
  std::vector<double> scratch;
  const DesignRows rows = encode_design(block, columns_, scratch);
  const Grouped groups = group_by_class(block, classes());
  for (std::size_t k = 0; k < classes(); ++k) {
    const auto members = groups.of(k);
    const double weight = weight_of(block, members);
    if (weight > 0.0) { add_class_rows(k, rows, block, members, weight); }
  }
}

/// Sums around a shift s near the mean: with delta = m - s, m the mean of these rows,
///   sum w (x - m)(x - m)^T = sum w (x - s)(x - s)^T - (sum w) delta delta^T,
/// and the update of Chan, Golub & LeVeque (1983), equation 2.1b, adds them to the rows so far.
/// s is the mean so far where that stands for enough weight: then the two corrections are one, and
/// no variance is the difference of numbers more than kEnough + 2 times as large. Else s is the
/// mean of these rows, found in a pass of its own, and delta is the rounding of that mean.
void ClassMoments::add_class_rows(std::size_t k, const DesignRows& rows, const RowBlock& block,
                                  std::span<const std::uint32_t> members, double weight) {
  constexpr double kEnough = 8.0;
  const std::size_t d = rows.columns;
  const double before = weights_[k];
  const bool near = before * kEnough >= weight;
  double* const mean = means_.data() + k * d;
  std::vector<double> work(2 * d, 0.0);
  double* const shift = near ? mean : work.data();
  double* const delta = work.data() + d;
  if (!near) { own_mean(rows, block, members, weight, shift); }
  double* const second = second_moments_.data() + k * second_size();
  (second_ == SecondMoments::full ? kernels::member_scatter : kernels::member_sums)(
      rows.data, members.data(), members.size(), d, rows.stride, block.weights, shift, delta,
      second);
  for (std::size_t i = 0; i < d; ++i) { delta[i] /= weight; }
  const double share = weight / (before + weight);
  add_rank_one(k, delta, near ? -weight * share : -weight);
  if (!near) {
    for (std::size_t i = 0; i < d; ++i) { delta[i] += shift[i] - mean[i]; }
    add_rank_one(k, delta, before * share);
  }
  for (std::size_t i = 0; i < d; ++i) { mean[i] += before == 0.0 ? delta[i] : delta[i] * share; }
  weights_[k] = before + weight;
}

/// Adds factor x x^T, of which diagonal moments keep the diagonal.
void ClassMoments::add_rank_one(std::size_t k, const double* x, double factor) {
  const std::size_t d = columns_.size();
  double* const second = second_moments_.data() + k * second_size();
  if (second_ == SecondMoments::full) { return kernels::rank_one_add(x, d, factor, second); }
  for (std::size_t i = 0; i < d; ++i) { second[i] += factor * x[i] * x[i]; }
}

}  // namespace logodds
