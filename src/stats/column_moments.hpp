// Weight, mean and scatter of each column of numbers by itself, class by class, over the values
// that are there; and sum ln x! while every value is a count.
//
// Sums are kept around a shift s near the mean: S_1 = sum w (x - s), S_2 = sum w (x - s)^2. The
// shift has so few bits that for whole numbers every sum is a whole number of a small unit, and so
// exact: whatever the order in which rows come, join and go (below 2^53 units). It follows the
// mean, so that no variance is the difference of numbers much larger than itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/stats/shape.hpp"
#include "stats/grouped_rows.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

class ColumnMoments {
 public:
  /// `groups` are the rows of the block by class.
  void add(const RowBlock& block, const Grouped& groups);
  void merge(const ColumnMoments& other);
  /// Throws Error(input) when these rows cannot have been among those of this; `columns` name them.
  void unmerge(const ColumnMoments& other, const std::vector<std::string>& labels,
               const std::vector<std::string>& columns);
  /// New places of the classes; -1 drops one.
  void recode(std::span<const std::int32_t> labels, std::size_t classes);

  /// Those of some columns.
  [[nodiscard]] ColumnMoments of_columns(std::span<const std::size_t> chosen) const;

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] double weight(std::size_t k, std::size_t c) const { return at(k, c).weight; }
  [[nodiscard]] double sum(std::size_t k, std::size_t c) const;
  [[nodiscard]] double mean(std::size_t k, std::size_t c) const;
  /// sum w (x - mean)^2
  [[nodiscard]] double scatter(std::size_t k, std::size_t c) const;
  /// Some sum of the column is beyond the range of a double.
  [[nodiscard]] bool overflows(std::size_t c) const;
  [[nodiscard]] bool counts_only(std::size_t c) const { return counts_only_[c] != 0; }
  [[nodiscard]] double log_factorials(std::size_t k, std::size_t c) const {
    return at(k, c).log_factorials;
  }

  void save(modelfile::Writer& writer, const std::string& prefix) const;
  [[nodiscard]] static ColumnMoments load(const modelfile::Reader& reader, std::size_t classes,
                                          std::size_t columns, const std::string& prefix);

 private:
  struct Sums {
    double weight = 0.0;
    double shift = 0.0;
    double first = 0.0;   ///< S_1
    double second = 0.0;  ///< S_2
    double log_factorials = 0.0;
  };
  [[nodiscard]] const Sums& at(std::size_t k, std::size_t c) const {
    return sums_[k * columns_ + c];
  }
  void grow(std::size_t classes, std::size_t columns);
  void add_class(std::size_t k, const RowBlock& block, std::span<const std::uint32_t> members);
  void place_shifts(std::size_t k, const RowBlock& block, std::span<const std::uint32_t> members);
  void add_log_factorials(const RowBlock& block);
  static void move_shift(Sums& sums, double shift);
  static void follow_mean(Sums& sums);
  static double scatter_of(const Sums& sums);
  [[nodiscard]] double pooled_variance(std::size_t c) const;
  void unmerge_column(std::size_t k, std::size_t c, Sums gone, const std::string& place);

  std::size_t classes_ = 0;
  std::size_t columns_ = 0;
  std::vector<Sums> sums_;                 ///< classes x columns
  std::vector<std::uint8_t> counts_only_;  ///< by column: every value so far is 0, 1, 2, ...
};

}  // namespace logodds
