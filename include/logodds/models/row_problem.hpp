// A value that a model cannot take, found where rows have numbers but no names yet.
#pragma once

#include <cstddef>
#include <string>

namespace logodds {

/// Thrown by a statistic or a discriminant; who knows where row `row` of the block stands makes an
/// Error of it: "data.csv, line 7, column 'visits': '-1' is not a count; ...".
struct RowProblem {
  std::size_t row = 0;
  std::string column;  ///< empty: the whole row, and `value` says nothing
  double value = 0.0;
  std::string sentence;  ///< "is not positive; ..."
};

}  // namespace logodds
