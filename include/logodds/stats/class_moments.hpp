// Weight, mean and centred second moments of the design vector, class by class.
//
// | operation | cost            | exact?                                                |
// |-----------|-----------------|-------------------------------------------------------|
// | add       | rows x D^2 / 2  | centred in the block, then Chan, Golub & LeVeque 1983 |
// | merge     | K D^2 / 2       | the same update                                       |
// | recode    | K D^2           | a permutation                                         |
#pragma once

#include <span>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

enum class SecondMoments : std::uint8_t { diagonal, full };

class ClassMoments {
 public:
  explicit ClassMoments(SecondMoments second) : second_(second) {}

  void add(const RowBlock& block, const Shape& shape);
  void merge(const ClassMoments& other);
  void recode(const Recoding& recoding);
  [[nodiscard]] bool compatible(const ClassMoments& other) const;
  [[nodiscard]] double weight() const;  ///< of all classes together
  [[nodiscard]] std::size_t size_for(const Shape& shape) const;

  [[nodiscard]] SecondMoments second() const { return second_; }
  [[nodiscard]] std::size_t classes() const { return weights_.size(); }
  /// Design columns: numbers, then an indicator for every level (none is left out here, so that
  /// models whose levels differ can be merged; an estimator picks the columns it wants).
  [[nodiscard]] const std::vector<DesignColumn>& columns() const { return columns_; }
  /// Where a column stands among columns(), once the statistic has been recoded.
  [[nodiscard]] std::size_t position(const DesignColumn& column) const;
  [[nodiscard]] double weight(std::size_t k) const { return weights_[k]; }
  [[nodiscard]] double mean(std::size_t k, std::size_t i) const {
    return means_[k * columns_.size() + i];
  }
  /// sum_n w_n (x_ni - mean_i)(x_nj - mean_j); for diagonal moments only i = j.
  [[nodiscard]] double scatter(std::size_t k, std::size_t i, std::size_t j) const;

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static ClassMoments load(const modelfile::Reader& reader, const Schema& schema,
                                         SecondMoments second);

 private:
  void grow(const Shape& shape);
  void resize_columns(std::size_t columns);
  void add_full(const DesignRows& rows, const RowBlock& block);
  void add_class_rows(std::size_t k, const DesignRows& rows, const RowBlock& block,
                      std::span<const std::size_t> members, std::vector<double>& centered);
  void add_diagonal(const DesignRows& rows, const RowBlock& block);
  void merge_class(std::size_t k, double weight, const double* mean, const double* second);
  [[nodiscard]] std::size_t second_size() const;

  SecondMoments second_;
  Shape shape_;
  std::vector<DesignColumn> columns_;
  std::vector<double> weights_;         ///< K
  std::vector<double> means_;           ///< K x D
  std::vector<double> second_moments_;  ///< K x D, or K x D x D of which the lower triangle counts
};

}  // namespace logodds
