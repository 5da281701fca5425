// Moments up to the fourth, class by class: what Ledoit and Wolf's shrinkage needs in any units.
//
// With y = x - mean: S_ij = sum w y_i y_j, T_ij = sum w y_i^2 y_j, Q_ij = sum w y_i^2 y_j^2. About
// another point, mean + delta, they are sums of the same three (merged and taken out as
// the lower moments are).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

class FourthMoments {
 public:
  void add(const RowBlock& block, const Shape& shape);  ///< rows that lack no value
  void merge(const FourthMoments& other);
  void unmerge(const FourthMoments& other);
  void recode(const Recoding& recoding);
  [[nodiscard]] std::size_t size_for(const Shape& shape) const;

  [[nodiscard]] std::size_t position(const DesignColumn& column) const;
  [[nodiscard]] bool finite() const;  ///< no sum has overflowed
  [[nodiscard]] double weight(std::size_t k) const { return classes_[k].weight; }
  [[nodiscard]] double second(std::size_t k, std::size_t i, std::size_t j) const {
    return classes_[k].second[i * size_ + j];
  }
  [[nodiscard]] double fourth(std::size_t k, std::size_t i, std::size_t j) const {
    return classes_[k].fourth[i * size_ + j];
  }

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static FourthMoments load(const modelfile::Reader& reader, const Schema& schema);

 private:
  /// Of one class; matrices are D x D.
  struct Sums {
    double weight = 0.0;
    std::vector<double> mean;
    std::vector<double> second;
    std::vector<double> third;
    std::vector<double> fourth;
  };
  void grow(const Shape& shape);
  [[nodiscard]] static Sums about(const Sums& sums, const std::vector<double>& point);
  [[nodiscard]] static Sums empty_sums(std::size_t d);
  [[nodiscard]] Sums sums_of(const DesignRows& rows, const RowBlock& block,
                             std::span<const std::size_t> members) const;
  static void join(Sums& into, const Sums& other);
  static void drop_rounding(Sums& sums, const std::vector<double>& spread);
  static void check_digits(const Sums& sums, const std::vector<double>& before);

  Shape shape_;
  std::size_t size_ = 0;  ///< D
  std::vector<DesignColumn> columns_;
  std::vector<Sums> classes_;
};

}  // namespace logodds
