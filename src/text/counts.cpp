#include "logodds/text/counts.hpp"

namespace logodds {

std::string grouped(std::size_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t left = digits.size(); left > 3; left -= 3) { digits.insert(left - 3, ","); }
  return digits;
}

}  // namespace logodds
