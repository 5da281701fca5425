// Distances of one query from the points of a leaf or the boxes below a node (lanes are these).
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tree_nodes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/neighbors.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::box_distances;
using reference::leaf_distances;

#else

/// Stores the sums; a bit for each that is not above the limit.
template <std::size_t Count>
HWY_INLINE std::uint32_t store_near(const Vector (&sums)[Count], double limit, double* distances) {
  const Vector most = hn::Set(kTag, limit);
  auto any = hn::Le(sums[0], most);
  for (std::size_t v = 1; v < Count; ++v) { any = hn::Or(any, hn::Le(sums[v], most)); }
  if (hn::AllFalse(kTag, any)) { return 0; }
  std::uint32_t near = 0;
  for (std::size_t v = 0; v < Count; ++v) {
    hn::StoreU(sums[v], kTag, distances + v * kLanes);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(kTag, hn::Le(sums[v], most), bits);
    near |= std::uint32_t{bits[0]} << (v * kLanes);
  }
  return near;
}

template <Measure M>
HWY_INLINE Vector term(Vector off) {
  return M == Measure::squares ? hn::Mul(off, off) : hn::Abs(off);
}

template <Measure M>
HWY_INLINE std::uint32_t leaf_by(const double* query, const double* leaf, std::size_t d,
                                 double limit, double* distances) {
  constexpr std::size_t kVectors = kLeafPoints / kLanes;
  Vector sums[kVectors];
  const Vector first = hn::Set(kTag, query[0]);
  for (std::size_t v = 0; v < kVectors; ++v) {
    sums[v] = term<M>(hn::Sub(first, hn::LoadU(kTag, leaf + v * kLanes)));
  }
  for (std::size_t i = 1; i < d; ++i) {
    const Vector x = hn::Set(kTag, query[i]);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Vector y = hn::LoadU(kTag, leaf + i * kLeafPoints + v * kLanes);
      sums[v] = hn::Add(sums[v], term<M>(hn::Sub(x, y)));
    }
  }
  return store_near(sums, limit, distances);
}

/// The larger of two; where one of them is NaN, that is known to be the first.
HWY_INLINE Vector larger(Vector a, Vector b) { return hn::IfThenElse(hn::Lt(a, b), b, a); }

template <Measure M>
HWY_INLINE std::uint32_t boxes_by(const double* query, const double* boxes, std::size_t d,
                                  double limit, double* distances) {
  Vector sums[kNodeBoxes / kLanes];
  for (Vector& sum : sums) { sum = hn::Zero(kTag); }
  for (std::size_t i = 0; i < d; ++i) {
    const Vector x = hn::Set(kTag, query[i]);
    for (std::size_t v = 0; v < kNodeBoxes / kLanes; ++v) {
      const double* const box = boxes + 2 * i * kNodeBoxes + v * kLanes;
      const Vector below = hn::Sub(hn::LoadU(kTag, box), x);
      const Vector above = hn::Sub(x, hn::LoadU(kTag, box + kNodeBoxes));
      sums[v] = hn::Add(sums[v], term<M>(larger(larger(below, above), hn::Zero(kTag))));
    }
  }
  return store_near(sums, limit, distances);
}

std::uint32_t leaf_distances(const double* query, const double* leaf, std::size_t d,
                             Measure measure, double limit, double* distances) {
  return measure == Measure::squares
             ? leaf_by<Measure::squares>(query, leaf, d, limit, distances)
             : leaf_by<Measure::absolutes>(query, leaf, d, limit, distances);
}

std::uint32_t box_distances(const double* query, const double* boxes, std::size_t d,
                            Measure measure, double limit, double* distances) {
  return measure == Measure::squares
             ? boxes_by<Measure::squares>(query, boxes, d, limit, distances)
             : boxes_by<Measure::absolutes>(query, boxes, d, limit, distances);
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(box_distances);
HWY_EXPORT(leaf_distances);

std::uint32_t leaf_distances(const double* query, const double* leaf, std::size_t d,
                             Measure measure, double limit, double* distances) {
  return HWY_DYNAMIC_DISPATCH(leaf_distances)(query, leaf, d, measure, limit, distances);
}

std::uint32_t box_distances(const double* query, const double* boxes, std::size_t d,
                            Measure measure, double limit, double* distances) {
  return HWY_DYNAMIC_DISPATCH(box_distances)(query, boxes, d, measure, limit, distances);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
