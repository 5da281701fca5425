// Sums of outer products over rows: C += A^T B for tall A and B. A and B are packed, a few
// kilobytes of rows at a time, aligned and padded with zeros; C is built in tiles held in
// registers.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::outer_add;
using reference::scatter_add;

#else

/// A tile of C is kTall rows by up to kWide vectors.
constexpr std::size_t kTall = kManyRegisters ? 8 : 4;
constexpr std::size_t kWide = 3;
constexpr std::size_t kPackedDoubles = 4096;
static_assert(kTall % kLanes == 0 || kLanes % kTall == 0);

constexpr std::size_t padded(std::size_t count) {
  constexpr std::size_t kMultiple = std::max(kTall, kLanes);
  return (count + kMultiple - 1) / kMultiple * kMultiple;
}

/// Rows packed at a time: both operands stay in the first-level cache when rows are short.
constexpr std::size_t chunk_rows(std::size_t width) {
  return std::clamp<std::size_t>(kPackedDoubles / width, 32, 256);
}

/// packed (width a row, zero beyond d) = w_r (x_r - center); null center: 0, null weights: 1.
HWY_INLINE void pack(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                     const double* center, const double* weights, std::size_t width,
                     double* packed) {
  for (std::size_t r = 0; r < n; ++r) {
    const double* x = rows + r * stride;
    double* target = packed + r * width;
    const Vector weight = hn::Set(kTag, weights != nullptr ? weights[r] : 1.0);
    for (std::size_t i = 0; i < width; i += kLanes) {
      const std::size_t left = d - std::min(d, i);
      Vector value = left >= kLanes ? hn::LoadU(kTag, x + i) : load_first(x + i, left);
      if (center != nullptr) {
        value = hn::Sub(
            value, left >= kLanes ? hn::LoadU(kTag, center + i) : load_first(center + i, left));
      }
      hn::Store(weights != nullptr ? hn::Mul(weight, value) : value, kTag, target + i);
    }
  }
}

/// Packed operands and the result of one chunk of rows.
struct Product {
  const double* left;  ///< A: n rows of left_width
  std::size_t left_width;
  const double* right;  ///< B: n rows of right_width
  std::size_t right_width;
  std::size_t n;
  double* result;  ///< C: rows x columns, row-major
  std::size_t rows;
  std::size_t columns;
  bool lower;  ///< only the columns up to the diagonal
};

/// result[0 .. count) += values.
HWY_INLINE void add_to(const double* values, std::size_t count, double* result) {
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    hn::StoreU(hn::Add(hn::LoadU(kTag, result + j), hn::Load(kTag, values + j)), kTag, result + j);
  }
  for (; j < count; ++j) { result[j] += values[j]; }
}

/// The tile of C at row i, column j: kTall x Wide vectors.
template <std::size_t Wide>
HWY_NOINLINE void add_tile(const Product& product, std::size_t i, std::size_t j) {
  Vector sums[kTall][Wide];
  for (auto& row : sums) {
    for (Vector& sum : row) { sum = hn::Zero(kTag); }
  }
  const double* left = product.left + i;
  const double* right = product.right + j;
  for (std::size_t r = 0; r < product.n; ++r) {
    Vector b[Wide];
    for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kTag, right + v * kLanes); }
    for (std::size_t t = 0; t < kTall; ++t) {
      const Vector a = hn::Set(kTag, left[t]);
      for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::MulAdd(a, b[v], sums[t][v]); }
    }
    left += product.left_width;
    right += product.right_width;
  }
  HWY_ALIGN double values[Wide * kLanes];
  for (std::size_t t = 0; t < kTall && i + t < product.rows; ++t) {
    for (std::size_t v = 0; v < Wide; ++v) { hn::Store(sums[t][v], kTag, values + v * kLanes); }
    const std::size_t end = product.lower ? i + t + 1 : product.columns;
    if (end > j) {
      add_to(values, std::min(Wide * kLanes, end - j),
             product.result + (i + t) * product.columns + j);
    }
  }
}

/// Rows i to i + kTall of C: the columns in nearly equal groups of at most kWide vectors.
HWY_INLINE void add_panel(const Product& product, std::size_t i) {
  constexpr void (*kTiles[])(const Product&, std::size_t, std::size_t) = {add_tile<1>, add_tile<2>,
                                                                          add_tile<3>};
  const std::size_t columns =
      product.lower ? std::min(product.columns, i + kTall) : product.columns;
  std::size_t vectors = (columns + kLanes - 1) / kLanes;
  std::size_t groups = (vectors + kWide - 1) / kWide;
  for (std::size_t j = 0; groups > 0; --groups) {
    const std::size_t wide = (vectors + groups - 1) / groups;
    kTiles[wide - 1](product, i, j);
    j += wide * kLanes;
    vectors -= wide;
  }
}

HWY_INLINE void add_product(const Product& product) {
  for (std::size_t i = 0; i < product.rows; i += kTall) { add_panel(product, i); }
}

void scatter_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* weights, double* scatter) {
  const std::size_t width = padded(d);
  const std::size_t chunk = std::min(n, chunk_rows(width));
  const Scratch plain(chunk * width);
  const Scratch weighted(weights != nullptr ? chunk * width : 0);
  const double* left = weights != nullptr ? weighted.data() : plain.data();
  for (std::size_t r = 0; r < n; r += chunk) {
    const std::size_t count = std::min(chunk, n - r);
    const double* x = rows + r * stride;
    pack(x, count, d, stride, nullptr, nullptr, width, plain.data());
    if (weights != nullptr) {
      pack(x, count, d, stride, nullptr, weights + r, width, weighted.data());
    }
    add_product({left, width, plain.data(), width, count, scatter, d, d, true});
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
    pack(rows + r * stride, count, d, stride, center, nullptr, width, left.data());
    pack(residuals + r * k, count, k, k, nullptr, nullptr, classes, right.data());
    add_product({left.data(), width, right.data(), classes, count, gradient, d, k, false});
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(scatter_add);
HWY_EXPORT(outer_add);

void scatter_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* weights, double* scatter) {
  HWY_DYNAMIC_DISPATCH(scatter_add)(rows, n, d, stride, weights, scatter);
}

void outer_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
               const double* center, const double* residuals, std::size_t k, double* gradient) {
  HWY_DYNAMIC_DISPATCH(outer_add)(rows, n, d, stride, center, residuals, k, gradient);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
