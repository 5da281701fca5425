// Three and more classes: scores, posteriors and the gradient in one pass over the rows. A tile of
// rows, centered, stays in the cache between the two products. Lanes are classes, so that nothing
// is transposed: a number of a row is spread over the lanes and multiplies the coefficients of all
// classes, or the residuals of all classes.
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
constexpr std::size_t kMostRows = 64;

constexpr std::size_t rounded(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

/// Sizes of a tile and of the tables beside it.
struct TileShape {
  std::size_t rows;     ///< a multiple of 2 kTall
  std::size_t columns;  ///< d, rounded up to whole groups of 2 kTall
  std::size_t stride;  ///< of a row: an odd number of cache lines, so that columns spread over sets
  std::size_t classes;  ///< k, rounded up to whole vectors

  explicit TileShape(const SoftmaxMap& map)
      : rows(std::clamp<std::size_t>(2048 / std::max<std::size_t>(map.d, 1) / 16 * 16, 32,
                                     kMostRows)),
        columns(rounded(map.d, 2 * kTall)),
        stride(rounded(columns, kLineDoubles)),
        classes(rounded(map.k, kLanes)) {
    if (stride / kLineDoubles % 2 == 0) { stride += kLineDoubles; }
  }
};

/// What a call works on: all tables are aligned, padded and its own.
struct Work {
  TileShape shape;
  double* tile;          ///< rows x columns: x - center, 0 behind the last row and column
  double* coefficients;  ///< columns x classes
  double* bias;          ///< classes, kNobody behind the last
  double* scores;        ///< rows x classes; then residuals
  double* gradient;      ///< (columns + 1) x classes
};

/// tile = rows - center, zeros around.
HWY_INLINE void center_rows(const double* rows, std::size_t count, std::size_t stride,
                            const SoftmaxMap& map, const Work& work) {
  const std::size_t whole = map.d / kLanes * kLanes;
  const std::size_t rest = map.d - whole;
  for (std::size_t r = 0; r < count; ++r) {
    const double* const from = rows + r * stride;
    double* const to = work.tile + r * work.shape.stride;
    for (std::size_t i = 0; i < whole; i += kLanes) {
      const Vector x = hn::Sub(hn::LoadU(kTag, from + i), hn::LoadU(kTag, map.center + i));
      hn::Store(x, kTag, to + i);
    }
    if (rest > 0) {
      const Vector x =
          hn::Sub(load_first(from + whole, rest), load_first(map.center + whole, rest));
      hn::Store(x, kTag, to + whole);
    }
  }
  for (std::size_t r = count; r < work.shape.rows; ++r) {
    std::fill_n(work.tile + r * work.shape.stride, work.shape.columns, 0.0);
  }
}

/// Scores of the classes from c on, Wide vectors of them, of kHigh rows from r on.
template <std::size_t Wide>
HWY_INLINE void score_group(const Work& work, std::size_t d, std::size_t r, std::size_t c,
                            const Lines& ahead) {
  constexpr std::size_t kRows = kHigh<Wide>;
  const std::size_t classes = work.shape.classes;
  Vector sums[kRows][Wide];
  for (std::size_t v = 0; v < Wide; ++v) {
    for (auto& row : sums) { row[v] = hn::Load(kTag, work.bias + c + v * kLanes); }
  }
  const double* const x = work.tile + r * work.shape.stride;
  const double* theta = work.coefficients + c;
  for (std::size_t i = 0; i < d; ++i, theta += classes) {
    ahead.ask(i);
    Vector b[Wide];
    for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kTag, theta + v * kLanes); }
    for (std::size_t t = 0; t < kRows; ++t) {
      const Vector a = hn::Set(kTag, x[t * work.shape.stride + i]);
      for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::MulAdd(a, b[v], sums[t][v]); }
    }
  }
  for (std::size_t t = 0; t < kRows; ++t) {
    for (std::size_t v = 0; v < Wide; ++v) {
      hn::Store(sums[t][v], kTag, work.scores + (r + t) * classes + c + v * kLanes);
    }
  }
}

/// `next`: the rows after the tile, `step` doubles of them a row, or 0: nothing is asked for.
template <std::size_t Wide>
HWY_NOINLINE void score_tile(const Work& work, std::size_t d, std::size_t c, const double* next,
                             std::size_t step) {
  for (std::size_t r = 0; r < work.shape.rows; r += kHigh<Wide>) {
    // kHigh rows are kHigh d doubles: asked for in d steps.
    const Lines ahead{next + r * step, step == 0 ? 0 : kHigh<Wide>};
    score_group<Wide>(work, d, r, c, ahead);
  }
}

/// gradient += sum_r residuals_r (x_r - center), Wide vectors of classes from c on.
template <std::size_t Wide>
HWY_NOINLINE void gradient_tile(const Work& work, std::size_t c) {
  constexpr std::size_t kColumns = kHigh<Wide>;
  const std::size_t classes = work.shape.classes;
  for (std::size_t i = 0; i < work.shape.columns; i += kColumns) {
    Vector sums[kColumns][Wide];
    for (auto& row : sums) {
      for (Vector& sum : row) { sum = hn::Zero(kTag); }
    }
    const double* x = work.tile + i;
    const double* residuals = work.scores + c;
    for (std::size_t r = 0; r < work.shape.rows; ++r) {
      Vector b[Wide];
      for (std::size_t v = 0; v < Wide; ++v) { b[v] = hn::Load(kTag, residuals + v * kLanes); }
      for (std::size_t t = 0; t < kColumns; ++t) {
        const Vector a = hn::Set(kTag, x[t]);
        for (std::size_t v = 0; v < Wide; ++v) { sums[t][v] = hn::MulAdd(a, b[v], sums[t][v]); }
      }
      x += work.shape.stride;
      residuals += classes;
    }
    for (std::size_t t = 0; t < kColumns; ++t) {
      for (std::size_t v = 0; v < Wide; ++v) {
        double* const to = work.gradient + (i + t) * classes + c + v * kLanes;
        hn::Store(hn::Add(hn::Load(kTag, to), sums[t][v]), kTag, to);
      }
    }
  }
}

/// In place: the scores of a row become w p; returns top and sum of e^(a - top). Vectors 0: any
/// number of them.
template <std::size_t Vectors>
HWY_INLINE void share_row(double* row, std::size_t classes, double w, double& top, double& sum) {
  const std::size_t end = Vectors > 0 ? Vectors * kLanes : classes;
  Vector tops = hn::Load(kTag, row);
  for (std::size_t c = kLanes; c < end; c += kLanes) {
    tops = hn::Max(tops, hn::Load(kTag, row + c));
  }
  tops = hn::MaxOfLanes(kTag, tops);
  Vector sums = hn::Zero(kTag);
  for (std::size_t c = 0; c < end; c += kLanes) {
    const Vector power = exponential(hn::Sub(hn::Load(kTag, row + c), tops));
    hn::Store(power, kTag, row + c);
    sums = hn::Add(sums, power);
  }
  sums = hn::SumOfLanes(kTag, sums);
  const Vector factor = hn::Div(hn::Set(kTag, w), sums);
  for (std::size_t c = 0; c < end; c += kLanes) {
    hn::Store(hn::Mul(hn::Load(kTag, row + c), factor), kTag, row + c);
  }
  top = hn::GetLane(tops);
  sum = hn::GetLane(sums);
}

using ShareRow = void (*)(double*, std::size_t, double, double&, double&);

/// Scores to residuals w (p - e_y); returns the loss. Rows behind `count` become zeros.
template <std::size_t Vectors>
HWY_NOINLINE double residual_tile(const Work& work, std::size_t count, const std::int32_t* labels,
                                  const double* weights) {
  const std::size_t classes = work.shape.classes;
  HWY_ALIGN double rest[kMostRows] = {};  // top - a_y
  HWY_ALIGN double sums[kMostRows];
  HWY_ALIGN double factors[kMostRows] = {};
  std::fill_n(sums, kMostRows, 1.0);
  for (std::size_t r = 0; r < count; ++r) {
    double* const row = work.scores + r * classes;
    const double w = weights != nullptr ? weights[r] : 1.0;
    const auto truth = static_cast<std::size_t>(labels[r]);
    const double own = row[truth];
    double top = 0.0;
    share_row<Vectors>(row, classes, w, top, sums[r]);
    row[truth] -= w;
    rest[r] = top - own;
    factors[r] = w;
  }
  std::fill(work.scores + count * classes, work.scores + work.shape.rows * classes, 0.0);
  Vector loss = hn::Zero(kTag);
  for (std::size_t r = 0; r < count; r += kLanes) {
    const Vector log = hn::Add(hn::Log(kTag, hn::Load(kTag, sums + r)), hn::Load(kTag, rest + r));
    loss = hn::MulAdd(log, hn::Load(kTag, factors + r), loss);
  }
  return hn::GetLane(hn::SumOfLanes(kTag, loss));
}

/// The gradient of the biases: the sums of the residuals.
HWY_INLINE void add_bias_gradient(const Work& work) {
  const std::size_t classes = work.shape.classes;
  double* const to = work.gradient + work.shape.columns * classes;
  for (std::size_t c = 0; c < classes; c += kLanes) {
    Vector sum = hn::Load(kTag, to + c);
    for (std::size_t r = 0; r < work.shape.rows; ++r) {
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

HWY_INLINE void pack_map(const SoftmaxMap& map, const Work& work) {
  const std::size_t classes = work.shape.classes;
  for (std::size_t i = 0; i < map.d; ++i) {
    double* const to = work.coefficients + i * classes;
    std::copy_n(map.coefficients + i * map.k, map.k, to);
    std::fill(to + map.k, to + classes, 0.0);
  }
  std::copy_n(map.bias, map.k, work.bias);
  std::fill(work.bias + map.k, work.bias + classes, kNobody);
  std::fill_n(work.gradient, (work.shape.columns + 1) * classes, 0.0);
  for (std::size_t r = 0; r < work.shape.rows; ++r) {
    double* const row = work.tile + r * work.shape.stride;
    std::fill(row + map.d, row + work.shape.stride, 0.0);
  }
}

double softmax_add(const double* rows, std::size_t n, std::size_t stride, const SoftmaxMap& map,
                   const std::int32_t* labels, const double* weights, double* gradient) {
  constexpr void (*kScores[])(const Work&, std::size_t, std::size_t, const double*, std::size_t) = {
      score_tile<1>, score_tile<2>, score_tile<3>};
  constexpr void (*kGradients[])(const Work&, std::size_t) = {gradient_tile<1>, gradient_tile<2>,
                                                              gradient_tile<3>};
  constexpr double (*kResiduals[])(const Work&, std::size_t, const std::int32_t*, const double*) = {
      residual_tile<1>, residual_tile<2>, residual_tile<3>, residual_tile<0>};
  const TileShape shape(map);
  const Scratch tile(shape.rows * shape.stride);
  const Scratch tables((2 * shape.columns + 2 + shape.rows) * shape.classes);
  double* const bias = tables.data() + shape.columns * shape.classes;
  double* const scores = bias + shape.classes;
  const Work work{shape, tile.data(), tables.data(),
                  bias,  scores,      scores + shape.rows * shape.classes};
  pack_map(map, work);
  const auto residuals = kResiduals[std::min<std::size_t>(shape.classes / kLanes, 4) - 1];
  double loss = 0.0;
  for (std::size_t begin = 0; begin < n; begin += shape.rows) {
    const std::size_t count = std::min(shape.rows, n - begin);
    const bool more = stride == map.d && begin + 2 * shape.rows <= n;
    const double* const first = rows + begin * stride;
    center_rows(first, count, stride, map, work);
    for_each_group(shape.classes, [&](std::size_t wide, std::size_t c) {
      const bool asks = more && c == 0;
      kScores[wide - 1](work, map.d, c, asks ? first + shape.rows * stride : first,
                        asks ? stride : 0);
    });
    loss += residuals(work, count, labels + begin, weights != nullptr ? weights + begin : nullptr);
    add_bias_gradient(work);
    for_each_group(shape.classes,
                   [&](std::size_t wide, std::size_t c) { kGradients[wide - 1](work, c); });
  }
  for (std::size_t i = 0; i <= map.d; ++i) {
    const std::size_t from = i < map.d ? i : shape.columns;
    for (std::size_t c = 0; c < map.k; ++c) {
      gradient[i * map.k + c] += work.gradient[from * shape.classes + c];
    }
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
