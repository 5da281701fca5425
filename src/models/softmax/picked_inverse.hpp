// A guess of the inverse Hessian from rows that passes over all rows pick on the way.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "kernels/pair_picks.hpp"
#include "models/softmax/inverse_hessian.hpp"
#include "models/softmax/objective.hpp"

namespace logodds::models::softmax {

/// Three and more classes, whose weights floats hold. The first guess comes from a sample, where
/// the search starts; the second one from rows that the pass at the next point picks among all of
/// them, nearer to the optimum, where the Hessian differs less from that of the optimum than a
/// guess should; and others after every few steps, where so many are taken.
class PickedInverse {
 public:
  /// `other` is asked where passes in single precision are not finite. All must outlive this.
  PickedInverse(SoftmaxObjective& objective, SoftmaxObjective& sample,
                const std::function<InverseHessian()>& other)
      : objective_(objective), sample_(sample), other_(other) {}

  /// The objective in single precision.
  double evaluate(std::span<const double> theta, std::span<double> gradient);
  /// To be told every point that a search starts from; whether there is another guess than before.
  bool renew(std::span<const double> theta);
  void apply(std::span<double> v) const { inverse_->apply(v); }

 private:
  void guess_by_sample(std::span<const double> theta);

  SoftmaxObjective& objective_;
  SoftmaxObjective& sample_;
  const std::function<InverseHessian()>& other_;
  std::optional<InverseHessian> inverse_;
  bool picking_ = false;
  std::size_t steps_ = 0;   ///< since the last guess
  std::vector<double> at_;  ///< where `picks_` were made
  kernels::PairPicks picks_;
};

}  // namespace logodds::models::softmax
