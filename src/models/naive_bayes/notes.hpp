// What the user should know about columns that fit badly.
#pragma once

#include <string>
#include <vector>

#include "models/naive_bayes/statistics.hpp"

namespace logodds::models::naive_bayes {

/// Variance within the classes over the mean: 1 for Poisson counts, and where every value is 0.
[[nodiscard]] double dispersion(const ColumnSummary& rows);

/// Columns that look like identifiers, and columns without a value in some class.
void note_columns(const NaiveStatistics& statistics, const Schema& schema,
                  std::vector<std::string>& notes);

}  // namespace logodds::models::naive_bayes
