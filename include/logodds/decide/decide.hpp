// Posteriors to decisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace logodds::decide {

/// `map`: the largest posterior. `likelihood`: the largest p(x | C_k), as if all priors were equal.
enum class Rule : std::uint8_t { map, likelihood };

/// Index of the largest posterior; ties go to the class that comes first in the label order.
[[nodiscard]] std::size_t argmax(std::span<const double> posteriors);

}  // namespace logodds::decide
