// The nearest centers of rows, in floats whose error is known; conventions as in kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// Centers by column: coordinate i of center c stands at values[i * count + c], |c|^2 / 2 at
/// half_norms[c].
struct FloatCenters {
  const float* values;
  const float* half_norms;
  std::size_t count;
  std::size_t d;
};

/// An upper bound of the error of |c|^2 / 2 - x.c for any center: constant + per_length |x|.
struct FloatMargin {
  float constant;
  float per_length;
};

/// Of the rows with the n numbers `members`, row r at rows + r * centers.d and at most lengths[r]
/// long: nearest[m] is the nearest center, and nearer than any other by at least gaps[m], if this
/// is above 0; else floats do not tell. By g_c = |c|^2 / 2 - x.c, which is half of |x - c|^2 -
/// |x|^2. Its error here is at most (d + 2) 2^-24 1.01 (|c|^2 / 2 + sum_i |x_i c_i|), if nothing
/// overflows or vanishes; `margin` must hold that and what the rounding of rows and centers to
/// floats adds.
void nearest_centers(const float* rows, const float* lengths, const std::uint32_t* members,
                     std::size_t n, const FloatCenters& centers, const FloatMargin& margin,
                     std::int32_t* nearest, float* gaps);

/// Room that unsettled_rows() needs behind its result.
inline constexpr std::size_t kUnsettledRoom = 16;

/// The numbers of the rows (from 0) for which sums[labels[r]] < limits[r] does not hold, ascending;
/// returns how many. `out` has room for n + kUnsettledRoom.
std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out);

namespace reference {

void nearest_centers(const float* rows, const float* lengths, const std::uint32_t* members,
                     std::size_t n, const FloatCenters& centers, const FloatMargin& margin,
                     std::int32_t* nearest, float* gaps);
std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out);

}  // namespace reference

/// What roundings may take from a gap, as a share.
inline constexpr float kGapSlack = 1e-5F;

}  // namespace logodds::kernels
