// Rows for pictures and reports, as Python gives them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "arrow.hpp"
#include "given_rows.hpp"
#include "model.hpp"

namespace logodds::binding {

/// An array, a table or other rows, and codes of the schema's labels.
class RowsToShow {
 public:
  /// Each may be None.
  RowsToShow(const nanobind::object& rows, std::optional<Labels> labels);

  [[nodiscard]] bool any() const { return array_ || table_ || given_ != nullptr; }
  /// From the first row on, read against the schema.
  [[nodiscard]] std::unique_ptr<BlockSource> open(const Schema& schema) const;

 private:
  [[nodiscard]] std::size_t count() const;
  std::optional<Features> array_{};
  std::optional<ArrowTable> table_{};
  const GivenRows* given_ = nullptr;
  std::optional<Labels> labels_;
};

}  // namespace logodds::binding
