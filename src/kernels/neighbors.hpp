// Which rows may be near: a filter in single precision, twice as fast as distances in double.
//
// Layout first: `queries` is row-major, n x d, row q at queries + q * stride. Points stand in
// panels of kPanelPoints, element i of point p of a panel at panel[i * kPanelPoints + p].
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// Points of a panel: floats of one cache line.
inline constexpr std::size_t kPanelPoints = 16;

/// A query and a point, by their numbers in a call.
struct NearPair {
  std::uint16_t query;
  std::uint16_t point;
};

/// What a call compares; n and the points of all panels are below 65536.
struct NearInput {
  const float* queries;
  std::size_t n;
  std::size_t stride;
  const float* limits;  ///< of the queries, n
  const float* panels;
  const float* offsets;     ///< of the points, panel_count * kPanelPoints
  std::size_t panel_count;  ///< even
  std::size_t d;
};

/// Writes the pairs with  offset_p - sum_i query_qi point_pi <= limit_q  to `pairs`, which has room
/// for all of them, and returns how many these are. The left side is computed with one or two
/// roundings a term: it is off by at most 2 d u (|offset| + sum |query point|), u = 2^-24, to first
/// order, and by what underflows. Pairs within that error, and the order of all, depend on the
/// level.
[[nodiscard]] std::size_t near_pairs(const NearInput& input, NearPair* pairs);

/// How distances add up: sum_i (x_i - y_i)^2, or sum_i |x_i - y_i|.
enum class Measure : std::uint8_t { squares, absolutes };

/// out[q * m + p] = sum_i |query_qi - point_pi|, as squared_distances() of kernels.hpp sums
/// squares.
void absolute_distances(const double* queries, std::size_t n, std::size_t query_stride,
                        const double* points, std::size_t m, std::size_t point_stride,
                        std::size_t d, double* out);

namespace reference {
[[nodiscard]] std::size_t near_pairs(const NearInput& input, NearPair* pairs);
void absolute_distances(const double* queries, std::size_t n, std::size_t query_stride,
                        const double* points, std::size_t m, std::size_t point_stride,
                        std::size_t d, double* out);
}  // namespace reference

}  // namespace logodds::kernels
