// What becomes of each column of an Arrow table: numbers, levels or documents.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/arrow_batches.hpp"
#include "logodds/data/dictionary.hpp"
#include "logodds/data/source.hpp"

namespace logodds::arrow {

struct Plan {
  std::vector<SourceColumn> columns;
  std::vector<std::size_t> fields;     ///< where each column is found in the table
  std::vector<Dictionary> levels;      ///< of the bound schema, one a column
  std::vector<std::size_t> documents;  ///< where the columns of documents are found in the table
  std::vector<std::string> notes;
};

/// Every column of the table, by its type and the kind that it is given.
[[nodiscard]] Plan plan_table(const ArrowTable::Batches& batches, const ArrowLabels& labels);
/// The columns of a fitted schema, matched by name.
[[nodiscard]] Plan plan_bound(const ArrowTable::Batches& batches, const Schema& schema);

}  // namespace logodds::arrow
