// Coordinates in which a two-class likelihood is well conditioned, and the columns that it tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logodds/data/design.hpp"

namespace logodds::models::binary {

/// What the rows are brought into coordinates with.
struct CoordinateWish {
  bool intercept = true;     ///< columns are centred, and a column of ones is the last coordinate
  double decay = 0.0;        ///< times the sum of squared coefficients
  bool standardize = false;  ///< of the coefficients of standardized columns
  int threads = 1;
};

/// z = A^T (x - center), and 1 for the intercept: eta = beta . z means the coefficients A beta in
/// the user's units. With R of the QR factorisation of the centred rows, the penalty's rows below
/// them, A = R^-1 sqrt(weight): so the Hessian is near a multiple of the identity, whatever the
/// units of the columns and however they correlate.
struct Coordinates {
  std::size_t columns = 0;      ///< D
  std::size_t size = 0;         ///< M: independent columns, and the intercept
  bool intercept = true;        ///< the last coordinate is it
  std::vector<double> center;   ///< D, all 0 without an intercept
  std::vector<double> spread;   ///< D: standard deviations (around the center)
  std::vector<double> matrix;   ///< A, D x M row-major
  std::vector<double> penalty;  ///< M x M: the decay is beta . penalty . beta
  std::vector<double> inverse;  ///< M x D row-major: beta of coefficients in the user's units
  /// D: 0 for a constant column (with an intercept) and, without a decay, for a column that is a
  /// linear combination of others before it; its coefficient is 0.
  std::vector<std::int32_t> identifiable;
  /// For each column, if it is left out, the columns that it is made of (none: it is constant).
  std::vector<std::vector<std::size_t>> made_of;

  /// Z, n x M row-major.
  [[nodiscard]] std::vector<double> apply(const DesignRows& rows) const;
  /// A beta.
  [[nodiscard]] std::vector<double> in_user_units(const std::vector<double>& beta) const;
  /// The other way; what belongs to columns that are left out is lost.
  [[nodiscard]] std::vector<double> from_user_units(const std::vector<double>& coefficients,
                                                    double intercept_at_center) const;
};

/// `weights`: one a row, or null.
[[nodiscard]] Coordinates coordinates_for(const DesignRows& rows, const double* weights,
                                          const CoordinateWish& wish);

}  // namespace logodds::models::binary
