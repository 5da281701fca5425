#include "logodds/measure/weights.hpp"

#include <string>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"

namespace logodds::measure {

void check_weights(const RowBuffer& rows, const BlockSource& source) {
  for (std::size_t r = 0; r < rows.weights.size(); ++r) {
    const double weight = rows.weights[r];
    const bool small = weight != 0.0 && weight < kLeastWeight;
    if (!small && weight <= kLargestWeight) { continue; }
    throw Error(ErrorCode::input,
                source.place(rows.row_number(r)) + ": the weight " + format_number(weight) +
                    " is too " + (small ? "small" : "large") + " to be squared and added up; " +
                    (small ? "multiply" : "divide") +
                    " all weights by a constant that brings them near 1");
  }
}

}  // namespace logodds::measure
