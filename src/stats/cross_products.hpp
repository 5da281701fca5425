// Sums of the products of every column with every other, in 106 bits: all that least squares need
// of the rows, whichever columns are regressed on which.
//
// | operation | cost          | exact?                                                     |
// |-----------|---------------|------------------------------------------------------------|
// | add       | rows x m^2 / 2 | products are exact, their sums have 106 bits               |
// | merge     | m^2 / 2       | a sum of 106 bits                                          |
// | unmerge   | m^2 / 2       | the same: 32 digits of what was, so some 16 of a 10^-16th  |
//
// The digits that raw second moments lose in doubles, where columns lie far from 0 or nearly depend
// on each other, are those that the second 53 bits keep: solving from these sums is at least as
// accurate as Householder QR of the rows in doubles, whose error is epsilon times the condition
// number of the columns, while here it is epsilon^2 times its square, and epsilon.
#pragma once

#include <string>
#include <vector>

#include "linalg/double_double.hpp"
#include "logodds/data/design.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

class CrossProducts {
 public:
  using Wide = linalg::DoubleDouble;

  void add(const RowBlock& block, const Shape& shape);  ///< rows that lack no value
  void merge(const CrossProducts& other);
  /// Takes rows out again. Throws Error(input) when they cannot have been among these.
  void unmerge(const CrossProducts& other, const Schema& schema);
  /// The schema without the levels that no row is left of.
  [[nodiscard]] Schema remaining(const Schema& schema) const;
  void recode(const Recoding& recoding);
  [[nodiscard]] bool compatible(const CrossProducts& other) const;
  [[nodiscard]] double weight() const;
  [[nodiscard]] std::size_t size_for(const Shape& shape) const;

  /// Columns with the constant 1, which is the first: then numbers, then an indicator a level.
  [[nodiscard]] std::size_t size() const { return 1 + columns_.size(); }
  /// Where a column stands, once the statistic has been recoded.
  [[nodiscard]] std::size_t position(const DesignColumn& column) const;
  /// sum_n w_n a_ni a_nj.
  [[nodiscard]] Wide at(std::size_t i, std::size_t j) const;

  /// Tensors products.high and products.low.
  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static CrossProducts load(const modelfile::Reader& reader, const Schema& schema);

 private:
  void grow(const Shape& shape);
  void check_left(const CrossProducts& before, const Schema& schema) const;

  Shape shape_;  ///< labels do not count
  std::vector<DesignColumn> columns_;
  std::vector<Wide> sums_;  ///< size() x size(), of which the lower triangle counts
};

}  // namespace logodds
