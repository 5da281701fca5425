// Where EM starts: shares of the rows in the components.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/design.hpp"
#include "logodds/stats/held_rows.hpp"
#include "models/clusters/columns.hpp"

namespace logodds::models::mixture {

/// Fills the shares, row-major rows x components, of the rows of a block, the first of which is row
/// `first` of all.
using ShareRule =
    std::function<void(std::size_t first, const RowBlock& block, std::span<double> shares)>;

/// Uniform numbers, divided by their sum: a function of seed and row.
[[nodiscard]] ShareRule random_shares(std::size_t components, std::uint64_t seed);
/// Throws Error(usage) unless there is a row of non-negative shares with sum 1 for each of `rows`.
[[nodiscard]] ShareRule given_shares(std::size_t components, std::size_t rows,
                                     std::span<const double> given);

/// The rows that lack no value in units of the columns' deviations, of levels an indicator each.
class StartSpace {
 public:
  StartSpace(const HeldRows& rows, const Schema& schema);

  [[nodiscard]] std::size_t columns() const { return design_.size(); }
  /// Centers of K-means from k-means++. Throws as k_means() does, and when no row is complete.
  [[nodiscard]] std::vector<double> k_means_centers(std::size_t components, std::uint64_t seed,
                                                    const Context& context) const;
  /// Centers in the units of the columns, as here.
  [[nodiscard]] std::vector<double> scaled(std::span<const double> centers) const;
  /// Every row in the component of the nearest center, over the values that it has, ties to the
  /// first; a row without any has equal shares.
  [[nodiscard]] ShareRule nearest(std::vector<double> centers) const;

 private:
  Design design_;
  clusters::Standardization units_;
  std::vector<double> rows_;
  std::vector<double> weights_;
};

}  // namespace logodds::models::mixture
