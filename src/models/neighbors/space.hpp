// The coordinates in which rows are compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/neighbors.hpp"
#include "logodds/data/design.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "models/neighbors/wish.hpp"

namespace logodds::models::neighbors {

/// What the training rows tell about the columns of the design. Empty where nothing is asked for.
struct Units {
  std::vector<double> center;
  std::vector<double> scale;   ///< 1 / deviation; 0 for a column that does not vary
  std::vector<double> factor;  ///< L, row-major and lower triangular, of the covariance L L^T
};

/// Every metric is a sum over coordinates: of the squares of their differences or, for manhattan,
/// of their absolute values.
///
/// | metric      | coordinates of x                       | distance      |
/// |-------------|----------------------------------------|---------------|
/// | euclidean   | x                                      | sqrt(sum)     |
/// | manhattan   | x                                      | sum           |
/// | cosine      | x / |x|                                | sum / 2       |
/// | mahalanobis | L^-1 (x - center)                      | sqrt(sum)     |
///
/// --standardize puts (x - center) scale in the place of x; to mahalanobis it makes no difference.
class Space {
 public:
  /// In units that are known; see units_of().
  Space(const Schema& schema, const Wish& wish, Units units);

  [[nodiscard]] const Design& design() const { return design_; }
  [[nodiscard]] const Units& units() const { return units_; }
  [[nodiscard]] kernels::Measure measure() const;
  /// From a sum over coordinates to the distance.
  [[nodiscard]] double distance(double sum) const;
  /// The rows in these coordinates: the block's own memory where nothing changes, else `scratch`.
  /// A row without a direction (see no_direction()) keeps its zeros.
  [[nodiscard]] DesignRows coordinates(const RowBlock& block, std::vector<double>& scratch,
                                       int threads = 1) const;
  /// By cosine: the first row of the block that is 0 in every column, and so has no direction.
  [[nodiscard]] std::optional<std::size_t> no_direction(const DesignRows& rows) const;

 private:
  [[nodiscard]] bool unchanged() const;
  void change(double* row) const;

  Metric metric_;
  Design design_;
  Units units_;
};

/// The design of a metric: the indicators of a column add up to 1, which a covariance does not
/// bear.
[[nodiscard]] OneHot coding_of(const Wish& wish);

/// What the wish needs to know of the rows. Throws Error(numeric) where squares of a column
/// overflow, or the covariance is singular.
[[nodiscard]] Units units_of(const RowBlock& rows, const Schema& schema, const Wish& wish,
                             int threads);

/// The sentence for a row without a direction, after its place.
inline constexpr const char* kNoDirection =
    "every column is 0, and --metric cosine compares directions, of which such a row has none; "
    "leave it out, or take --metric euclidean";

}  // namespace logodds::models::neighbors
