// Three and more classes in single precision: scores, posteriors and the gradient in one pass over
// the rows. A tile of rows is made floats and turned in the cache.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax_single.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/scratch.hpp"
#include "kernels/single_tiles-inl.hpp"
#include "kernels/softmax_single.hpp"
#include "kernels/softmax_tiles-inl.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::softmax_add_single;

#else

/// Rows whose products are added up as floats, in every lane by itself.
constexpr std::size_t kMostRows = 16 * kSingleRows;

/// The rows of a call.
struct SingleRows {
  const double* x;
  std::size_t n;
  std::size_t stride;
  const double* scale;
  const double* shift;  ///< d: - center x scale
  const std::int32_t* labels;
  const double* weights;
  SingleTiles tiles;
  const PairPicking<float>* picking;
};

/// How many rows stand for one of those that are picked from.
double picking_factor(std::size_t n, const PairPicks* picks) {
  if (picks == nullptr) { return 1.0; }
  std::size_t looked_at = 0;
  for (std::size_t begin = 0; begin < n; begin += picks->every * kSingleRows) {
    looked_at += std::min(kSingleRows, n - begin);
  }
  return static_cast<double>(n) / static_cast<double>(std::max<std::size_t>(looked_at, 1));
}

/// What follows the tile of rows from `begin` on.
HWY_INLINE NextTile tile_after(const SingleRows& rows, std::size_t d, std::size_t begin) {
  const std::size_t next = begin + kSingleRows;
  if (rows.tiles.there && next < rows.n) {
    return {reinterpret_cast<const double*>(rows.tiles.data + next * d), kSingleRows / 2};
  }
  if (rows.stride == d && next + kSingleRows <= rows.n) { return {rows.x + next * d, kSingleRows}; }
  return {};
}

/// The rows from `first` on, at most kMostRows: their sums are added to the gradient.
HWY_INLINE double add_rows(TileWork<float> work, const SingleRows& rows, std::size_t first,
                           double* gradient) {
  clear_sums(work);
  double loss = 0.0;
  for (std::size_t begin = first; begin < std::min(rows.n, first + kMostRows);
       begin += kSingleRows) {
    const std::size_t count = std::min(kSingleRows, rows.n - begin);
    set_labels(work, rows.labels + begin, rows.weights != nullptr ? rows.weights + begin : nullptr,
               count);
    work.first = begin;
    work.picking = rows.picking->picks_from(begin / kSingleRows) ? rows.picking : nullptr;
    if (rows.tiles.data != nullptr) { work.tile = rows.tiles.data + begin * work.d; }
    if (!rows.tiles.there) {
      fill_tile_of_singles(rows.x + begin * rows.stride, count, rows.stride, work.d, rows.scale,
                           rows.shift, work.tile);
    }
    loss += add_tile(work, tile_after(rows, work.d, begin));
  }
  add_sums(work, gradient);
  return loss;
}

double softmax_add_single(const double* rows, std::size_t n, std::size_t stride,
                          const SingleMap& map, const std::int32_t* labels, const double* weights,
                          double* gradient, const SingleTiles& tiles, PairPicks* picks) {
  const TileTables<float> tables(map.d, map.k, map.coefficients, map.bias);
  const PairPicking<float> picking(map.k, picks, picking_factor(n, picks));
  const Scratch shift(map.d);
  for (std::size_t i = 0; i < map.d; ++i) { shift.data()[i] = -map.center[i] * map.scale[i]; }
  const SingleRows all{rows, n, stride, map.scale, shift.data(), labels, weights, tiles, &picking};
  double loss = 0.0;
  for (std::size_t first = 0; first < n; first += kMostRows) {
    loss += add_rows(tables.work(), all, first, gradient);
  }
  picking.finish();
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
                          double* gradient, const SingleTiles& tiles, PairPicks* picks) {
  return HWY_DYNAMIC_DISPATCH(softmax_add_single)(rows, n, stride, map, labels, weights, gradient,
                                                  tiles, picks);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
