// Weight, mean and centred second moments of the design vector, class by class.
//
// | operation | cost            | exact?                                                |
// |-----------|-----------------|-------------------------------------------------------|
// | add       | rows x D^2 / 2  | around the mean so far, then Chan, Golub & LeVeque 1983 |
// | merge     | K D^2 / 2       | the same update                                       |
// | unmerge   | K D^2 / 2       | its inverse, to kUnmergeTolerance of the scatter before |
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

/// After rows are taken out, entry (i, j) of a scatter is within this times sqrt(S_ii S_jj) of what
/// the remaining rows alone give, S being the scatter before. What is less than this is 0.
inline constexpr double kUnmergeTolerance = 1e-12;

class ClassMoments {
 public:
  explicit ClassMoments(SecondMoments second) : second_(second) {}

  /// Rows without labels are of the one class of `shape`.
  void add(const RowBlock& block, const Shape& shape);
  void merge(const ClassMoments& other);
  /// Takes rows out again. Throws Error(input) when they cannot have been among these: more weight
  /// than there is, or a scatter that would not be positive semi-definite. `schema` names them.
  void unmerge(const ClassMoments& other, const Schema& schema);
  /// The schema without the classes and levels that no row is left of.
  [[nodiscard]] Schema remaining(const Schema& schema) const;
  /// A code of -1 in `recoding` drops the class or level, which must have no weight.
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

  [[nodiscard]] std::span<const double> means() const { return means_; }  ///< K x D
  [[nodiscard]] std::span<const double> scatters() const {
    return second_moments_;
  }  ///< as in given()
  /// Moments that are given instead of summed: weights K, means K x D, scatters K x D x D of which
  /// the lower triangles count (or K x D), in the order of columns().
  [[nodiscard]] static ClassMoments given(const Shape& shape, SecondMoments second,
                                          std::vector<double> weights, std::vector<double> means,
                                          std::vector<double> scatters);

  /// Tensors PREFIX.weights, PREFIX.means, PREFIX.scatter.
  void save(modelfile::Writer& writer, const std::string& prefix = "statistics") const;
  [[nodiscard]] static ClassMoments load(const modelfile::Reader& reader, const Shape& shape,
                                         SecondMoments second,
                                         const std::string& prefix = "statistics");

 private:
  void grow(const Shape& shape);
  void resize_columns(std::size_t columns);
  void add_class_rows(std::size_t k, const DesignRows& rows, const RowBlock& block,
                      std::span<const std::uint32_t> members, double weight);
  void add_rank_one(std::size_t k, const double* x, double factor);
  void merge_class(std::size_t k, double weight, const double* mean, const double* second);
  void unmerge_class(std::size_t k, const ClassMoments& other, const Schema& schema);
  void subtract_scatter(std::size_t k, const ClassMoments& other, const std::vector<double>& delta,
                        double factor);
  void clear_class(std::size_t k);
  /// What taking rows out leaves: their weight, and by column the size of the spread before and of
  /// its rounding.
  struct Remainder {
    double weight;
    const std::vector<double>& scales;
    const std::vector<double>& tolerances;
  };
  void check_spread(std::size_t k, const ClassMoments& other, const Schema& schema,
                    const Remainder& rest) const;
  void drop_rounding(std::size_t k, const std::vector<double>& tolerances);
  [[nodiscard]] double pooled_variance(std::size_t i, std::size_t k, const Remainder& rest) const;
  [[nodiscard]] std::size_t second_size() const;

  SecondMoments second_;
  Shape shape_;
  std::vector<DesignColumn> columns_;
  std::vector<double> weights_;         ///< K
  std::vector<double> means_;           ///< K x D
  std::vector<double> second_moments_;  ///< K x D, or K x D x D of which the lower triangle counts
};

}  // namespace logodds
