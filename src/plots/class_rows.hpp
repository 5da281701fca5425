// The classes of rows, and what is drawn of them, for pictures that take rows with or without
// labels.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plots/support.hpp"

namespace logodds::plots {

/// Of every row of the source, in its order.
struct RowClasses {
  std::vector<std::int32_t> of_row;  ///< an index of `names`, or kNoClass
  std::vector<std::string> names;    ///< empty: the rows have no classes
  bool decided = false;              ///< they are the model's decisions, not labels
  [[nodiscard]] bool any() const { return !names.empty(); }
};
/// Their labels; where no row has one that the model knows, the decisions of a model that decides.
[[nodiscard]] RowClasses classes_of_rows(const PlotInput& input, const Context& context);
/// "colors: classes decided by the model", "12 rows have no class".
void add_class_notes(std::vector<std::string>& notes, const RowClasses& classes);

/// Calls `visit` with every block of the rows, from the first on; columns of numbers are dense.
void visit_rows(const PlotInput& input, const std::function<void(const RowBlock&)>& visit);

/// The columns of numbers of a schema, by name, in the order in which blocks hold them.
[[nodiscard]] std::vector<std::string> number_columns(const Schema& schema);

}  // namespace logodds::plots
