// The two nearest centers of rows, in floats: a filter whose error is known; conventions as in
// kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// Centers are padded to a multiple of this, so that lanes are centers at every level.
inline constexpr std::size_t kCenterLanes = 16;

/// Centers by column: coordinate i of center c stands at values[i * stride + c]. half_norms holds
/// |c|^2 / 2. From `count` on to `stride`, a multiple of kCenterLanes, values are 0 and half norms
/// large. Both at multiples of 64 bytes.
struct FloatCenters {
  const float* values;
  const float* half_norms;
  std::size_t count;
  std::size_t stride;
  std::size_t d;
};

/// What is known of a row: g_c = |c|^2 / 2 - x.c is half of |x - c|^2 - |x|^2. The smallest g, the
/// next one, and which center has the smallest (any of several equal ones).
struct NearestTwo {
  float best;
  float second;
  std::int32_t center;
};

/// out[m] for the rows with the n numbers `members`, row r at rows + r * d. The error of every g is
/// at most (d + 2) 2^-24 (|c|^2 / 2 + sum_i |x_i c_i|) 1.01, if nothing overflows or vanishes.
void nearest_two(const float* rows, const std::uint32_t* members, std::size_t n,
                 const FloatCenters& centers, NearestTwo* out);

/// The numbers of the rows (from 0) for which sums[labels[r]] < limits[r] does not hold, ascending;
/// returns how many. `out` has room for n + 16.
std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out);

namespace reference {

void nearest_two(const float* rows, const std::uint32_t* members, std::size_t n,
                 const FloatCenters& centers, NearestTwo* out);
std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out);

}  // namespace reference

}  // namespace logodds::kernels
