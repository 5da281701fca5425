// Counts for people.
#pragma once

#include <cstddef>
#include <string>

namespace logodds {

/// With commas between thousands: "1,234,567".
[[nodiscard]] std::string grouped(std::size_t value);

}  // namespace logodds
