// Sums of outer products of rows: the scatter of all rows, of some of them, and with residuals.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/products-inl.hpp"
#include "kernels/reference.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::member_scatter;
using reference::outer_add;
using reference::rank_one_add;
using reference::scatter_add;

#else

/// scatter += sum over the rows; sums (padded, or null) += their sum.
HWY_INLINE void add_scatter(PackRows from, double* sums, double* scatter) {
  const std::size_t width = padded(from.d);
  const std::size_t n = from.n;
  const std::size_t chunk = std::min(n, chunk_rows(width));
  const Scratch plain(chunk * width);
  const Scratch weighted(from.weights != nullptr ? chunk * width : 0);
  const double* left = from.weights != nullptr ? weighted.data() : plain.data();
  for (std::size_t m = 0; m < n; m += from.n) {
    from.n = std::min(chunk, n - m);
    pack(from, {plain.data(), weighted.data(), sums});
    add_product({left, plain.data(), from.n, scatter, from.d, from.d, true});
    if (from.members != nullptr) {
      from.members += from.n;
    } else {
      from.rows += from.n * from.stride;
      from.weights += from.weights != nullptr ? from.n : 0;
    }
  }
}

void scatter_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* weights, double* scatter) {
  add_scatter({rows, nullptr, n, d, stride, nullptr, weights}, nullptr, scatter);
}

void member_scatter(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* weights, const double* shift, double* sums,
                    double* scatter) {
  const Scratch padded_sums(padded(d));
  std::fill_n(padded_sums.data(), padded(d), 0.0);
  add_scatter({rows, members, n, d, stride, shift, weights}, padded_sums.data(), scatter);
  for (std::size_t i = 0; i < d; ++i) { sums[i] += padded_sums.data()[i]; }
}

void rank_one_add(const double* x, std::size_t d, double factor, double* scatter) {
  for (std::size_t i = 0; i < d; ++i) {
    const double scaled = factor * x[i];
    const Vector left = hn::Set(kTag, scaled);
    double* row = scatter + i * d;
    std::size_t j = 0;
    for (; j + kLanes <= i + 1; j += kLanes) {
      hn::StoreU(hn::MulAdd(left, hn::LoadU(kTag, x + j), hn::LoadU(kTag, row + j)), kTag, row + j);
    }
    for (; j <= i; ++j) { row[j] += scaled * x[j]; }
  }
}

void outer_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
               const double* center, const double* residuals, std::size_t k, double* gradient) {
  const std::size_t width = padded(d);
  const std::size_t classes = padded(k);
  const std::size_t chunk = std::min(n, chunk_rows(width + classes));
  const Scratch left(chunk * width);
  const Scratch right(chunk * classes);
  for (std::size_t r = 0; r < n; r += chunk) {
    const std::size_t count = std::min(chunk, n - r);
    pack({rows + r * stride, nullptr, count, d, stride, center, nullptr},
         {left.data(), nullptr, nullptr});
    pack({residuals + r * k, nullptr, count, k, k, nullptr, nullptr},
         {right.data(), nullptr, nullptr});
    add_product({left.data(), right.data(), count, gradient, d, k, false});
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(scatter_add);
HWY_EXPORT(member_scatter);
HWY_EXPORT(rank_one_add);
HWY_EXPORT(outer_add);

void scatter_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* weights, double* scatter) {
  HWY_DYNAMIC_DISPATCH(scatter_add)(rows, n, d, stride, weights, scatter);
}

void member_scatter(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* weights, const double* shift, double* sums,
                    double* scatter) {
  HWY_DYNAMIC_DISPATCH(member_scatter)
  (rows, members, n, d, stride, weights, shift, sums, scatter);
}

void rank_one_add(const double* x, std::size_t d, double factor, double* scatter) {
  HWY_DYNAMIC_DISPATCH(rank_one_add)(x, d, factor, scatter);
}

void outer_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
               const double* center, const double* residuals, std::size_t k, double* gradient) {
  HWY_DYNAMIC_DISPATCH(outer_add)(rows, n, d, stride, center, residuals, k, gradient);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
