// Rows for a guess of the Hessian, picked while their posteriors are at hand. Included once for
// every target.
#if defined(LOGODDS_KERNELS_PAIR_PICKS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOGODDS_KERNELS_PAIR_PICKS_INL_
#undef LOGODDS_KERNELS_PAIR_PICKS_INL_
#else
#define LOGODDS_KERNELS_PAIR_PICKS_INL_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/pair_picks.hpp"
#include "kernels/scratch.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if !LOGODDS_PLAIN_TARGET

template <class T>
using PickTag = hn::ScalableTag<T>;
template <class T>
using PickVector = hn::Vec<PickTag<T>>;
template <class T>
constexpr std::size_t kPickLanes = hn::MaxLanes(PickTag<T>{});

/// What a call picks with: by lane, sums over rows of rate w sum_{b < c} p_b p_c. Where one reaches
/// 1 its row is picked for the pair that brings it there, and 1 taken off.
template <class T>
class PairPicking {
 public:
  /// `picks` null: nothing is picked. `factor`: how many rows stand for one that is looked at.
  PairPicking(std::size_t k, PairPicks* picks, double factor)
      : k_(k),
        picks_(picks),
        factor_(factor),
        storage_((2 * k + 1) * kPickLanes<T> * sizeof(T) / sizeof(double) + 1),
        shares_(reinterpret_cast<T*>(storage_.data())),
        curvature_(shares_ + k * kPickLanes<T>),
        sums_(curvature_ + k * kPickLanes<T>) {
    if (picks == nullptr) { return; }
    picks->curvature.resize(k, 0.0);
    std::fill_n(curvature_, k * kPickLanes<T>, T{0});
    for (std::size_t i = 0; i < kPickLanes<T>; ++i) { sums_[i] = static_cast<T>(picks->start(i)); }
  }
  PairPicking(const PairPicking&) = delete;
  PairPicking& operator=(const PairPicking&) = delete;

  [[nodiscard]] HWY_INLINE bool picks_from(std::size_t tile) const {
    return picks_ != nullptr && tile % picks_->every == 0;
  }

  /// Of the call's rows from `row` on, a lane each. Of class c, powers[c * stride] are posteriors
  /// times `sum`.
  HWY_INLINE void pick(std::size_t row, const T* powers, std::size_t stride, PickVector<T> sum,
                       PickVector<T> w) const {
    const PickTag<T> tag;
    const PickVector<T> factor = hn::Div(hn::Set(tag, T{1}), sum);
    PickVector<T> rest = hn::Set(tag, T{1});
    for (std::size_t c = 0; c < k_; ++c) {
      const PickVector<T> p = hn::Mul(hn::Load(tag, powers + c * stride), factor);
      hn::Store(p, tag, shares_ + c * kPickLanes<T>);
      T* const curvature = curvature_ + c * kPickLanes<T>;
      const PickVector<T> product = hn::NegMulAdd(p, p, p);
      hn::Store(hn::MulAdd(w, product, hn::Load(tag, curvature)), tag, curvature);
      rest = hn::NegMulAdd(p, p, rest);
    }
    const PickVector<T> half_rate = hn::Set(tag, T{0.5} * rate());
    const PickVector<T> before = hn::Load(tag, sums_);
    const PickVector<T> more = hn::Mul(hn::Mul(half_rate, w), hn::Max(rest, hn::Zero(tag)));
    const PickVector<T> after = hn::Add(before, more);
    const PickVector<T> one = hn::Set(tag, T{1});
    const auto picked = hn::Ge(after, one);
    hn::Store(hn::Sub(after, hn::Floor(after)), tag, sums_);
    if (hn::AllFalse(tag, picked)) { return; }
    const auto often = hn::Ge(after, hn::Set(tag, T{2}));
    // Where in sum_{b < c} p_b p_c, pair by pair, the sum reached 1.
    const PickVector<T> place = hn::Div(hn::Sub(one, before), hn::Mul(w, hn::Set(tag, rate())));
    const std::size_t lanes = bits_of(picked);
    if (hn::AllFalse(tag, often)) { return take_one_each(row, lanes, place); }
    take_often(row, lanes, before, after);
  }

  /// To be called in the end.
  void finish() const {
    for (std::size_t i = 0; i < k_ * kPickLanes<T> && picks_ != nullptr; ++i) {
      picks_->curvature[i / kPickLanes<T>] += factor_ * static_cast<double>(curvature_[i]);
    }
  }

 private:
  [[nodiscard]] HWY_INLINE T rate() const { return static_cast<T>(factor_ * picks_->rate); }

  template <class Mask>
  static HWY_INLINE std::size_t bits_of(Mask mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(PickTag<T>{}, mask, bytes);
    std::size_t bits = bytes[0];
    if constexpr (kPickLanes<T> > 8) { bits |= static_cast<std::size_t>(bytes[1]) << 8U; }
    return bits;
  }

  /// Calls call(lane) for the lanes whose bits are set.
  template <class Call>
  static HWY_INLINE void for_each_lane(std::size_t lanes, Call call) {
    for (; lanes != 0; lanes &= lanes - 1) {
      call(static_cast<std::size_t>(std::countr_zero(lanes)));
    }
  }

  /// The pairs in which sums of p_b p_c come to exceed `place`: first c, the rows of the triangle,
  /// and then b.
  HWY_INLINE void take_one_each(std::size_t row, std::size_t lanes, PickVector<T> place) const {
    const PickTag<T> tag;
    const auto share = [&](std::size_t c) { return hn::Load(tag, shares_ + c * kPickLanes<T>); };
    const PickVector<T> one = hn::Set(tag, T{1});
    PickVector<T> below = share(0);
    PickVector<T> own = share(1);  // of c
    PickVector<T> c = one;
    PickVector<T> start = hn::Zero(tag);
    PickVector<T> sum = start;
    for (std::size_t i = 1; i + 1 < k_; ++i) {
      sum = hn::MulAdd(share(i), below, sum);
      below = hn::Add(below, share(i));
      const auto passed = hn::Le(sum, place);
      start = hn::IfThenElse(passed, sum, start);
      own = hn::IfThenElse(passed, share(i + 1), own);
      c = hn::Add(c, hn::IfThenElseZero(passed, one));
    }
    const PickVector<T> rest = hn::Div(hn::Sub(place, start), own);
    PickVector<T> b = hn::Zero(tag);
    sum = b;
    for (std::size_t i = 0; i + 1 < k_; ++i) {
      sum = hn::Add(sum, share(i));
      b = hn::Add(b, hn::IfThenElseZero(hn::Le(sum, rest), one));
    }
    b = hn::Min(b, hn::Sub(c, one));
    const PickVector<T> half = hn::Set(tag, T{0.5});
    HWY_ALIGN T pairs[kPickLanes<T>];
    hn::Store(hn::MulAdd(hn::Mul(half, c), hn::Sub(c, one), b), tag, pairs);
    for_each_lane(lanes, [&](std::size_t lane) {
      picks_->add(static_cast<std::size_t>(pairs[lane]), row + lane);
    });
  }

  HWY_NOINLINE void take_often(std::size_t row, std::size_t lanes, PickVector<T> before,
                               PickVector<T> after) const {
    const PickTag<T> tag;
    HWY_ALIGN T sums[2 * kPickLanes<T>];
    hn::Store(before, tag, sums);
    hn::Store(after, tag, sums + kPickLanes<T>);
    for_each_lane(lanes, [&](std::size_t lane) {
      picks_->add_pairs(shares_ + lane, kPickLanes<T>, row + lane, static_cast<double>(sums[lane]),
                        static_cast<double>(sums[kPickLanes<T> + lane]));
    });
  }

  std::size_t k_;
  PairPicks* picks_;
  double factor_;
  Scratch storage_;
  T* shares_;     ///< k vectors: the posteriors of the rows at hand
  T* curvature_;  ///< k vectors
  T* sums_;       ///< a vector
};

#endif  // !LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
