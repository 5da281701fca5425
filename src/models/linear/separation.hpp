// What is said when classes are separable, and there is no penalty that bounds the coefficients.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/error.hpp"

namespace logodds::models::linear {

/// A direction along which the rows of one class lie on one side of those of another, or on the
/// boundary: the likelihood rises along it without end.
struct SeparatingDirection {
  std::string high;             ///< the class on the side to which it points
  std::string low;              ///< the other
  std::vector<double> weights;  ///< of the standardised features
  bool proven = true;           ///< else some rows lie on the wrong side, by little
};

/// "-0.81 'age' + 0.41 'height' + ...": up to four features, those with the largest weights first,
/// in a vector of length 1.
[[nodiscard]] std::string direction_text(std::span<const double> weights,
                                         const std::vector<std::string>& features);

/// Names the features that weigh most and proposes a decay.
[[nodiscard]] Error separation_error(const SeparatingDirection& direction,
                                     const std::vector<std::string>& features);

/// Whether a loss is next to nothing beside that of the shares of the classes alone, - sum_k W_k ln
/// (W_k / W): the classes are separable, or nearly so.
[[nodiscard]] bool nearly_separable(double loss, std::span<const std::int32_t> labels,
                                    const double* weights);

}  // namespace logodds::models::linear
