// Sums of outer products over rows, C += A^T B for tall A and B. Both are packed in panels of a few
// columns, so that the inner loop reads memory in order; C is built in tiles held in registers.
// Included once for every target.
#if defined(LOGODDS_KERNELS_PRODUCTS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_PRODUCTS_INL_
#undef LOGODDS_KERNELS_PRODUCTS_INL_
#else
#define LOGODDS_KERNELS_PRODUCTS_INL_
#endif

#include "kernels/ahead.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

/// A tile of C is kTall rows by up to kWide vectors.
constexpr std::size_t kTall = kManyRegisters ? 8 : 4;
constexpr std::size_t kWide = 3;
/// Columns of a panel: element (r, i) stands at packed[(i / kPanel * n + r) * kPanel + i % kPanel].
constexpr std::size_t kPanel = std::max(kTall, kLanes);
static_assert(kPanel % kTall == 0 && kPanel % kLanes == 0);

constexpr std::size_t padded(std::size_t count) { return (count + kPanel - 1) / kPanel * kPanel; }

/// Rows packed at a time: short ones stay in the first-level cache, long ones in the second.
constexpr std::size_t chunk_rows(std::size_t width) {
  constexpr std::size_t kPackedDoubles = 4096;
  return std::clamp<std::size_t>(kPackedDoubles / width, 128, 512);
}

/// Rows to be packed: `members` null: the first n, else the rows with these numbers.
struct PackRows {
  const double* rows;
  const std::uint32_t* members;
  std::size_t n;
  std::size_t d;
  std::size_t stride;
  const double* center;   ///< null: 0
  const double* weights;  ///< by row; null: 1

  [[nodiscard]] std::size_t row(std::size_t m) const { return members != nullptr ? members[m] : m; }
};

/// Where to: packed = x - center, and with weights also weighted = w (x - center). `sums` (padded,
/// or null) += the weighted rows.
struct PackTarget {
  double* packed;
  double* weighted;
  double* sums;
};

HWY_INLINE Vector load_up_to(const double* p, std::size_t count) {
  return count >= kLanes ? hn::LoadU(kTag, p) : load_first(p, count);
}

/// Columns i to i + Vectors * kLanes. Whole: all of them are there.
template <std::size_t Vectors, bool Whole, bool Weighted>
HWY_INLINE void pack_columns(const PackRows& from, const PackTarget& to, std::size_t i) {
  const std::size_t left = from.d - std::min(from.d, i);
  const auto load = [left](const double* p, std::size_t v) {
    return Whole ? hn::LoadU(kTag, p + v * kLanes) : load_up_to(p, left);
  };
  Vector center[Vectors];
  Vector sums[Vectors];
  std::size_t target[Vectors];
  for (std::size_t v = 0; v < Vectors; ++v) {
    const std::size_t column = i + v * kLanes;
    center[v] = from.center != nullptr ? load(from.center + i, v) : hn::Zero(kTag);
    sums[v] = hn::Zero(kTag);
    target[v] = column / kPanel * from.n * kPanel + column % kPanel;
  }
  for (std::size_t m = 0; m < from.n; ++m) {
    const std::size_t row = from.row(m);
    const Vector weight = hn::Set(kTag, Weighted ? from.weights[row] : 1.0);
    for (std::size_t v = 0; v < Vectors; ++v) {
      const Vector value = hn::Sub(load(from.rows + row * from.stride + i, v), center[v]);
      hn::Store(value, kTag, to.packed + target[v] + m * kPanel);
      if constexpr (Weighted) {
        const Vector product = hn::Mul(weight, value);
        hn::Store(product, kTag, to.weighted + target[v] + m * kPanel);
        sums[v] = hn::Add(sums[v], product);
      } else {
        sums[v] = hn::Add(sums[v], value);
      }
    }
  }
  for (std::size_t v = 0; v < Vectors && to.sums != nullptr; ++v) {
    double* sum = to.sums + i + v * kLanes;
    hn::Store(hn::Add(hn::Load(kTag, sum), sums[v]), kTag, sum);
  }
}

template <bool Weighted>
HWY_INLINE void pack_all(const PackRows& from, const PackTarget& to) {
  constexpr std::size_t kGroup = 4;
  std::size_t i = 0;
  for (; i + kGroup * kLanes <= from.d; i += kGroup * kLanes) {
    pack_columns<kGroup, true, Weighted>(from, to, i);
  }
  for (; i < padded(from.d); i += kLanes) { pack_columns<1, false, Weighted>(from, to, i); }
}

HWY_INLINE void pack(const PackRows& from, const PackTarget& to) {
  if (from.weights != nullptr) {
    pack_all<true>(from, to);
  } else {
    pack_all<false>(from, to);
  }
}

/// Packed operands and the result of one chunk of n rows.
struct Product {
  const double* left;   ///< A
  const double* right;  ///< B
  std::size_t n;
  double* result;  ///< C: rows x columns, row-major
  std::size_t rows;
  std::size_t columns;
  bool lower;  ///< only the columns up to the diagonal

  [[nodiscard]] std::size_t at(std::size_t column) const {
    return column / kPanel * n * kPanel + column % kPanel;
  }
};

/// result[0 .. min(count, kLanes)) += values.
HWY_INLINE void add_to(Vector values, std::size_t count, double* result) {
  if (count >= kLanes) {
    hn::StoreU(hn::Add(hn::LoadU(kTag, result), values), kTag, result);
    return;
  }
  HWY_ALIGN double elements[kLanes];
  hn::Store(values, kTag, elements);
  for (std::size_t j = 0; j < count; ++j) { result[j] += elements[j]; }
}

/// The tile of C at row i, column j: kTall x Wide vectors.
template <std::size_t Wide>
HWY_NOINLINE void add_tile(const Product& product, std::size_t i, std::size_t j) {
  Vector sums[kTall][Wide];
  for (auto& row : sums) {
    for (Vector& sum : row) { sum = hn::Zero(kTag); }
  }
  const double* left = product.left + product.at(i);
  const double* right[Wide];
  for (std::size_t v = 0; v < Wide; ++v) { right[v] = product.right + product.at(j + v * kLanes); }
  const Lines ahead = announced.take(product.n, product.left);
  for (std::size_t r = 0; r < product.n; ++r) {
    ahead.ask(r);
    Vector b[Wide];
    for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kTag, right[v] + r * kPanel); }
    for (std::size_t t = 0; t < kTall; ++t) {
      const Vector a = hn::Set(kTag, left[r * kPanel + t]);
      for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::MulAdd(a, b[v], sums[t][v]); }
    }
  }
  for (std::size_t t = 0; t < kTall && i + t < product.rows; ++t) {
    const std::size_t columns = product.lower ? i + t + 1 : product.columns;
    for (std::size_t v = 0; v < Wide && j + v * kLanes < columns; ++v) {
      const std::size_t column = j + v * kLanes;
      add_to(sums[t][v], columns - column, product.result + (i + t) * product.columns + column);
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

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
