// A kernel density: a normal bump of one bandwidth on every value of a sample.
#pragma once

#include "models/naive_bayes/columns/bump_cells.hpp"
#include "models/naive_bayes/columns/bump_tails.hpp"
#include "models/naive_bayes/columns/drawing.hpp"
#include "models/naive_bayes/columns/samples.hpp"

namespace logodds::models::naive_bayes::columns {

class Bumps {
 public:
  Bumps(Sample sample, double width);

  /// ln (1 / (W h sqrt(2 pi)) sum w e^(-z^2/2)), z = (x - v) / h, to some roundings of itself or
  /// 1e-14, whichever is more: finite however far.
  [[nodiscard]] double log_density(double x) const {
    const auto thick = cells_.log_sum(x);
    return thick ? *thick + constant_ : thin_log_density(x);
  }
  [[nodiscard]] double draw(random::RowDraws& draws) const;
  /// Each value's share of the density at its own place, added: the trace of the smoother.
  [[nodiscard]] double effective_parameters() const;
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double count() const { return count_; }

 private:
  [[nodiscard]] double thin_log_density(double x) const;
  [[nodiscard]] double near_log_sum(double x, double nearest) const;
  [[nodiscard]] double far_log_sum(std::size_t above, double z_below, double z_above) const;

  std::vector<double> values_;
  std::vector<double> weights_;
  double weight_;
  double count_;
  double width_;     ///< h
  double constant_;  ///< ln 1 / (W h sqrt(2 pi))
  /// What lies further than the nearest value by this much in z^2 adds less than 2^-60 in all.
  double reach_;
  BumpCells cells_;
  BumpTails tails_;
  random::Shares choice_;
};

}  // namespace logodds::models::naive_bayes::columns
