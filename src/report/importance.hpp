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

/// The most important first. Each column is tried on the first `rows` rows of the sample, so many
/// that some 100,000 rows are scored in all. Empty for a model of one class, or without rows.
[[nodiscard]] std::vector<ColumnImportance> column_importance(const Classifier& model,
                                                              const RowSample& sample,
                                                              const Context& context);

}  // namespace logodds::report
