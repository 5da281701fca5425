// Which coefficients the rows tell: not those of constant columns, nor of columns that are sums of
// others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/linear/rows_view.hpp"

namespace logodds::models::linear {

struct Identifiability {
  /// A column that is a constant plus a linear combination of columns before it.
  struct Relation {
    std::size_t column = 0;
    std::vector<std::size_t> others;
    bool constant = false;  ///< the constant is not 0
  };

  std::vector<double> center{};       ///< means of the columns; 0 without an intercept
  std::vector<double> scale{};        ///< 1 / standard deviation around `center`; 1 where it is 0
  std::vector<bool> constant{};       ///< by column: always the same (without an intercept: 0)
  std::vector<bool> overflows{};      ///< by column: the squares are too large for a number
  std::vector<bool> underflows{};     ///< by column: it varies, but its squares are all 0
  std::vector<Relation> relations{};  ///< of columns that are not constant
  std::vector<std::size_t> kept{};    ///< the others, in their order: linearly independent

  /// Columns whose coefficients could be traded against each other; the last is the intercept.
  [[nodiscard]] std::vector<bool> involved() const;
};

/// A column counts as constant when its values differ by rounding only, and as a combination when
/// what is left of it is below 1e-9 of its standard deviation.
[[nodiscard]] Identifiability identify(const RowsView& rows, bool intercept);
/// Only columns whose values are all equal (of sparse rows: 0) are looked for, which takes a few
/// rows where there are none. `center`, `scale`, `overflows` and `underflows` stay empty.
[[nodiscard]] Identifiability identify_constants(const RowsView& rows, bool intercept);

/// Sentences that name them: "the column 'x' is constant: ...". `dropped`: the coefficients of
/// combinations are left out, as they are without a penalty.
[[nodiscard]] std::vector<std::string> identifiability_notes(const Identifiability& found,
                                                             const std::vector<std::string>& names,
                                                             bool dropped);

/// "'a', 'b' and 3 more"
[[nodiscard]] std::string quoted_names(const std::vector<std::string>& names,
                                       const std::vector<std::size_t>& which);

}  // namespace logodds::models::linear
