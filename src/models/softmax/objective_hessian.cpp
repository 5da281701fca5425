// Second derivatives of the softmax objective.
#include <algorithm>
#include <functional>

#include "kernels/kernels.hpp"
#include "models/softmax/objective.hpp"

namespace logodds::models::softmax {

void SoftmaxObjective::add_decay_hessian(std::span<double> out) const {
  const std::size_t d = problem_.columns;
  const std::size_t n = dimension();
  const bool diagonal = problem_.decay.size() == d;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = diagonal ? i : 0; j <= i; ++j) {
      const double m = 2.0 * problem_.decay[diagonal ? i : i * d + j];
      for (std::size_t k = 0; k < free_; ++k) { out[(i * free_ + k) * n + j * free_ + k] += m; }
    }
  }
}

/// A number added to the biases of all classes changes nothing: along that direction the Hessian is
/// 0, and so is the gradient but for rounding, of which a Newton step would make any number.
void SoftmaxObjective::add_common_curvature(std::span<double> out) const {
  const std::size_t n = dimension();
  const std::size_t first = n - free_;
  double largest = 0.0;
  for (std::size_t i = first; i < n; ++i) { largest = std::max(largest, out[i * n + i]); }
  for (std::size_t i = first; i < n; ++i) {
    for (std::size_t j = first; j <= i; ++j) { out[i * n + j] += largest; }
  }
}

/// Sums of w_n p_k (delta_kl - p_l) [z_n; 1][z_n; 1]^T over some blocks of rows, for pairs k >= l.
struct SoftmaxObjective::PairSums {
  /// One pair: width x width, the lower triangle. Several: a row for every two columns i >= j, a
  /// column for every pair.
  std::vector<double> sums;
  std::vector<double> p;
  std::vector<double> extended;   ///< [z; 1]
  std::vector<double> products;   ///< of the columns of a row, two by two
  std::vector<double> curvature;  ///< w p_k (delta_kl - p_l) of a row, pair by pair
};

namespace {

constexpr std::size_t triangle(std::size_t n) { return n * (n + 1) / 2; }

/// v_i v_j for i >= j.
void multiply_pairs(const double* v, std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; out += ++i) {
    for (std::size_t j = 0; j <= i; ++j) { out[j] = v[i] * v[j]; }
  }
}

/// w p_k (delta_kl - p_l) for k >= l.
void pair_curvatures(const double* p, std::size_t n, double weight, double* out) {
  for (std::size_t k = 0; k < n; out += ++k) {
    const double factor = weight * p[k];
    for (std::size_t l = 0; l < k; ++l) { out[l] = -factor * p[l]; }
    out[k] = factor * (1.0 - p[k]);
  }
}

}  // namespace

void SoftmaxObjective::add_pairs(PairSums& to, std::size_t begin, std::size_t end,
                                 const Map& map) const {
  const std::size_t d = problem_.columns;
  const std::size_t n = end - begin;
  const std::size_t classes = problem_.classes;
  const std::size_t width = d + (problem_.intercept ? 1 : 0);
  const std::size_t pairs = triangle(free_);
  const double* const rows = problem_.x + begin * problem_.stride;
  to.p.resize(n * classes);
  kernels::affine_scores(rows, n, d, problem_.stride, problem_.center.data(),
                         map.coefficients.data(), map.bias.data(), classes, to.p.data());
  kernels::softmax_rows(to.p.data(), n, classes, nullptr);
  to.extended.assign(n * width, 1.0);
  to.curvature.resize(n * pairs);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      to.extended[r * width + i] = (rows[r * problem_.stride + i] - problem_.center[i]) *
                                   (problem_.scale.empty() ? 1.0 : problem_.scale[i]);
    }
    const double weight = problem_.weights == nullptr ? 1.0 : problem_.weights[begin + r];
    pair_curvatures(to.p.data() + r * classes + (classes - free_), free_, weight,
                    to.curvature.data() + r * pairs);
  }
  if (pairs == 1) {
    return kernels::scatter_add(to.extended.data(), n, width, width, to.curvature.data(),
                                to.sums.data());
  }
  const std::size_t products = triangle(width);
  to.products.resize(n * products);
  for (std::size_t r = 0; r < n; ++r) {
    multiply_pairs(to.extended.data() + r * width, width, to.products.data() + r * products);
  }
  const std::vector<double> zeros(products, 0.0);
  kernels::outer_add(to.products.data(), n, products, products, zeros.data(), to.curvature.data(),
                     pairs, to.sums.data());
}

void SoftmaxObjective::hessian(std::span<const double> theta, std::span<double> out) {
  constexpr std::size_t kProducts = std::size_t{1} << 15U;  // that stay in the second-level cache
  const std::size_t width = dimension() / free_;
  const std::size_t size =
      free_ == 1 ? 512 : std::clamp<std::size_t>(kProducts / triangle(width), 32, 512);
  sum_pairs(theta, size, out);
  add_decay_hessian(out);
  if (problem_.intercept && free_ > 1) { add_common_curvature(out); }
}

void SoftmaxObjective::spread_pairs(const std::vector<double>& sums, std::span<double> out) const {
  const std::size_t n = dimension();
  const std::size_t width = n / free_;
  const std::size_t pairs = triangle(free_);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const from =
          sums.data() + (pairs == 1 ? i * width + j : (triangle(i) + j) * pairs);
      for (std::size_t k = 0; k < free_; ++k) {
        for (std::size_t l = 0; l <= k; ++l) {
          const double sum = from[triangle(k) + l];
          out[(i * free_ + k) * n + j * free_ + l] = sum;
          out[(i * free_ + l) * n + j * free_ + k] = sum;
        }
      }
    }
  }
}

void SoftmaxObjective::sum_pairs(std::span<const double> theta, std::size_t size,
                                 std::span<double> out) const {
  constexpr std::size_t kFew = 400;  // parameters whose pairs of many lanes take little memory
  const std::size_t n = dimension();
  const std::size_t width = n / free_;
  const std::size_t pairs = triangle(free_);
  const std::size_t blocks = (problem_.rows + size - 1) / size;
  Map map;
  expand(theta, map.coefficients, map.bias);
  std::vector<PairSums> lanes(
      std::min<std::size_t>(std::max<std::size_t>(blocks, 1), n <= kFew ? 8 : 4));
  each(lanes.size(), [&](std::size_t lane) {
    lanes[lane].sums.assign(pairs == 1 ? width * width : pairs * triangle(width), 0.0);
    for (std::size_t block = lane; block < blocks; block += lanes.size()) {
      add_pairs(lanes[lane], block * size, std::min((block + 1) * size, problem_.rows), map);
    }
  });
  std::vector<double>& sums = lanes[0].sums;
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) {
    std::ranges::transform(lanes[lane].sums, sums, sums.begin(), std::plus<>());
  }
  spread_pairs(sums, out);
}

}  // namespace logodds::models::softmax
