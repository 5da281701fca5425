// Three and more classes: scores, posteriors and the gradient in one pass over the rows, unless
// they are better turned (softmax_turned.cpp). A tile of rows stays in the cache between the two
// products. Lanes are classes, so that nothing is copied or transposed: a number of a row is spread
// over the lanes and multiplies the coefficients of all classes, or the residuals of all classes.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax_loss.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "kernels/ahead.hpp"
#include "kernels/exponential-inl.hpp"
#include "kernels/scratch.hpp"
#include "kernels/softmax_loss.hpp"
#include "kernels/softmax_turned.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::softmax_add;

#else

/// Sums held in registers: kTall rows (or columns) by up to kWide vectors of classes.
constexpr std::size_t kTall = kManyRegisters ? 8 : 4;
constexpr std::size_t kWide = 3;
/// Of a single vector twice as many rows: enough sums to hide the latency of a multiply-add.
template <std::size_t Wide>
constexpr std::size_t kHigh = Wide == 1 ? 2 * kTall : kTall;
/// A score that is no class's.
constexpr double kNobody = -1e300;
/// e^-600 is as good as 0 beside 1, and neither it nor its products are subnormal, which would take
/// a hundred times as long.
constexpr double kLeast = -600.0;
constexpr std::size_t kMostRows = 64;

constexpr std::size_t rounded(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

/// Rows of a tile: short ones stay in the first-level cache, long ones, and those that follow, in
/// the second.
constexpr std::size_t tile_rows(std::size_t d) { return d <= 16 ? kMostRows : d <= 512 ? 32 : 16; }

/// What a call works on. Tables are aligned and have whole vectors of classes.
struct Work {
  const double* x;  ///< the tile: `rows` rows, `stride` apart
  std::size_t rows;
  std::size_t stride;
  std::size_t d;
  std::size_t classes;         ///< k, rounded up to whole vectors
  const double* coefficients;  ///< d x classes
  const double* bias;          ///< classes, kNobody behind the last
  double* scores;              ///< rows x classes; then residuals
  double* gradient;            ///< (d + 1) x classes
};

// Lines::ask() is not called here: g++ 12 takes a function that only asks for one without effect,
// and leaves the calls out.

/// Columns whose coefficients stay in the first-level cache while all rows of a tile go by.
constexpr std::size_t kColumnsAtOnce = 128;

/// Scores of the classes from c on, Wide vectors of them, of Rows rows from r on: what the columns
/// from `first` to `last` add.
template <std::size_t Wide, std::size_t Rows>
HWY_INLINE void score_group(const Work& work, std::size_t r, std::size_t c, std::size_t first,
                            std::size_t last, const Lines& ahead) {
  double* const scores = work.scores + r * work.classes + c;
  Vector sums[Rows][Wide];
  for (std::size_t t = 0; t < Rows; ++t) {
    const double* const before = first == 0 ? work.bias + c : scores + t * work.classes;
    for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::Load(kTag, before + v * kLanes); }
  }
  const double* const x = work.x + r * work.stride;
  const double* theta = work.coefficients + first * work.classes + c;
  for (std::size_t i = first; i < last; ++i, theta += work.classes) {
    __builtin_prefetch(ahead.first + i * ahead.step, 0, 2);
    Vector b[Wide];
    for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kTag, theta + v * kLanes); }
    for (std::size_t t = 0; t < Rows; ++t) {
      const Vector a = hn::Set(kTag, x[t * work.stride + i]);
      for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::MulAdd(a, b[v], sums[t][v]); }
    }
  }
  for (std::size_t t = 0; t < Rows; ++t) {
    for (std::size_t v = 0; v < Wide; ++v) {
      hn::Store(sums[t][v], kTag, scores + t * work.classes + v * kLanes);
    }
  }
}

/// `next`: the tile that follows in memory, of which the first half is asked for, or null.
template <std::size_t Wide>
HWY_NOINLINE void score_tile(const Work& work, std::size_t c, const double* next) {
  constexpr std::size_t kRows = kHigh<Wide>;
  const Lines nothing{work.bias, 0};
  for (std::size_t first = 0; first < work.d; first += kColumnsAtOnce) {
    const std::size_t last = std::min(work.d, first + kColumnsAtOnce);
    std::size_t r = 0;
    for (; r + kRows <= work.rows; r += kRows) {
      // Half of kRows rows in d steps.
      const Lines ahead = next != nullptr ? Lines{next + r / 2 * work.d, kRows / 2} : nothing;
      score_group<Wide, kRows>(work, r, c, first, last, ahead);
    }
    for (; r < work.rows; ++r) { score_group<Wide, 1>(work, r, c, first, last, nothing); }
  }
}

/// gradient += sum_r residuals_r x_r of Columns columns from i on, Wide vectors of
/// classes from c on.
template <std::size_t Wide, std::size_t Columns>
HWY_INLINE void gradient_group(const Work& work, std::size_t i, std::size_t c, const Lines& ahead) {
  Vector sums[Columns][Wide];
  for (auto& row : sums) {
    for (Vector& sum : row) { sum = hn::Zero(kTag); }
  }
  const double* x = work.x + i;
  const double* residuals = work.scores + c;
  for (std::size_t r = 0; r < work.rows; ++r, x += work.stride, residuals += work.classes) {
    __builtin_prefetch(ahead.first + r * ahead.step, 0, 2);
    Vector b[Wide];
    for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kTag, residuals + v * kLanes); }
    for (std::size_t t = 0; t < Columns; ++t) {
      const Vector a = hn::Set(kTag, x[t]);
      for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::MulAdd(a, b[v], sums[t][v]); }
    }
  }
  for (std::size_t t = 0; t < Columns; ++t) {
    for (std::size_t v = 0; v < Wide; ++v) {
      double* const to = work.gradient + (i + t) * work.classes + c + v * kLanes;
      hn::Store(hn::Add(hn::Load(kTag, to), sums[t][v]), kTag, to);
    }
  }
}

/// All columns. `next`: the half tile to ask for, or null.
template <std::size_t Wide>
HWY_NOINLINE void gradient_tile(const Work& work, std::size_t c, const double* next) {
  constexpr std::size_t kColumns = kHigh<Wide>;
  std::size_t i = 0;
  for (; i + kColumns <= work.d; i += kColumns) {
    const Lines ahead =
        next != nullptr ? Lines{next + i / 2 * work.rows, kColumns / 2} : Lines{work.bias, 0};
    gradient_group<Wide, kColumns>(work, i, c, ahead);
  }
  for (; i < work.d; ++i) { gradient_group<Wide, 1>(work, i, c, {work.bias, 0}); }
}

/// What is known of the rows of a tile, one by one.
struct RowValues {
  HWY_ALIGN double tops[kMostRows];
  HWY_ALIGN double rest[kMostRows];  ///< top - a_y
  HWY_ALIGN double sums[kMostRows];  ///< sum_c e^(a_c - top)
  HWY_ALIGN double weights[kMostRows];
};

/// Step by step over all rows, because the steps of one row wait for each other. `Vectors` of
/// classes; 0: any number of them.
template <std::size_t Vectors>
HWY_INLINE void exponentiate_rows(const Work& work, RowValues& values) {
  const std::size_t count = work.rows;
  const std::size_t classes = Vectors > 0 ? Vectors * kLanes : work.classes;
  for (std::size_t r = 0; r < count; ++r) {
    const double* const row = work.scores + r * classes;
    Vector tops = hn::Load(kTag, row);
    for (std::size_t c = kLanes; c < classes; c += kLanes) {
      tops = hn::Max(tops, hn::Load(kTag, row + c));
    }
    values.tops[r] = hn::GetLane(hn::MaxOfLanes(kTag, tops));
  }
  for (std::size_t r = 0; r < count; ++r) {
    double* const row = work.scores + r * classes;
    const Vector top = hn::Set(kTag, values.tops[r]);
    for (std::size_t c = 0; c < classes; c += kLanes) {
      const Vector below = hn::Sub(hn::Load(kTag, row + c), top);
      hn::Store(exponential(hn::Max(below, hn::Set(kTag, kLeast))), kTag, row + c);
    }
  }
  for (std::size_t r = 0; r < count; ++r) {
    const double* const row = work.scores + r * classes;
    Vector sums = hn::Load(kTag, row);
    for (std::size_t c = kLanes; c < classes; c += kLanes) {
      sums = hn::Add(sums, hn::Load(kTag, row + c));
    }
    values.sums[r] = hn::GetLane(hn::SumOfLanes(kTag, sums));
  }
}

/// sum_r w_r (ln sum_r + top_r - a_r,y_r); the factors w / sum take the place of the tops.
HWY_INLINE double tile_loss(std::size_t count, RowValues& values) {
  Vector loss = hn::Zero(kTag);
  for (std::size_t r = 0; r < count; r += kLanes) {
    const Vector sum = hn::Load(kTag, values.sums + r);
    const Vector w = hn::Load(kTag, values.weights + r);
    const Vector log = hn::Add(hn::Log(kTag, sum), hn::Load(kTag, values.rest + r));
    loss = hn::MulAdd(log, w, loss);
    hn::Store(hn::Div(w, sum), kTag, values.tops + r);
  }
  return hn::GetLane(hn::SumOfLanes(kTag, loss));
}

/// Scores to residuals w (p - e_y); returns the loss.
template <std::size_t Vectors>
HWY_NOINLINE double residual_tile(const Work& work, const std::int32_t* labels,
                                  const double* weights) {
  const std::size_t count = work.rows;
  const std::size_t classes = Vectors > 0 ? Vectors * kLanes : work.classes;
  RowValues values;
  for (std::size_t r = 0; r < count; ++r) {
    values.rest[r] = work.scores[r * classes + static_cast<std::size_t>(labels[r])];
    values.weights[r] = weights != nullptr ? weights[r] : 1.0;
  }
  exponentiate_rows<Vectors>(work, values);
  for (std::size_t r = 0; r < count; ++r) { values.rest[r] = values.tops[r] - values.rest[r]; }
  for (std::size_t r = count; r < rounded(count, kLanes); ++r) {
    values.rest[r] = values.weights[r] = 0.0;
    values.sums[r] = 1.0;
  }
  const double loss = tile_loss(count, values);
  for (std::size_t r = 0; r < count; ++r) {
    double* const row = work.scores + r * classes;
    const Vector factor = hn::Set(kTag, values.tops[r]);
    for (std::size_t c = 0; c < classes; c += kLanes) {
      hn::Store(hn::Mul(hn::Load(kTag, row + c), factor), kTag, row + c);
    }
    row[static_cast<std::size_t>(labels[r])] -= values.weights[r];
  }
  return loss;
}

/// The gradient of the biases: the sums of the residuals.
HWY_INLINE void add_bias_gradient(const Work& work) {
  const std::size_t classes = work.classes;
  double* const to = work.gradient + work.d * classes;
  for (std::size_t c = 0; c < classes; c += kLanes) {
    Vector sum = hn::Load(kTag, to + c);
    for (std::size_t r = 0; r < work.rows; ++r) {
      sum = hn::Add(sum, hn::Load(kTag, work.scores + r * classes + c));
    }
    hn::Store(sum, kTag, to + c);
  }
}

/// Calls tile<vectors>(first class) for groups of nearly equal width.
template <class Call>
HWY_INLINE void for_each_group(std::size_t classes, Call call) {
  std::size_t vectors = classes / kLanes;
  std::size_t groups = (vectors + kWide - 1) / kWide;
  for (std::size_t c = 0; groups > 0; --groups) {
    const std::size_t wide = (vectors + groups - 1) / groups;
    call(wide, c);
    c += wide * kLanes;
    vectors -= wide;
  }
}

/// The kernels for 1, 2, ... vectors of classes.
using Part = void (*)(const Work&, std::size_t, const double*);
constexpr Part kScores[] = {score_tile<1>, score_tile<2>, score_tile<3>};
constexpr Part kGradients[] = {gradient_tile<1>, gradient_tile<2>, gradient_tile<3>};
constexpr double (*kResiduals[])(const Work&, const std::int32_t*, const double*) = {
    residual_tile<1>, residual_tile<2>, residual_tile<3>, residual_tile<0>};

/// One tile. `next`: another one of as many rows, without gaps, or null.
HWY_INLINE double add_tile(const Work& work, const std::int32_t* labels, const double* weights,
                           const double* next) {
  const double* const second_half = next != nullptr ? next + work.rows / 2 * work.d : nullptr;
  for_each_group(work.classes, [&](std::size_t wide, std::size_t c) {
    kScores[wide - 1](work, c, c == 0 ? next : nullptr);
  });
  const std::size_t vectors = work.classes / kLanes;
  const double loss =
      kResiduals[std::min(vectors, std::size(kResiduals)) - 1](work, labels, weights);
  add_bias_gradient(work);
  for_each_group(work.classes, [&](std::size_t wide, std::size_t c) {
    kGradients[wide - 1](work, c, c == 0 ? second_half : nullptr);
  });
  return loss;
}

/// Coefficients and biases, spread out to whole vectors.
HWY_INLINE void pack_map(const SoftmaxMap& map, std::size_t classes, double* coefficients,
                         double* bias) {
  for (std::size_t i = 0; i < map.d; ++i) {
    double* const to = coefficients + i * classes;
    std::copy_n(map.coefficients + i * map.k, map.k, to);
    std::fill(to + map.k, to + classes, 0.0);
  }
  std::copy_n(map.bias, map.k, bias);
  std::fill(bias + map.k, bias + classes, kNobody);
}

/// to = rows - center, `width` apart.
HWY_INLINE void center_rows(const double* rows, std::size_t n, std::size_t stride,
                            const SoftmaxMap& map, std::size_t width, double* to) {
  const std::size_t whole = map.d / kLanes * kLanes;
  for (std::size_t r = 0; r < n; ++r, rows += stride, to += width) {
    for (std::size_t i = 0; i < whole; i += kLanes) {
      const Vector x = hn::Sub(hn::LoadU(kTag, rows + i), hn::LoadU(kTag, map.center + i));
      hn::Store(x, kTag, to + i);
    }
    for (std::size_t i = whole; i < map.d; ++i) { to[i] = rows[i] - map.center[i]; }
  }
}

double softmax_add(const double* rows, std::size_t n, std::size_t stride, const SoftmaxMap& map,
                   const std::int32_t* labels, const double* weights, double* gradient) {
  const std::size_t d = map.d;
  const std::size_t classes = rounded(map.k, kLanes);
  if (fits_turned(map) && 5 * map.k <= 4 * classes) {  // a fifth of the lanes has no class
    return kernels::softmax_add_turned(rows, n, stride, map, labels, weights, gradient);
  }
  const std::size_t size = tile_rows(d);
  const Scratch tables((2 * d + 2 + size) * classes);
  double* const bias = tables.data() + d * classes;
  double* const sums = bias + classes;
  double* const scores = sums + (d + 1) * classes;
  pack_map(map, classes, tables.data(), bias);
  std::fill_n(sums, (d + 1) * classes, 0.0);
  const bool centered = std::any_of(map.center, map.center + d, [](double c) { return c != 0.0; });
  // An odd number of cache lines, so that the rows of a column spread over the cache.
  const std::size_t width = rounded(d, 2 * kLineDoubles) + kLineDoubles;
  const Scratch tile(centered ? size * width : 0);
  double loss = 0.0;
  for (std::size_t begin = 0; begin < n; begin += size) {
    const double* const first = rows + begin * stride;
    const std::size_t count = std::min(size, n - begin);
    if (centered) { center_rows(first, count, stride, map, width, tile.data()); }
    const Work work{centered ? tile.data() : first,
                    count,
                    centered ? width : stride,
                    d,
                    classes,
                    tables.data(),
                    bias,
                    scores,
                    sums};
    const bool more = stride == d && begin + 2 * size <= n;
    loss += add_tile(work, labels + begin, weights != nullptr ? weights + begin : nullptr,
                     more ? first + size * stride : nullptr);
  }
  for (std::size_t i = 0; i <= map.d; ++i) {
    for (std::size_t c = 0; c < map.k; ++c) { gradient[i * map.k + c] += sums[i * classes + c]; }
  }
  return loss;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(softmax_add);

double softmax_add(const double* rows, std::size_t n, std::size_t stride, const SoftmaxMap& map,
                   const std::int32_t* labels, const double* weights, double* gradient) {
  return HWY_DYNAMIC_DISPATCH(softmax_add)(rows, n, stride, map, labels, weights, gradient);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
