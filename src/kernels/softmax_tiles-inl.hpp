// Three and more classes of a tile of rows that is turned, so that lanes are rows: scores,
// posteriors and the gradient. No lane is wasted on classes that are not there, and sums over lanes
// are taken once for many tiles. In single or double precision. Included once for every target.
#if defined(LOGODDS_KERNELS_SOFTMAX_TILES_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_SOFTMAX_TILES_INL_
#undef LOGODDS_KERNELS_SOFTMAX_TILES_INL_
#else
#define LOGODDS_KERNELS_SOFTMAX_TILES_INL_
#endif

#include <hwy/contrib/math/math-inl.h>

#include <algorithm>

#include "kernels/ahead.hpp"
#include "kernels/exponential-inl.hpp"
#include "kernels/pair_picks-inl.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

template <class T>
using TileTag = hn::ScalableTag<T>;
template <class T>
using TileVector = hn::Vec<TileTag<T>>;
template <class T>
using TileLabel = hn::TFromD<hn::RebindToSigned<TileTag<T>>>;
template <class T>
constexpr std::size_t kTileLanes = hn::MaxLanes(TileTag<T>{});
/// Rows of a tile: eight vectors or more, so that sums are seldom taken from memory and put back.
template <class T>
constexpr std::size_t kRows =
    sizeof(T) == sizeof(float) ? 128 : std::max<std::size_t>(8 * kTileLanes<T>, 64);

/// e^x for x from -80 to 0, within 3 units in the last place: 2^n e^r with |r| <= ln 2 / 2, e^r by
/// a polynomial whose largest relative error, 2e-9 before its coefficients are rounded, is the
/// least. By Estrin's scheme, because a chain of seven multiply-adds would take longer than they
/// do.
HWY_INLINE TileVector<float> tile_exponential(TileVector<float> x) {
  const TileTag<float> tag;
  const TileVector<float> magic =
      hn::Set(tag, 0x1.8p23F + 127.0F);  // leaves n + 127 in the low bits
  const TileVector<float> shifted = hn::MulAdd(x, hn::Set(tag, 0x1.715476p+0F), magic);
  const TileVector<float> n = hn::Sub(shifted, magic);
  TileVector<float> r = hn::NegMulAdd(n, hn::Set(tag, 0x1.62e4p-1F), x);  // n times it is exact
  r = hn::NegMulAdd(n, hn::Set(tag, 0x1.7f7d1cp-20F), r);
  const TileVector<float> square = hn::Mul(r, r);
  const auto line = [&](float slope, float at_zero) {
    return hn::MulAdd(r, hn::Set(tag, slope), hn::Set(tag, at_zero));
  };
  const TileVector<float> low =
      hn::MulAdd(square, line(0x1.55540ap-3F, 0x1.fffffap-2F), hn::Add(r, hn::Set(tag, 1.0F)));
  const TileVector<float> high =
      hn::MulAdd(square, hn::Set(tag, 0x1.6ab924p-10F), line(0x1.126d64p-7F, 0x1.55589cp-5F));
  const TileVector<float> sum = hn::MulAdd(hn::Mul(square, square), high, low);
  const hn::RebindToUnsigned<TileTag<float>> bits;
  const TileVector<float> scale = hn::BitCast(tag, hn::ShiftLeft<23>(hn::BitCast(bits, shifted)));
  return hn::Mul(sum, scale);
}

HWY_INLINE TileVector<double> tile_exponential(TileVector<double> x) { return exponential(x); }

/// A score so far below the largest is as good as this one: neither e to the power of it nor its
/// products are subnormal, which would take a hundred times as long.
template <class T>
constexpr T kLeastScore = sizeof(T) == sizeof(float) ? T{-80} : T{-600};

/// Sums held in registers: kTall vectors of rows, or columns, by up to kWide classes.
constexpr std::size_t kTall = 4;
constexpr std::size_t kWide = kManyRegisters ? 5 : 3;
/// Columns of which scores are added up at a time: they stay in the first-level cache meanwhile.
constexpr std::size_t kColumnsAtOnce = 128;

/// The next tile's cache lines, a few at every step.
struct LinesAhead {
  const double* next;
  std::size_t count;  ///< at a step
  HWY_INLINE void ask() {
    for (std::size_t i = 0; i < count; ++i) { __builtin_prefetch(next + i * kLineDoubles, 0, 2); }
    next += count * kLineDoubles;
  }
};

/// What a call works on. Tables are aligned.
template <class T>
struct TileWork {
  std::size_t d;
  std::size_t k;
  T* coefficients;       ///< d x k
  T* bias;               ///< k
  T* tile;               ///< d x kRows
  T* scores;             ///< k x kRows; then residuals
  T* weights;            ///< kRows, 0 for rows that are not there
  TileLabel<T>* labels;  ///< kRows, -1 for rows that are not there
  T* sums;               ///< (d + 1) x k vectors: the gradient
  const PairPicking<T>* picking = nullptr;
  std::size_t first = 0;  ///< the tile's first row, among those of a call that picks
};

/// Scores of Wide classes from c on, of kTall vectors of rows from r on: what the columns from
/// `first` to `last` add.
template <class T, std::size_t Wide>
HWY_INLINE void score_vectors(const TileWork<T>& work, std::size_t r, std::size_t c,
                              std::size_t first, std::size_t last, LinesAhead& lines) {
  LinesAhead ahead = lines;  // in registers
  T* const scores = work.scores + c * kRows<T> + r;
  TileVector<T> sums[kTall][Wide];
  for (std::size_t w = 0; w < Wide; ++w) {
    for (std::size_t t = 0; t < kTall; ++t) {
      sums[t][w] = first == 0 ? hn::Set(TileTag<T>{}, work.bias[c + w])
                              : hn::Load(TileTag<T>{}, scores + w * kRows<T> + t * kTileLanes<T>);
    }
  }
  const T* x = work.tile + first * kRows<T> + r;
  const T* theta = work.coefficients + first * work.k + c;
  for (std::size_t i = first; i < last; ++i, x += kRows<T>, theta += work.k) {
    ahead.ask();
    TileVector<T> b[Wide];
    for (std::size_t w = 0; w < Wide; ++w) { b[w] = hn::Set(TileTag<T>{}, theta[w]); }
    for (std::size_t t = 0; t < kTall; ++t) {
      const TileVector<T> a = hn::Load(TileTag<T>{}, x + t * kTileLanes<T>);
      for (std::size_t w = 0; w < Wide; ++w) { sums[t][w] = hn::MulAdd(a, b[w], sums[t][w]); }
    }
  }
  for (std::size_t w = 0; w < Wide; ++w) {
    for (std::size_t t = 0; t < kTall; ++t) {
      hn::Store(sums[t][w], TileTag<T>{}, scores + w * kRows<T> + t * kTileLanes<T>);
    }
  }
  lines = ahead;
}

template <class T, std::size_t Wide>
HWY_NOINLINE void score_group(const TileWork<T>& work, std::size_t c, std::size_t first,
                              LinesAhead& ahead) {
  const std::size_t last = std::min(work.d, first + kColumnsAtOnce);
  for (std::size_t r = 0; r < kRows<T>; r += kTall * kTileLanes<T>) {
    score_vectors<T, Wide>(work, r, c, first, last, ahead);
  }
}

/// sums += residuals x tile of Tall columns from i on, Wide classes from c on.
template <class T, std::size_t Wide, std::size_t Tall>
HWY_INLINE void gradient_vectors(const TileWork<T>& work, std::size_t i, std::size_t c,
                                 LinesAhead& lines) {
  LinesAhead ahead = lines;
  const auto place = [&](std::size_t t, std::size_t w) {
    return work.sums + ((i + t) * work.k + c + w) * kTileLanes<T>;
  };
  TileVector<T> sums[Tall][Wide];
  for (std::size_t t = 0; t < Tall; ++t) {
    for (std::size_t w = 0; w < Wide; ++w) { sums[t][w] = hn::Load(TileTag<T>{}, place(t, w)); }
  }
  const T* const x = work.tile + i * kRows<T>;
  const T* const residuals = work.scores + c * kRows<T>;
  for (std::size_t r = 0; r < kRows<T>; r += kTileLanes<T>) {
    ahead.ask();
    TileVector<T> b[Wide];
    for (std::size_t w = 0; w < Wide; ++w) {
      b[w] = hn::Load(TileTag<T>{}, residuals + w * kRows<T> + r);
    }
    for (std::size_t t = 0; t < Tall; ++t) {
      const TileVector<T> a = hn::Load(TileTag<T>{}, x + t * kRows<T> + r);
      for (std::size_t w = 0; w < Wide; ++w) { sums[t][w] = hn::MulAdd(a, b[w], sums[t][w]); }
    }
  }
  for (std::size_t t = 0; t < Tall; ++t) {
    for (std::size_t w = 0; w < Wide; ++w) { hn::Store(sums[t][w], TileTag<T>{}, place(t, w)); }
  }
  lines = ahead;
}

template <class T, std::size_t Wide>
HWY_NOINLINE void gradient_group(const TileWork<T>& work, std::size_t c, std::size_t first,
                                 LinesAhead& ahead) {
  const std::size_t last = std::min(work.d, first + kColumnsAtOnce);
  std::size_t i = first;
  for (; i + kTall <= last; i += kTall) { gradient_vectors<T, Wide, kTall>(work, i, c, ahead); }
  for (; i < last; ++i) { gradient_vectors<T, Wide, 1>(work, i, c, ahead); }
}

/// Vectors of rows whose residuals are made together: none waits for the other.
constexpr std::size_t kTogether = 2;

/// Scores to residuals w (p - e_y), for kTogether vectors of rows from r on; returns the losses.
template <class T>
HWY_INLINE TileVector<T> residual_vectors(const TileWork<T>& work, std::size_t r) {
  using Labels = hn::RebindToSigned<TileTag<T>>;
  const TileTag<T> tag;
  T* const scores = work.scores + r;
  hn::Vec<Labels> labels[kTogether];
  TileVector<T> top[kTogether];
  TileVector<T> own[kTogether];  // the score of a row's own class
  TileVector<T> sum[kTogether];
  for (std::size_t v = 0; v < kTogether; ++v) {
    labels[v] = hn::Load(Labels{}, work.labels + r + v * kTileLanes<T>);
    top[v] = own[v] = hn::Load(tag, scores + v * kTileLanes<T>);
    sum[v] = hn::Zero(tag);
  }
  const auto of_class = [&](std::size_t v, hn::Vec<Labels> c) {
    return hn::RebindMask(tag, hn::Eq(labels[v], c));
  };
  const auto code = [](std::size_t c) { return hn::Set(Labels{}, static_cast<TileLabel<T>>(c)); };
  for (std::size_t c = 1; c < work.k; ++c) {
    const auto wanted = code(c);
    for (std::size_t v = 0; v < kTogether; ++v) {
      const TileVector<T> score = hn::Load(tag, scores + c * kRows<T> + v * kTileLanes<T>);
      top[v] = hn::Max(top[v], score);
      own[v] = hn::IfThenElse(of_class(v, wanted), score, own[v]);
    }
  }
  const TileVector<T> least = hn::Set(tag, kLeastScore<T>);
  for (std::size_t c = 0; c < work.k; ++c) {
    for (std::size_t v = 0; v < kTogether; ++v) {
      T* const at = scores + c * kRows<T> + v * kTileLanes<T>;
      const TileVector<T> power =
          tile_exponential(hn::Max(least, hn::Sub(hn::Load(tag, at), top[v])));
      sum[v] = hn::Add(sum[v], power);
      hn::Store(power, tag, at);
    }
  }
  TileVector<T> w[kTogether];
  TileVector<T> factor[kTogether];
  for (std::size_t v = 0; v < kTogether; ++v) {
    const std::size_t first = r + v * kTileLanes<T>;
    w[v] = hn::Load(tag, work.weights + first);
    factor[v] = hn::Div(w[v], sum[v]);
    if (work.picking != nullptr) {
      work.picking->pick(work.first + first, work.scores + first, kRows<T>, sum[v], w[v]);
    }
  }
  for (std::size_t c = 0; c < work.k; ++c) {
    const auto wanted = code(c);
    for (std::size_t v = 0; v < kTogether; ++v) {
      T* const at = scores + c * kRows<T> + v * kTileLanes<T>;
      const TileVector<T> observed = hn::IfThenElseZero(of_class(v, wanted), w[v]);
      hn::Store(hn::MulSub(hn::Load(tag, at), factor[v], observed), tag, at);
    }
  }
  TileVector<T> loss = hn::Zero(tag);
  for (std::size_t v = 0; v < kTogether; ++v) {
    loss = hn::MulAdd(w[v], hn::Add(hn::Log(tag, sum[v]), hn::Sub(top[v], own[v])), loss);
  }
  return loss;
}

/// Scores to residuals, added to the sums of the biases; returns the loss.
template <class T>
HWY_NOINLINE double residual_tile(const TileWork<T>& work) {
  TileVector<T> loss = hn::Zero(TileTag<T>{});
  for (std::size_t r = 0; r < kRows<T>; r += kTogether * kTileLanes<T>) {
    loss = hn::Add(loss, residual_vectors(work, r));
  }
  T* const sums = work.sums + work.d * work.k * kTileLanes<T>;
  for (std::size_t c = 0; c < work.k; ++c) {
    TileVector<T> sum = hn::Load(TileTag<T>{}, sums + c * kTileLanes<T>);
    for (std::size_t r = 0; r < kRows<T>; r += kTileLanes<T>) {
      sum = hn::Add(sum, hn::Load(TileTag<T>{}, work.scores + c * kRows<T> + r));
    }
    hn::Store(sum, TileTag<T>{}, sums + c * kTileLanes<T>);
  }
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(TileTag<T>{}, loss)));
}

/// The kernels for 1, 2, ... classes.
template <class T>
struct Parts {
  using Part = void (*)(const TileWork<T>&, std::size_t, std::size_t, LinesAhead&);
  static constexpr Part kScores[] = {score_group<T, 1>, score_group<T, 2>, score_group<T, 3>,
                                     score_group<T, 4>, score_group<T, 5>};
  static constexpr Part kGradients[] = {gradient_group<T, 1>, gradient_group<T, 2>,
                                        gradient_group<T, 3>, gradient_group<T, 4>,
                                        gradient_group<T, 5>};
};

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

/// Lines of a tile to ask for at every step of the scores and of the gradient of the first group of
/// classes, or none: half of them each, because the memory would not keep up with the scores alone.
template <class T>
HWY_INLINE LinesAhead lines_ahead(const NextTile& next) {
  constexpr std::size_t steps = 2 * kRows<T> / (kTall * kTileLanes<T>);  // a column
  const std::size_t lines = next.column_doubles / kLineDoubles;
  return {next.first, next.first == nullptr ? 0 : (lines + steps - 1) / steps};
}

/// Scores, posteriors and sums of the tile that is there.
template <class T>
HWY_INLINE double add_tile(const TileWork<T>& work, const NextTile& next) {
  LinesAhead ahead = lines_ahead<T>(next);
  LinesAhead none{nullptr, 0};
  for (std::size_t first = 0; first < work.d; first += kColumnsAtOnce) {
    for_each_group(work.k, [&](std::size_t wide, std::size_t c) {
      Parts<T>::kScores[wide - 1](work, c, first, c == 0 ? ahead : none);
    });
  }
  const double loss = residual_tile(work);
  for (std::size_t first = 0; first < work.d; first += kColumnsAtOnce) {
    for_each_group(work.k, [&](std::size_t wide, std::size_t c) {
      Parts<T>::kGradients[wide - 1](work, c, first, c == 0 ? ahead : none);
    });
  }
  return loss;
}

/// The tables of a call.
template <class T>
class TileTables {
 public:
  TileTables(std::size_t d, std::size_t k, const double* coefficients, const double* bias)
      : storage_(doubles(d, k)) {
    const std::size_t parameters = (d + 1) * k;
    T* const tile = reinterpret_cast<T*>(storage_.data());
    T* const scores = tile + d * kRows<T>;
    T* const weights = scores + k * kRows<T>;
    T* const sums = weights + 2 * kRows<T>;
    T* const theta = sums + parameters * kTileLanes<T>;
    auto* const labels = reinterpret_cast<TileLabel<T>*>(weights + kRows<T>);
    work_ = {d, k, theta, theta + d * k, tile, scores, weights, labels, sums};
    const auto rounded = [](double value) { return static_cast<T>(value); };
    std::transform(coefficients, coefficients + d * k, work_.coefficients, rounded);
    std::transform(bias, bias + k, work_.bias, rounded);
  }
  [[nodiscard]] const TileWork<T>& work() const { return work_; }

 private:
  static constexpr std::size_t doubles(std::size_t d, std::size_t k) {
    const std::size_t parameters = (d + 1) * k;
    return ((d + k + 2) * kRows<T> + parameters * (kTileLanes<T> + 1)) * sizeof(T) /
               sizeof(double) +
           1;
  }

  Scratch storage_;
  TileWork<T> work_{};
};

/// Labels and weights (null: all 1) of `count` rows, the rest of the tile left out.
template <class T>
HWY_INLINE void set_labels(const TileWork<T>& work, const std::int32_t* labels,
                           const double* weights, std::size_t count) {
  std::copy_n(labels, count, work.labels);
  std::fill(work.labels + count, work.labels + kRows<T>, TileLabel<T>{-1});
  for (std::size_t r = 0; r < count; ++r) {
    work.weights[r] = weights != nullptr ? static_cast<T>(weights[r]) : T{1};
  }
  std::fill(work.weights + count, work.weights + kRows<T>, T{0});
}

template <class T>
HWY_INLINE void clear_sums(const TileWork<T>& work) {
  std::fill_n(work.sums, (work.d + 1) * work.k * kTileLanes<T>, T{0});
}

/// gradient += the sums over all lanes.
template <class T>
HWY_INLINE void add_sums(const TileWork<T>& work, double* gradient) {
  for (std::size_t i = 0; i < (work.d + 1) * work.k; ++i) {
    const TileVector<T> sum = hn::Load(TileTag<T>{}, work.sums + i * kTileLanes<T>);
    gradient[i] += static_cast<double>(hn::GetLane(hn::SumOfLanes(TileTag<T>{}, sum)));
  }
}

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
