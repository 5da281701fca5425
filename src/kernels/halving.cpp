// Lanes are keys. The bound between the least keys and the others is searched by its value, and
// every guess counts the keys below it: keys are moved once, when the bound is known.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/halving.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "kernels/halving.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

template <class Key>
void place_all(const double* column, const PlaceScale& scale, Key* keys, std::size_t n) {
  reference::place_keys(column, scale, keys, n);
}

template <class Key>
Key halve_all(Key* keys, std::size_t n, std::size_t count, Key* room) {
  return reference::halve_keys(keys, n, count, room);
}

#else

/// Keys of as many lanes as a vector of doubles has.
template <class Key>
using Beside = hn::Rebind<Key, Tag>;

/// Where values can be gathered, and keys compressed, in one quick instruction.
constexpr bool kMovesLanes = HWY_TARGET <= HWY_AVX3;

template <class Key>
HWY_INLINE hn::Vec<Beside<Key> > truncated(Vector place) {
  if constexpr (sizeof(Key) == sizeof(LongKey)) {
    return hn::ConvertTo(Beside<Key>{}, place);
  } else {
    return hn::DemoteTo(Beside<Key>{}, place);
  }
}

/// The values of some keys: gathered, or where that is slow picked one by one, which is done
/// before any of them is loaded.
template <class Key>
class Picked {
 public:
  static constexpr std::size_t kCount = 64;  ///< at most; whole vectors

  HWY_INLINE Picked(const double* column, const Key* keys, std::size_t count) : column_(column) {
    if constexpr (kMovesLanes) { return; }
    for (std::size_t j = 0; j < count; ++j) { values_[j] = column[number_of(keys[j])]; }
  }
  /// Those from `j` on; `numbers` are the numbers of their keys.
  HWY_INLINE Vector at(std::size_t j, hn::Vec<Beside<Key> > numbers) const {
    if constexpr (!kMovesLanes) {
      return hn::Load(kTag, values_ + j);
    } else if constexpr (sizeof(Key) == sizeof(LongKey)) {
      return hn::GatherIndex(kTag, column_, numbers);
    } else {
      return hn::GatherIndex(kTag, column_, hn::PromoteTo(hn::RebindToSigned<Tag>{}, numbers));
    }
  }

 private:
  const double* column_;
  HWY_ALIGN double values_[kMovesLanes ? kLanes : kCount];
};

template <class Key>
void place_all(const double* column, const PlaceScale& scale, Key* keys, std::size_t n) {
  const Beside<Key> narrow;
  const auto lower = hn::Set(narrow, static_cast<Key>((Key{1} << kNumberBits<Key>)-1));
  const Vector low = hn::Set(kTag, scale.low);
  const Vector factor = hn::Set(kTag, scale.scale);
  const Vector most = hn::Set(kTag, static_cast<double>(kMostPlace<Key>));
  const std::size_t whole = n / kLanes * kLanes;
  for (std::size_t first = 0; first < whole; first += Picked<Key>::kCount) {
    const std::size_t count = std::min(Picked<Key>::kCount, whole - first);
    const Picked<Key> picked(column, keys + first, count);
    for (std::size_t j = 0; j < count; j += kLanes) {
      const auto numbers = hn::And(hn::LoadU(narrow, keys + first + j), lower);
      Vector place = hn::Mul(hn::Sub(picked.at(j, numbers), low), factor);
      place = hn::Min(hn::IfThenElseZero(hn::Gt(place, hn::Zero(kTag)), place), most);
      hn::StoreU(hn::Or(hn::ShiftLeft<kNumberBits<Key> >(truncated<Key>(place)), numbers), narrow,
                 keys + first + j);
    }
  }
  reference::place_keys(column, scale, keys + whole, n - whole);
}

template <class Key>
using KeyTag = hn::ScalableTag<Key>;

template <class Key>
HWY_INLINE std::size_t count_below(const Key* keys, std::size_t n, Key bound) {
  const KeyTag<Key> tag;
  constexpr std::size_t kWidth = hn::MaxLanes(KeyTag<Key>{});
  const auto bounds = hn::Set(tag, bound);
  std::size_t at = 0;
  std::size_t below = 0;
  if constexpr (kMovesLanes) {  // masks are counted where they are
    for (; at + kWidth <= n; at += kWidth) {
      below += hn::CountTrue(tag, hn::Lt(hn::LoadU(tag, keys + at), bounds));
    }
  } else {
    auto sums = hn::Zero(tag);
    for (; at + kWidth <= n; at += kWidth) {
      sums = hn::Sub(sums, hn::VecFromMask(tag, hn::Lt(hn::LoadU(tag, keys + at), bounds)));
    }
    below = static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(tag, sums)));
  }
  for (; at < n; ++at) { below += keys[at] < bound ? 1U : 0U; }
  return below;
}

/// A bound that `count` keys are below: between the ends of a range, in proportion to the keys
/// there; every third guess in its middle, which keys in heaps need.
template <class Key>
HWY_INLINE Key bound_of(const Key* keys, std::size_t n, std::size_t count) {
  Key low = 0;
  Key high = std::numeric_limits<Key>::max();
  std::size_t below_low = 0;
  std::size_t below_high = n;
  for (std::size_t step = 1;; ++step) {
    const Key length = high - low;
    Key guess = length / 2;
    if (step % 3 != 0) {
      const double share =
          static_cast<double>(count - below_low) / static_cast<double>(below_high - below_low);
      guess = std::clamp(static_cast<Key>(share * static_cast<double>(length)), Key{1},
                         static_cast<Key>(length - 1));
    }
    const Key bound = low + guess;
    const std::size_t below = count_below(keys, n, bound);
    if (below == count) { return bound; }
    if (below < count) {
      low = bound;
      below_low = below;
    } else {
      high = bound;
      below_high = below;
    }
  }
}

/// Keys below a bound to the front, which never passes the keys that are read, the others to
/// `room`; and the least of these.
template <class Key>
struct Division {
  Key* keys;
  Key* room;
  Key bound;
  std::size_t at = 0;
  std::size_t below = 0;
  Key least = std::numeric_limits<Key>::max();

  /// Whole vectors of n keys.
  HWY_INLINE void take_vectors(std::size_t n) {
    const KeyTag<Key> tag;
    constexpr std::size_t kWidth = hn::MaxLanes(KeyTag<Key>{});
    static_assert(kWidth <= kKeyRoom);
    const auto bounds = hn::Set(tag, bound);
    auto leasts = hn::Set(tag, least);
    for (; at + kWidth <= n; at += kWidth) {
      const auto part = hn::LoadU(tag, keys + at);
      const auto under = hn::Lt(part, bounds);
      leasts = hn::Min(leasts, hn::IfThenElse(under, leasts, part));
      hn::StoreU(hn::Compress(part, under), tag, keys + below);
      hn::StoreU(hn::CompressNot(part, under), tag, room + (at - below));
      below += hn::CountTrue(tag, under);
    }
    least = hn::GetLane(hn::MinOfLanes(tag, leasts));
  }

  /// Without branches, which keys would mispredict.
  HWY_INLINE void take(std::size_t n) {
    for (; at < n; ++at) {
      const Key key = keys[at];
      const bool under = key < bound;
      least = under ? least : std::min(least, key);
      keys[below] = key;
      room[at - below] = key;
      below += under ? 1U : 0U;
    }
  }
};

template <class Key>
Key halve_all(Key* keys, std::size_t n, std::size_t count, Key* room) {
  Division<Key> division{keys, room, bound_of(keys, n, count)};
  if constexpr (kMovesLanes) { division.take_vectors(n); }
  division.take(n);
  std::copy_n(room, n - count, keys + count);
  return division.least;
}

#endif  // LOGODDS_PLAIN_TARGET

void place_short(const double* column, const PlaceScale& scale, ShortKey* keys, std::size_t n) {
  place_all(column, scale, keys, n);
}

void place_long(const double* column, const PlaceScale& scale, LongKey* keys, std::size_t n) {
  place_all(column, scale, keys, n);
}

ShortKey halve_short(ShortKey* keys, std::size_t n, std::size_t count, ShortKey* room) {
  return halve_all(keys, n, count, room);
}

LongKey halve_long(LongKey* keys, std::size_t n, std::size_t count, LongKey* room) {
  return halve_all(keys, n, count, room);
}

}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(place_short);
HWY_EXPORT(place_long);
HWY_EXPORT(halve_short);
HWY_EXPORT(halve_long);

void place_keys(const double* column, const PlaceScale& scale, ShortKey* keys, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(place_short)(column, scale, keys, n);
}

void place_keys(const double* column, const PlaceScale& scale, LongKey* keys, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(place_long)(column, scale, keys, n);
}

ShortKey halve_keys(ShortKey* keys, std::size_t n, std::size_t count, ShortKey* room) {
  return HWY_DYNAMIC_DISPATCH(halve_short)(keys, n, count, room);
}

LongKey halve_keys(LongKey* keys, std::size_t n, std::size_t count, LongKey* room) {
  return HWY_DYNAMIC_DISPATCH(halve_long)(keys, n, count, room);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
