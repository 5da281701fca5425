// Rows that are neither an array of numbers nor a table: documents, and sparse matrices.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "training_rows.hpp"

namespace logodds::binding {

/// Python's objects, held, and how they are opened as a source of blocks.
class GivenRows {
 public:
  GivenRows() = default;
  GivenRows(const GivenRows&) = delete;
  GivenRows(GivenRows&&) = delete;
  GivenRows& operator=(const GivenRows&) = delete;
  GivenRows& operator=(GivenRows&&) = delete;
  virtual ~GivenRows() = default;

  [[nodiscard]] virtual std::size_t count() const = 0;
  /// To train on. `missing`: a missing value is one, else it is refused.
  [[nodiscard]] virtual std::unique_ptr<BlockSource> open(const RowLabels& given,
                                                          bool missing) const = 0;
  /// To be scored, without labels.
  [[nodiscard]] virtual std::unique_ptr<BlockSource> open(const Schema& schema,
                                                          bool missing) const = 0;
};

}  // namespace logodds::binding
