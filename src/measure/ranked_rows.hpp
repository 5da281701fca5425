// Rows in the order of their scores, and what follows from the order.
#pragma once

#include "logodds/measure/ranking.hpp"

namespace logodds::measure {

/// Rows of one score: weights, and squared weights.
struct TiedRows {
  std::size_t first = 0;  ///< in the order
  std::size_t last = 0;   ///< one past
  double positives = 0.0;
  double negatives = 0.0;
  double positive_squares = 0.0;
  double negative_squares = 0.0;
};

class RankedRows {
 public:
  /// `scores` must stay. Throws Error(input) for a NaN, Error(usage) for more than 2^31 rows.
  RankedRows(const Scores& scores, int threads);

  /// Calls visit(TiedRows) for every score there is, the highest first.
  template <class Visit>
  void each_score(Visit visit) const {
    for (std::size_t last = keys_.size(); last > 0;) {
      TiedRows tied{.first = last - 1, .last = last};
      add(tied, last - 1);
      while (tied.first > 0 && keys_[tied.first - 1] == keys_[last - 1]) {
        add(tied, --tied.first);
      }
      last = tied.first;
      visit(tied);
    }
  }

  [[nodiscard]] const TiedRows& all() const { return all_; }
  [[nodiscard]] double positive_rows() const;  ///< W^2 / sum w^2
  [[nodiscard]] double negative_rows() const;
  [[nodiscard]] double score(std::size_t place) const;
  [[nodiscard]] std::size_t row(std::size_t place) const { return tags_[place] >> 1U; }
  [[nodiscard]] bool positive(std::size_t place) const { return (tags_[place] & 1U) != 0; }

 private:
  void add(TiedRows& tied, std::size_t place) const {
    const double w = weights_.empty() ? 1.0 : weights_[row(place)];
    (positive(place) ? tied.positives : tied.negatives) += w;
    (positive(place) ? tied.positive_squares : tied.negative_squares) += w * w;
  }

  std::vector<std::uint64_t> keys_;  ///< ascending
  std::vector<std::uint32_t> tags_;  ///< 2 row + positive
  std::span<const double> weights_;
  TiedRows all_;
};

/// A value and its variance; to `influences`, where there are some, what each row adds to the
/// value per unit of its weight is added times `share`, so that the variance of a mean of such
/// values is sum_i w_i^2 influences_i^2.
struct Spread {
  double value = 0.0;
  double variance = 0.0;  ///< NaN where it cannot be known: one row of a kind
};
[[nodiscard]] Spread auc_spread(const RankedRows& rows, std::span<double> influences = {},
                                double share = 1.0);
[[nodiscard]] Spread average_precision_spread(const RankedRows& rows,
                                              std::span<double> influences = {},
                                              double share = 1.0);

/// The intervals of roc_auc() and average_precision().
[[nodiscard]] Estimate auc_estimate(const RankedRows& rows, const Spread& spread, double level);
[[nodiscard]] Estimate average_precision_estimate(const RankedRows& rows, const Spread& spread,
                                                  double level);

}  // namespace logodds::measure
