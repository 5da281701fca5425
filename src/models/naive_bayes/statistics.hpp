// What the family keeps of the rows: moments of numbers and weights of levels, column by column,
// and what some options want besides.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "models/naive_bayes/factor.hpp"
#include "models/naive_bayes/joint_statistic.hpp"
#include "models/naive_bayes/plan.hpp"
#include "stats/column_moments.hpp"
#include "stats/level_counts.hpp"
#include "stats/term_counts.hpp"
#include "stats/value_table.hpp"

namespace logodds::models::naive_bayes {

class NaiveStatistics {
 public:
  static constexpr bool kIdentifiersFit = true;
  static constexpr bool kTakesText = true;

  NaiveStatistics() = default;
  explicit NaiveStatistics(Wish wish) : wish_(std::move(wish)) {}

  /// The columns of the rows to come. Throws Error(usage) when the options name others.
  void bind(std::span<const SourceColumn> columns);
  /// What is kept of these columns are whole numbers, as long as rows have no weights.
  [[nodiscard]] bool exact() const;
  /// Throws RowProblem for a number outside of the support of a family that the user named.
  void add(const RowBlock& block, const Shape& shape);
  /// Every row in every class by its share: row-major rows x classes. Documents are read once.
  void add_shares(const RowBlock& block, const Shape& shape, std::span<const double> shares);
  /// All blocks have been added: counts of terms get their order.
  void finish();
  /// The same for lanes, in several threads: the first then has the counts of terms of all.
  static void join(std::span<NaiveStatistics> lanes, int threads);
  void merge(const NaiveStatistics& other);
  void unmerge(const NaiveStatistics& other, const Schema& schema);
  void recode(const Recoding& recoding);
  /// All that this one's options ask for is kept by `other`.
  [[nodiscard]] bool compatible(const NaiveStatistics& other) const;
  [[nodiscard]] double weight() const;
  [[nodiscard]] std::size_t size_for(const Shape& shape) const;
  [[nodiscard]] std::size_t rows_incomplete() const { return rows_incomplete_; }
  [[nodiscard]] const std::vector<double>& class_weights() const { return class_weights_; }
  [[nodiscard]] Schema remaining(const Schema& schema) const;

  /// Column `c` of the schema, in the form that laws are estimated from.
  [[nodiscard]] ColumnSummary summary(const Schema& schema, std::size_t c) const;
  /// Throws Error when a column cannot be modelled: its sums overflow, or it holds a value that its
  /// family, named by kind, has no place for.
  void check_column(const Column& column, std::size_t c, const ColumnFamily& family) const;
  /// `position`: among the text columns.
  [[nodiscard]] const TermCounts& terms(std::size_t position) const { return texts_[position]; }
  /// The joint statistic of these columns of the schema, in ascending order; null when none is
  /// kept.
  [[nodiscard]] const JointStatistic* joint(const std::vector<std::size_t>& columns) const;
  /// Of the rows of class k at a level of a discrete column (of numbers: 0 or 1).
  [[nodiscard]] double level_weight(const Place& place, std::size_t k, std::size_t level) const;
  /// Of the rows of class k that have a value in a column of numbers.
  [[nodiscard]] double number_weight(const Place& place, std::size_t k) const {
    return numbers_.weight(k, place.position);
  }
  /// Of the rows of each class that have a value in a column.
  [[nodiscard]] std::vector<double> summary_weights(const Place& place) const;
  /// Some row has some of the factor's columns and lacks others: no statistic tells its density.
  [[nodiscard]] bool has_partial_rows(const Factor& factor) const;

  /// With --blocks auto: the joint statistics of either half of the rows; else null.
  [[nodiscard]] std::pair<const JointStatistic*, const JointStatistic*> halves(
      const std::vector<std::size_t>& columns) const;
  /// Ends the search for blocks: both halves together, of the blocks that `wish` names.
  void settle(const Wish& wish);

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static NaiveStatistics load(const modelfile::Reader& reader, const Schema& schema,
                                            const Wish& wish);

 private:
  /// All but documents.
  void add_columns(const RowBlock& block, const Shape& shape);
  template <class Add>
  void add_texts(const Add& add);
  void add_joint(const RowBlock& block, const Shape& shape);
  void index_joint();
  void note_minima(const RowBlock& block);
  void check_support(const RowBlock& block) const;
  /// Drops what the options do not ask for.
  void trim();
  void add_logs(const RowBlock& block, const Grouped& groups);
  [[nodiscard]] std::vector<std::string> number_names() const;
  void fill_numbers(ColumnSummary& summary, std::size_t c) const;
  void fill_values(ColumnSummary& summary, const ValueTable& table) const;

  Wish wish_;
  std::map<std::vector<std::size_t>, std::size_t> joint_index_;  ///< columns to place in joint_
  /// Smallest values of columns whose law may be restricted by their kind; read now, not loaded.
  std::map<std::size_t, double> minima_;
  bool bound_ = false;
  Keeping keeping_;
  std::vector<double> class_weights_;
  std::size_t rows_incomplete_ = 0;  ///< added here; a model read from a file does not know
  ColumnMoments numbers_;
  LevelCounts levels_;
  ColumnMoments logs_;                 ///< of keeping_.logs, in their order
  std::vector<ValueTable> values_;     ///< of keeping_.values
  std::vector<JointStatistic> joint_;  ///< of keeping_.joint
  std::vector<TermCounts> texts_;      ///< of keeping_.texts
  std::vector<JointStatistic>
      second_half_;  ///< with --blocks auto: of one half of the rows, joint_ of the other
};

}  // namespace logodds::models::naive_bayes
