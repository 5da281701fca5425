// Which columns matter: how much worse a model gets when the values of one are shuffled.
#pragma once

#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/models/classifier.hpp"
#include "report/row_sample.hpp"

namespace logodds::report {

struct ColumnImportance {
  std::size_t column = 0;  ///< of the schema
  /// Mean over rows of ln p(truth | x) - ln p(truth | x with the value of another row): what the
  /// log loss grows by (Breiman, "Random forests", 2001; of the likelihood instead of the errors).
  double loss = 0.0;
  double standard_error = 0.0;  ///< of that mean over the rows
};

struct Importance {
  std::vector<ColumnImportance> columns{};  ///< those tried by themselves, most important first
  std::size_t rows = 0;                     ///< of the sample that each was tried on
  std::string left_out{};                   ///< a sentence about what was not tried, or empty
};

/// How many values are scored for it at the most, a value counted once for each class.
inline constexpr double kImportanceValues = 1e9;

/// Each column is shuffled by itself, where that costs no more than `most_values`. Where it would,
/// columns are shuffled in groups, and the groups that matter most are halved until they are single
/// columns: what matters little by a group of its like is not tried alone. No columns for a model
/// of one class.
[[nodiscard]] Importance column_importance(const Classifier& model, const RowSample& sample,
                                           const Context& context,
                                           double most_values = kImportanceValues);

}  // namespace logodds::report
