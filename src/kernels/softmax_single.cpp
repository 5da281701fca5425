// Three and more classes in single precision: scores, posteriors and the gradient in one pass over
// the rows. A tile of rows is made floats and turned in the cache, so that lanes are rows: no lane
// is wasted on classes that are not there, and sums over lanes are taken once for many tiles.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax_single.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "kernels/ahead.hpp"
#include "kernels/scratch.hpp"
#include "kernels/single_tiles-inl.hpp"
#include "kernels/softmax_single.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::softmax_add_single;

#else

/// Sums held in registers: kTall vectors of rows, or columns, by up to kWide classes.
constexpr std::size_t kTall = 4;
constexpr std::size_t kWide = kManyRegisters ? 5 : 3;
/// Rows whose products are added up as floats, in every lane by itself.
constexpr std::size_t kMostRows = 16 * kRows;
/// Columns of which scores are added up at a time: they stay in the first-level cache meanwhile.
constexpr std::size_t kColumnsAtOnce = 128;

/// The next tile's cache lines, a few at every step.
struct LinesAhead {
  const double* next;
  std::size_t count;  ///< at a step
  HWY_INLINE void ask() {
    for (std::size_t i = 0; i < count; ++i, next += kLineDoubles) {
      __builtin_prefetch(next, 0, 2);
    }
  }
};

/// What a call works on. Tables are aligned.
struct SingleWork {
  std::size_t d;
  std::size_t k;
  float* coefficients;   ///< d x k
  float* bias;           ///< k
  double* shift;         ///< d: - center x scale
  float* tile;           ///< d x kRows
  float* scores;         ///< k x kRows; then residuals
  float* weights;        ///< kRows, 0 for rows that are not there
  std::int32_t* labels;  ///< kRows, -1 for rows that are not there
  float* sums;           ///< (d + 1) x k vectors: the gradient
};

/// Scores of Wide classes from c on, of kTall vectors of rows from r on: what the columns from
/// `first` to `last` add.
template <std::size_t Wide>
HWY_INLINE void score_singles(const SingleWork& work, std::size_t r, std::size_t c,
                              std::size_t first, std::size_t last, LinesAhead& ahead) {
  float* const scores = work.scores + c * kRows + r;
  Single sums[kTall][Wide];
  for (std::size_t w = 0; w < Wide; ++w) {
    for (std::size_t t = 0; t < kTall; ++t) {
      sums[t][w] = first == 0 ? hn::Set(kSingles, work.bias[c + w])
                              : hn::Load(kSingles, scores + w * kRows + t * kSingleLanes);
    }
  }
  const float* x = work.tile + first * kRows + r;
  const float* theta = work.coefficients + first * work.k + c;
  for (std::size_t i = first; i < last; ++i, x += kRows, theta += work.k) {
    ahead.ask();
    Single b[Wide];
    for (std::size_t w = 0; w < Wide; ++w) { b[w] = hn::Set(kSingles, theta[w]); }
    for (std::size_t t = 0; t < kTall; ++t) {
      const Single a = hn::Load(kSingles, x + t * kSingleLanes);
      for (std::size_t w = 0; w < Wide; ++w) { sums[t][w] = hn::MulAdd(a, b[w], sums[t][w]); }
    }
  }
  for (std::size_t w = 0; w < Wide; ++w) {
    for (std::size_t t = 0; t < kTall; ++t) {
      hn::Store(sums[t][w], kSingles, scores + w * kRows + t * kSingleLanes);
    }
  }
}

template <std::size_t Wide>
HWY_NOINLINE void score_group(const SingleWork& work, std::size_t c, std::size_t first,
                              LinesAhead& ahead) {
  const std::size_t last = std::min(work.d, first + kColumnsAtOnce);
  for (std::size_t r = 0; r < kRows; r += kTall * kSingleLanes) {
    score_singles<Wide>(work, r, c, first, last, ahead);
  }
}

/// sums += residuals x tile of Tall columns from i on, Wide classes from c on.
template <std::size_t Wide, std::size_t Tall>
HWY_INLINE void gradient_singles(const SingleWork& work, std::size_t i, std::size_t c) {
  const auto place = [&](std::size_t t, std::size_t w) {
    return work.sums + ((i + t) * work.k + c + w) * kSingleLanes;
  };
  Single sums[Tall][Wide];
  for (std::size_t t = 0; t < Tall; ++t) {
    for (std::size_t w = 0; w < Wide; ++w) { sums[t][w] = hn::Load(kSingles, place(t, w)); }
  }
  const float* const x = work.tile + i * kRows;
  const float* const residuals = work.scores + c * kRows;
  for (std::size_t r = 0; r < kRows; r += kSingleLanes) {
    Single b[Wide];
    for (std::size_t w = 0; w < Wide; ++w) { b[w] = hn::Load(kSingles, residuals + w * kRows + r); }
    for (std::size_t t = 0; t < Tall; ++t) {
      const Single a = hn::Load(kSingles, x + t * kRows + r);
      for (std::size_t w = 0; w < Wide; ++w) { sums[t][w] = hn::MulAdd(a, b[w], sums[t][w]); }
    }
  }
  for (std::size_t t = 0; t < Tall; ++t) {
    for (std::size_t w = 0; w < Wide; ++w) { hn::Store(sums[t][w], kSingles, place(t, w)); }
  }
}

template <std::size_t Wide>
HWY_NOINLINE void gradient_group(const SingleWork& work, std::size_t c, std::size_t first) {
  const std::size_t last = std::min(work.d, first + kColumnsAtOnce);
  std::size_t i = first;
  for (; i + kTall <= last; i += kTall) { gradient_singles<Wide, kTall>(work, i, c); }
  for (; i < last; ++i) { gradient_singles<Wide, 1>(work, i, c); }
}

/// e^x for x from -80 to 0, within 3 units in the last place: 2^n e^r with |r| <= ln 2 / 2, e^r by
/// its Taylor series up to r^7, whose rest is 6e-9.
HWY_INLINE Single exponential_single(Single x) {
  const Single magic = hn::Set(kSingles, 0x1.8p23F + 127.0F);  // leaves n + 127 in the low bits
  const Single shifted = hn::MulAdd(x, hn::Set(kSingles, 0x1.715476p+0F), magic);
  const Single n = hn::Sub(shifted, magic);
  Single r = hn::NegMulAdd(n, hn::Set(kSingles, 0x1.62e4p-1F), x);  // n times it is exact
  r = hn::NegMulAdd(n, hn::Set(kSingles, 0x1.7f7d1cp-20F), r);
  constexpr float kCoefficients[] = {1.0F / 720.0F, 1.0F / 120.0F, 1.0F / 24.0F, 1.0F / 6.0F,
                                     0.5F,          1.0F,          1.0F};
  Single sum = hn::Set(kSingles, 1.0F / 5040.0F);
  for (const float coefficient : kCoefficients) {
    sum = hn::MulAdd(sum, r, hn::Set(kSingles, coefficient));
  }
  const hn::RebindToUnsigned<Singles> bits;
  const Single scale = hn::BitCast(kSingles, hn::ShiftLeft<23>(hn::BitCast(bits, shifted)));
  return hn::Mul(sum, scale);
}

using Codes = hn::RebindToSigned<Singles>;

/// Scores to residuals w (p - e_y), for a vector of rows from r on; returns the losses.
HWY_INLINE Single residual_vector(const SingleWork& work, std::size_t r) {
  const Codes codes;
  const auto labels = hn::Load(codes, work.labels + r);
  const auto of_class = [&](std::size_t c) {
    return hn::RebindMask(kSingles, hn::Eq(labels, hn::Set(codes, static_cast<std::int32_t>(c))));
  };
  float* const scores = work.scores + r;
  Single top = hn::Load(kSingles, scores);
  Single own = top;  // the score of a row's own class
  for (std::size_t c = 1; c < work.k; ++c) {
    const Single score = hn::Load(kSingles, scores + c * kRows);
    top = hn::Max(top, score);
    own = hn::IfThenElse(of_class(c), score, own);
  }
  const Single least = hn::Set(kSingles, -80.0F);
  Single sum = hn::Zero(kSingles);
  for (std::size_t c = 0; c < work.k; ++c) {
    float* const at = scores + c * kRows;
    const Single below = hn::Sub(hn::Load(kSingles, at), top);
    const Single power = exponential_single(hn::Max(least, below));
    sum = hn::Add(sum, power);
    hn::Store(power, kSingles, at);
  }
  const Single w = hn::Load(kSingles, work.weights + r);
  const Single factor = hn::Div(w, sum);
  for (std::size_t c = 0; c < work.k; ++c) {
    float* const at = scores + c * kRows;
    const Single observed = hn::IfThenElseZero(of_class(c), w);
    hn::Store(hn::MulSub(hn::Load(kSingles, at), factor, observed), kSingles, at);
  }
  return hn::Mul(w, hn::Add(hn::Log(kSingles, sum), hn::Sub(top, own)));
}

/// Scores to residuals, added to the sums of the biases; returns the loss.
HWY_NOINLINE double residual_singles(const SingleWork& work) {
  Single loss = hn::Zero(kSingles);
  for (std::size_t r = 0; r < kRows; r += kSingleLanes) {
    loss = hn::Add(loss, residual_vector(work, r));
  }
  float* const sums = work.sums + work.d * work.k * kSingleLanes;
  for (std::size_t c = 0; c < work.k; ++c) {
    Single sum = hn::Load(kSingles, sums + c * kSingleLanes);
    for (std::size_t r = 0; r < kRows; r += kSingleLanes) {
      sum = hn::Add(sum, hn::Load(kSingles, work.scores + c * kRows + r));
    }
    hn::Store(sum, kSingles, sums + c * kSingleLanes);
  }
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(kSingles, loss)));
}

using ScorePart = void (*)(const SingleWork&, std::size_t, std::size_t, LinesAhead&);
using GradientPart = void (*)(const SingleWork&, std::size_t, std::size_t);
constexpr ScorePart kScores[] = {score_group<1>, score_group<2>, score_group<3>, score_group<4>,
                                 score_group<5>};
constexpr GradientPart kGradients[] = {gradient_group<1>, gradient_group<2>, gradient_group<3>,
                                       gradient_group<4>, gradient_group<5>};

/// Calls call(classes, first class) for groups of nearly equal width.
template <class Call>
HWY_INLINE void for_each_group(std::size_t k, Call call) {
  std::size_t groups = (k + kWide - 1) / kWide;
  for (std::size_t c = 0; groups > 0; --groups) {
    const std::size_t wide = (k - c + groups - 1) / groups;
    call(wide, c);
    c += wide;
  }
}

/// What is read after a tile: rows, or their kept z. Null: nobody knows.
struct NextTile {
  const double* first = nullptr;
  std::size_t column_doubles = 0;  ///< the size of one column of it
};

/// Lines of a tile to ask for at every step of the scores, or none.
HWY_INLINE LinesAhead lines_ahead(const SingleWork& work, const NextTile& next) {
  const std::size_t steps = kRows / (kTall * kSingleLanes) * ((work.k + kWide - 1) / kWide);
  const std::size_t lines = next.column_doubles / kLineDoubles;
  return {next.first, next.first == nullptr ? 0 : (lines + steps - 1) / steps};
}

/// Scores, posteriors and sums of the tile that is there.
HWY_INLINE double add_tile(const SingleWork& work, const NextTile& next) {
  LinesAhead ahead = lines_ahead(work, next);
  for (std::size_t first = 0; first < work.d; first += kColumnsAtOnce) {
    for_each_group(
        work.k, [&](std::size_t wide, std::size_t c) { kScores[wide - 1](work, c, first, ahead); });
  }
  const double loss = residual_singles(work);
  for (std::size_t first = 0; first < work.d; first += kColumnsAtOnce) {
    for_each_group(work.k,
                   [&](std::size_t wide, std::size_t c) { kGradients[wide - 1](work, c, first); });
  }
  return loss;
}

/// The rows of a call.
struct SingleRows {
  const double* x;
  std::size_t n;
  std::size_t stride;
  const double* scale;
  const std::int32_t* labels;
  const double* weights;
  SingleTiles tiles;
};

/// The labels and weights of `count` rows from `begin` on.
HWY_INLINE void set_labels(const SingleWork& work, const SingleRows& rows, std::size_t begin,
                           std::size_t count) {
  std::copy_n(rows.labels + begin, count, work.labels);
  std::fill(work.labels + count, work.labels + kRows, -1);
  for (std::size_t r = 0; r < count; ++r) {
    work.weights[r] = rows.weights != nullptr ? static_cast<float>(rows.weights[begin + r]) : 1.0F;
  }
  std::fill(work.weights + count, work.weights + kRows, 0.0F);
}

/// What follows the tile of rows from `begin` on.
HWY_INLINE NextTile tile_after(const SingleRows& rows, std::size_t d, std::size_t begin) {
  const std::size_t next = begin + kRows;
  if (rows.tiles.there && next < rows.n) {
    return {reinterpret_cast<const double*>(rows.tiles.data + next * d), kRows / 2};
  }
  if (rows.stride == d && next + kRows <= rows.n) { return {rows.x + next * d, kRows}; }
  return {};
}

/// The rows from `first` on, at most kMostRows: their sums are added to the gradient.
HWY_INLINE double add_rows(SingleWork work, const SingleRows& rows, std::size_t first,
                           double* gradient) {
  const std::size_t parameters = (work.d + 1) * work.k;
  std::fill_n(work.sums, parameters * kSingleLanes, 0.0F);
  double loss = 0.0;
  for (std::size_t begin = first; begin < std::min(rows.n, first + kMostRows); begin += kRows) {
    const std::size_t count = std::min(kRows, rows.n - begin);
    set_labels(work, rows, begin, count);
    if (rows.tiles.data != nullptr) { work.tile = rows.tiles.data + begin * work.d; }
    if (!rows.tiles.there) {
      fill_tile_of_singles(rows.x + begin * rows.stride, count, rows.stride, work.d, rows.scale,
                           work.shift, work.tile);
    }
    loss += add_tile(work, tile_after(rows, work.d, begin));
  }
  for (std::size_t i = 0; i < parameters; ++i) {
    const Single sum = hn::Load(kSingles, work.sums + i * kSingleLanes);
    gradient[i] += static_cast<double>(hn::GetLane(hn::SumOfLanes(kSingles, sum)));
  }
  return loss;
}

double softmax_add_single(const double* rows, std::size_t n, std::size_t stride,
                          const SingleMap& map, const std::int32_t* labels, const double* weights,
                          double* gradient, const SingleTiles& tiles) {
  const std::size_t parameters = (map.d + 1) * map.k;
  const std::size_t table = (map.d + map.k + 2) * kRows + parameters * kSingleLanes;
  const Scratch singles((table + parameters) / 2 + 1);
  const Scratch shift(map.d);
  float* const tile = reinterpret_cast<float*>(singles.data());
  float* const scores = tile + map.d * kRows;
  float* const row_weights = scores + map.k * kRows;
  float* const sums = row_weights + 2 * kRows;
  float* const theta = sums + parameters * kSingleLanes;
  auto* const row_labels = reinterpret_cast<std::int32_t*>(row_weights + kRows);
  const SingleWork work{map.d,        map.k, theta,  theta + map.d * map.k,
                        shift.data(), tile,  scores, row_weights,
                        row_labels,   sums};
  const auto single = [](double value) { return static_cast<float>(value); };
  std::transform(map.coefficients, map.coefficients + map.d * map.k, work.coefficients, single);
  std::transform(map.bias, map.bias + map.k, work.bias, single);
  for (std::size_t i = 0; i < map.d; ++i) { work.shift[i] = -map.center[i] * map.scale[i]; }
  const SingleRows all{rows, n, stride, map.scale, labels, weights, tiles};
  double loss = 0.0;
  for (std::size_t first = 0; first < n; first += kMostRows) {
    loss += add_rows(work, all, first, gradient);
  }
  return loss;
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(softmax_add_single);

double softmax_add_single(const double* rows, std::size_t n, std::size_t stride,
                          const SingleMap& map, const std::int32_t* labels, const double* weights,
                          double* gradient, const SingleTiles& tiles) {
  return HWY_DYNAMIC_DISPATCH(softmax_add_single)(rows, n, stride, map, labels, weights, gradient,
                                                  tiles);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
