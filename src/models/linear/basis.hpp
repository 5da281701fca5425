// Basis expansions: what --basis asks for, and products of columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/schema.hpp"

namespace logodds::models::linear {

enum class BasisKind : std::uint8_t { none, polynomial, spline, interactions };

struct BasisWish {
  BasisKind kind = BasisKind::none;
  std::size_t number = 0;  ///< degree of a polynomial, knots of a spline
};

/// Of "none", "polynomial:DEGREE", "spline:KNOTS" or "interactions". Throws std::invalid_argument
/// with the rest of the sentence "'text' ..." for anything else.
[[nodiscard]] BasisWish parse_basis(const std::string& text);

/// More features than this are refused: their coefficients would say nothing.
inline constexpr std::size_t kMostFeatures = 100'000;

/// Larger features are refused: not even their squares may overflow.
inline constexpr double kLargestFeature = 1e150;

/// Products of two columns of the design and more, each of them a shorter product times one more
/// column. A column of 0 and 1 is its own square, so it occurs at most once in a product, and two
/// indicators of the same column, whose product is 0, never do.
class Products {
 public:
  Products() = default;
  /// All up to a degree ("age^2", "age x height", "age^2 x height"), by degree and then in the
  /// order of the columns; or, of interactions, those of two different columns. Throws Error(usage)
  /// when these and the columns are more than kMostFeatures.
  Products(const Schema& schema, const Design& design, const BasisWish& wish);

  [[nodiscard]] std::size_t size() const { return terms_.size(); }
  /// Columns of the design, ascending; one that is squared is there twice.
  [[nodiscard]] std::vector<std::size_t> members(std::size_t term) const;
  [[nodiscard]] std::string name(std::size_t term, const std::vector<std::string>& columns) const;
  /// All products (`out`) of the columns of a row.
  void fill(const double* row, double* out) const;

 private:
  struct Term {
    std::uint32_t left;   ///< a column of the design, or the number of columns plus a term
    std::uint32_t right;  ///< a column of the design, not before those on the left
  };
  [[nodiscard]] bool may_follow(const Design& design, const std::vector<bool>& zero_one,
                                const Term& term) const;
  void add_degree(const Design& design, const std::vector<bool>& zero_one, std::size_t begin,
                  std::size_t end, std::size_t degree, const BasisWish& wish);

  std::size_t columns_ = 0;  ///< of the design
  std::vector<Term> terms_;
};

}  // namespace logodds::models::linear
