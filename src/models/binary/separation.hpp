// Classes that a linear function tells apart: without a decay no coefficients are best.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/binary/coordinates.hpp"
#include "models/binary/objective.hpp"

namespace logodds::models::binary {

/// A direction along which the likelihood grows for ever, in the optimiser's coordinates.
struct Separation {
  std::vector<double> direction;
  bool complete = true;  ///< false: some rows lie on the boundary
};

/// At the end of a fit without decay. Complete separation is proved by the values of eta: those of
/// one class all lie above those of the other. If there is only quasi-complete separation, Newton's
/// step (`step`, from the last iterate) still leads on, and takes no row to the wrong side (Albert
/// & Anderson, Biometrika 71, 1984).
[[nodiscard]] std::optional<Separation> separation(const BinaryObjective& objective,
                                                   const Problem& problem, bool intercept,
                                                   const std::vector<double>& beta,
                                                   const std::vector<double>& step);

/// "0.71 age + 0.7 height=tall": up to four columns with the largest coefficients, which are those
/// of standardized columns in a vector of length 1.
[[nodiscard]] std::string direction_text(const Coordinates& coordinates,
                                         const std::vector<std::string>& names,
                                         const std::vector<double>& direction);

}  // namespace logodds::models::binary
