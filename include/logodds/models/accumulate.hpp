// One pass over a source: blocks to statistics, in fixed lanes, with dictionaries that grow.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/models/row_problem.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds {

/// Lanes of a pass over a source with these columns. A property of the data, never of the machine.
/// Wide tables and documents have large statistics, so they get fewer.
[[nodiscard]] std::size_t lanes_for(std::size_t columns);
[[nodiscard]] std::size_t lanes_for(const std::vector<SourceColumn>& columns);
[[nodiscard]] std::size_t lanes_for(const Schema& schema);

/// The labels, levels and facts that one lane has met; turns a block's own codes into the lane's.
class LaneDictionary {
 public:
  /// `sparse`: the source hands out sparse rows.
  explicit LaneDictionary(const BlockSource& source, bool sparse = false);
  /// Takes the block's facts. False once a value was no number in a column read as numbers: the
  /// pass then only looks for other such columns, because the rows have to be read again.
  bool note_facts(const RowBuffer& buffer);
  /// Rewrites the codes of `buffer` from its own dictionaries to the lane's, and counts its rows.
  void adopt(RowBuffer& buffer);
  [[nodiscard]] Shape shape() const;

  /// Adds what this lane knows of the columns.
  void merge_facts(std::vector<ColumnFacts>& into) const;

  Dictionary labels;
  std::vector<Dictionary> levels;
  std::vector<double> label_weights;  ///< sum of the weights of the rows, by code in `labels`
  std::size_t rows = 0;
  std::size_t rows_skipped = 0;

 private:
  void count_labels(const RowBuffer& buffer);
  void note_sparse(const RowBuffer& buffer);
  std::vector<ColumnFacts> facts_;  ///< of dense columns
  /// Of sparse columns, of which there may be millions: kNoBinary and kNoCount.
  std::vector<std::uint8_t> sparse_facts_;
  std::size_t numeric_ = 0;
  bool contradicted_ = false;
};

/// What all lanes met together.
struct Discovery {
  Schema schema;
  std::vector<Recoding> recodings;  ///< one a lane
  std::vector<double> class_weights;
  std::size_t rows = 0;
  std::size_t rows_skipped = 0;
};

/// The schema of all lanes and the way from each lane's codes to it. Columns in which a value
/// turned out to be no number are reported in `contradicted` instead, and the rest is empty. A
/// column of `known` (null: none is) may be without a value.
[[nodiscard]] Discovery unify(const BlockSource& source,
                              const std::vector<std::unique_ptr<LaneDictionary>>& lanes,
                              const Schema* known, std::vector<std::size_t>& contradicted);

/// Drops rows that lack a value, or throws when they are not wanted; returns how many.
std::size_t drop_incomplete(RowBuffer& buffer, const BlockSource& source, MissingRows missing);
/// "data.csv, line 7, column 'a': 'x' is not a number": why a column is read as levels after all.
[[nodiscard]] std::string why_coded(const BlockSource& source, std::size_t column,
                                    const std::vector<std::unique_ptr<LaneDictionary>>& lanes);
/// Throws when a family cannot use a column: unless `identifiers_fit`, a level for nearly every row
/// (an identifier). `reasons` are sentences of why_coded(), which may be the cause.
void check_columns_usable(const Schema& schema, std::size_t rows,
                          const std::vector<std::string>& reasons, bool identifiers_fit);
/// Throws Error(usage) when there is a column of documents, before a row is read.
void check_no_text(const BlockSource& source);
/// A statistic that counts words says so.
template <class S>
[[nodiscard]] constexpr bool takes_text() {
  if constexpr (requires { S::kTakesText; }) { return S::kTakesText; }
  return false;
}
/// A statistic that takes RowBlock::sparse says so.
template <class S>
[[nodiscard]] constexpr bool takes_sparse() {
  if constexpr (requires { S::kTakesSparse; }) { return S::kTakesSparse; }
  return false;
}
/// A statistic that takes rows without a label (kMissingCode) says so.
template <class S>
[[nodiscard]] constexpr bool takes_unlabeled() {
  if constexpr (requires { S::kTakesUnlabeled; }) { return S::kTakesUnlabeled; }
  return false;
}
/// Throws Error(input) for the first row without a label, where the rows have labels at all.
void check_labels(const RowBuffer& buffer, const BlockSource& source);
/// A statistic whose size is that of the levels, and not its square, says so and may have many.
template <class S>
[[nodiscard]] constexpr bool identifiers_fit() {
  if constexpr (requires { S::kIdentifiersFit; }) { return S::kIdentifiersFit; }
  return false;
}
/// "data.csv, line 7, column 'visits': '-1' is not a count"
[[noreturn]] void throw_at_place(const BlockSource& source, const RowBuffer& buffer,
                                 const RowProblem& problem);
/// Throws when a statistic of so many doubles is too large to keep, before it is allocated.
void check_size(std::size_t doubles, const Shape& shape, const BlockSource& source,
                const std::vector<std::string>& reasons);
/// Throws the error of a column that was read as numbers and cannot be read again as levels.
[[noreturn]] void throw_contradiction(const BlockSource& source, std::size_t column,
                                      const std::vector<std::unique_ptr<LaneDictionary>>& lanes);

/// A statistic that adds up nothing but whole numbers says so: it comes out the same, bit for bit,
/// however rows without weights are dealt to lanes.
template <class S>
[[nodiscard]] bool exact(const S& statistic, const BlockSource& source) {
  if constexpr (requires { statistic.exact(); }) { return statistic.exact() && !source.weighted(); }
  return false;
}
/// Of a statistic that is exact: no more than there are threads, because each costs memory.
[[nodiscard]] std::size_t lanes_for_threads(int threads);

/// An empty statistic that has been told which columns the source has, if it asks.
template <class S>
[[nodiscard]] S bound_to(const BlockSource& source, S statistic) {
  if constexpr (requires { statistic.bind(source.columns()); }) {
    statistic.bind(source.columns());
  }
  return statistic;
}

template <class S>
struct Accumulated {
  S statistics;
  Schema schema;
  FitReport report;
};

/// source.take(), which tells how far it has come. Both must outlive it.
[[nodiscard]] std::function<bool(RowBuffer&)> taking_rows(BlockSource& source,
                                                          const Context& context);

/// The statistics of all labelled rows of `source`. `start` is the empty statistic; incomplete rows
/// are dropped unless `takes_missing`. `known`: the columns of a model that the rows are meant for.
template <class S>
Accumulated<S> accumulate(BlockSource& source, const S& start, bool takes_missing,
                          MissingRows missing, const Context& context,
                          const Schema* known = nullptr) {
  if (!takes_text<S>()) { check_no_text(source); }
  const bool sparse = takes_sparse<S>() && source.keep_sparse();
  if (takes_unlabeled<S>()) { source.keep_unlabeled(); }
  std::vector<std::string> reasons;  // why columns are coded that looked like numbers
  for (;;) {
    const S empty = bound_to(source, start);
    const bool any_order = exact(empty, source);
    const std::size_t lanes =
        any_order ? lanes_for_threads(context.threads) : lanes_for(source.columns());
    std::vector<S> statistics(lanes, empty);
    std::vector<std::unique_ptr<LaneDictionary>> dictionaries;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      dictionaries.push_back(std::make_unique<LaneDictionary>(source, sparse));
    }
    const auto take = taking_rows(source, context);
    const auto parse = [&](RowBuffer& buffer) { source.parse(buffer); };
    const auto add = [&](RowBuffer& buffer, std::size_t lane) {
      auto& dictionary = *dictionaries[lane];
      if (!takes_unlabeled<S>()) { check_labels(buffer, source); }
      if (!dictionary.note_facts(buffer)) { return; }
      if (!takes_missing) { dictionary.rows_skipped += drop_incomplete(buffer, source, missing); }
      dictionary.adopt(buffer);
      const Shape shape = dictionary.shape();
      check_size(statistics[lane].size_for(shape), shape, source, reasons);
      try {
        statistics[lane].add(buffer.view(), shape);
      } catch (const RowProblem& problem) { throw_at_place(source, buffer, problem); }
    };
    if (any_order) {
      const int threads = std::min(context.threads, static_cast<int>(lanes));
      parallel::run_blocks_by_thread<RowBuffer>(threads, take, parse, add);
    } else {
      parallel::run_blocks<RowBuffer>(context.threads, lanes, take, parse, add);
    }
    std::vector<std::size_t> contradicted;
    Discovery found = unify(source, dictionaries, known, contradicted);
    if (!contradicted.empty()) {
      if (!source.restart_with_coded(contradicted)) {
        throw_contradiction(source, contradicted.front(), dictionaries);
      }
      for (const auto column : contradicted) {
        reasons.push_back(why_coded(source, column, dictionaries));
      }
      continue;
    }
    check_columns_usable(found.schema, found.rows, reasons, identifiers_fit<S>());
    const Shape shape = shape_of(found.schema);
    check_size(empty.size_for(shape), shape, source, reasons);
    constexpr bool kJoins = requires { S::join(std::span(statistics), context.threads); };
    parallel::run_lanes(context.threads, lanes, [&](std::size_t lane) {
      if constexpr (!kJoins && requires { statistics[lane].finish(); }) {
        statistics[lane].finish();
      }
      statistics[lane].recode(found.recodings[lane]);
    });
    if constexpr (kJoins) { S::join(std::span(statistics), context.threads); }
    std::vector<char> holds_rows;  // by lane: of its own, or of those that were merged into it
    for (const auto& dictionary : dictionaries) { holds_rows.push_back(dictionary->rows > 0); }
    for (std::size_t step = 1; step < lanes; step *= 2) {  // pairs, then pairs of pairs
      parallel::run_lanes(context.threads, lanes / (2 * step), [&](std::size_t pair) {
        const std::size_t lane = 2 * step * pair;
        if (holds_rows[lane + step] != 0) {
          statistics[lane].merge(statistics[lane + step]);
          holds_rows[lane] = 1;
        }
        statistics[lane + step] = empty;
      });
    }
    auto notes = source.notes();
    for (const auto& reason : reasons) {
      notes.push_back(reason + ", so the column is read as levels");
    }
    FitReport report{.rows = found.rows,
                     .rows_skipped = found.rows_skipped,
                     .weight = statistics[0].weight(),
                     .notes = std::move(notes),
                     .class_weights = std::move(found.class_weights)};
    if constexpr (requires { statistics[0].rows_incomplete(); }) {
      report.rows_incomplete = statistics[0].rows_incomplete();
    }
    return {std::move(statistics[0]), std::move(found.schema), std::move(report)};
  }
}

}  // namespace logodds
