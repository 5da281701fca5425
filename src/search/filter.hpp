// A filter in single precision through which every near row passes.
//
// With rows around a center, |x - y|^2 / 2 = |y|^2 / 2 - x.y + |x|^2 / 2: a product of matrices. In
// floats, u = 2^-24, the computed |y|^2 / 2 - x.y is off by at most
//
//   K (|y|^2 / 2 + |x| |y|)  <=  K (|y|^2 + |x|^2 / 2),  K = (2 d + 8) 1.05 u,
//
// as coordinates and half squares are rounded once and every term of the sum at most twice (Higham,
// Accuracy and Stability of Numerical Algorithms, section 3.1). The part of y is taken off
// |y|^2 / 2 beforehand, that of x is added to the limit.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/neighbors.hpp"
#include "logodds/data/design.hpp"

namespace logodds::search {

/// Some queries as a filter compares them.
struct FilterQueries {
  std::vector<float> rows;           ///< n x d
  std::vector<double> half_squares;  ///< |x|^2 / 2
  std::vector<float> limits;
};

class Filter {
 public:
  /// Points that are compared in one call.
  static constexpr std::size_t kTile = 1024;

  /// Of squared distances from these points.
  Filter(const DesignRows& points, int threads);

  /// False where a query is so far out that a float cannot tell.
  [[nodiscard]] bool encode(const DesignRows& queries, FilterQueries& out) const;
  /// From now on query q is only interested in squared distances up to `limit`.
  void set_limit(std::size_t q, double limit, FilterQueries& queries) const;
  /// The pairs of a query and a point first, ..., first + kTile - 1 that may be within the limits;
  /// `first` is a multiple of kTile, the pairs count the points from there.
  [[nodiscard]] std::size_t pairs(const FilterQueries& queries, std::size_t first,
                                  kernels::NearPair* out) const;

 private:
  void pack(const DesignRows& points, std::size_t first, std::size_t end);

  std::size_t d_;
  double error_;  ///< K
  std::vector<double> center_;
  double scale_ = 1.0;  ///< a power of 2 that brings the coordinates to [-1, 1]
  std::vector<float> panels_;
  std::vector<float> offsets_;  ///< |y|^2 / 2 less the error; infinite where a panel has no point
};

}  // namespace logodds::search
