// Whether the likelihood of softmax regression has a maximum: it has none when a direction
// separates classes (Albert & Anderson, Biometrika 71, 1984).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/linear/separation.hpp"
#include "models/softmax/curvature.hpp"

namespace logodds::models::softmax {

/// Rows of a separating boundary itself: their margin at most, as a share of the largest.
inline constexpr double kLevel = 1e-6;

/// A direction d, tested on every row: (d_t - d_k) . x >= 0, to rounding, for the class t of the
/// row and every other class k, and somewhere greater; or, not proven, one along which coefficients
/// grow where a decay of the standardised columns becomes ever smaller. Nothing where there is
/// none. `at` is where an optimiser of the bare likelihood ended, `around` its curvature there.
[[nodiscard]] std::optional<linear::SeparatingDirection> find_separation(
    const FitRows& rows, const Scores& at, const linear::Identifiability& columns, bool intercept,
    bool converged, const Curvature& around, const std::vector<std::string>& labels);

/// `at` itself, where it gives every row a larger score for its class than for any other.
[[nodiscard]] std::optional<linear::SeparatingDirection> complete_separation(
    const FitRows& rows, const Scores& at, const std::vector<std::string>& labels);

}  // namespace logodds::models::softmax
