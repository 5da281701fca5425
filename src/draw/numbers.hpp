// Numbers as files of pictures hold them.
#pragma once

#include <string>

namespace logodds::draw {

/// At most two decimals, the last one not 0: "12.5", "-3". A hundredth of a page unit is seen by
/// nobody, and keeps bytes from depending on the last bits of a computation.
void append_coordinate(std::string& out, double value);
[[nodiscard]] std::string coordinate(double value);

}  // namespace logodds::draw
