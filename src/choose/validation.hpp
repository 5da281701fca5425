// Rows held out, fold by fold: what cross-validation and comparisons share.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "choose/fold_models.hpp"
#include "choose/held_out.hpp"

namespace logodds::choose {

/// How rows are held out.
struct Plan {
  std::size_t folds = 10;
  bool leave_one_out = false;
  std::size_t repeats = 1;
};

/// A table whose rows stand fold by fold, in each in the order in which they came.
struct FoldedTable {
  Table table;
  std::vector<RowRange> folds;
  std::vector<std::size_t> order;  ///< of row r of `table`, its number in the table it was made of
};

/// Throws Error(usage) when a class has fewer rows than a plan needs, with the cure.
void check_plan(const Plan& plan, const Table& table);
/// The folds of one repeat.
[[nodiscard]] FoldedTable fold_table(const Table& table, const Plan& plan, std::uint64_t seed,
                                     std::size_t repeat);

/// One combination of options on one fold: a failure, or nothing when `sink` got every row.
using FoldSink = std::function<void(std::size_t point, std::size_t fold, const HeldOut&)>;

/// Fits `family` under each of `points` without each fold and hands what it says of the fold's rows
/// to `sink`, which is called by many threads, for one point and fold by one at a time. Gives why
/// a point could not be fitted in a fold, points x folds, empty where it could. Only numbers can
/// fail so: other errors are thrown.
[[nodiscard]] std::vector<std::string> hold_out(const FamilyRecord& family,
                                                std::span<const Options> points,
                                                const FoldedTable& rows, bool leave_one_out,
                                                const Scoreable& wanted, const Context& context,
                                                const FoldSink& sink);

}  // namespace logodds::choose
