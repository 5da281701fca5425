#include "logodds/decide/decide.hpp"

#include <algorithm>

namespace logodds::decide {

std::size_t argmax(std::span<const double> posteriors) {
  return static_cast<std::size_t>(std::max_element(posteriors.begin(), posteriors.end()) -
                                  posteriors.begin());
}

}  // namespace logodds::decide
