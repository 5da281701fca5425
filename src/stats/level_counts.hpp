// Weights of the rows by class and level of each coded column; whole numbers where rows have no
// weights, and so exact.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

class LevelCounts {
 public:
  void add(const RowBlock& block, const Shape& shape);
  void merge(const LevelCounts& other);
  /// Throws Error(input) when more would go than there is; `schema` names it.
  void unmerge(const LevelCounts& other, const Schema& schema);
  void recode(const Recoding& recoding);

  /// `coded`: the place among the coded columns.
  [[nodiscard]] double weight(std::size_t coded, std::size_t k, std::size_t level) const {
    return counts_[coded][k * levels_[coded] + level];
  }
  /// classes x levels, row-major.
  [[nodiscard]] std::span<const double> of(std::size_t coded) const { return counts_[coded]; }
  /// Over all classes.
  [[nodiscard]] std::vector<double> level_weights(std::size_t coded) const;

  /// Tensors PREFIX.0, PREFIX.1, ...
  void save(modelfile::Writer& writer, const std::string& prefix) const;
  [[nodiscard]] static LevelCounts load(const modelfile::Reader& reader, const Shape& shape,
                                        const std::string& prefix);

 private:
  void grow(const Shape& shape);

  std::size_t classes_ = 0;
  std::vector<std::size_t> levels_;          ///< by coded column
  std::vector<std::vector<double>> counts_;  ///< by coded column: classes x levels
};

/// What is left of `before` without `gone`: 0 for less than rounding. Throws Error(input) naming
/// `place` when it is less than nothing.
[[nodiscard]] double weight_without(double before, double gone, const std::string& place);

}  // namespace logodds
