// The shares of the classes among rows without labels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace logodds::posterior {

struct ShareEstimate {
  std::vector<double> shares;
  std::size_t steps = 0;
  bool converged = false;
};

/// The shares pi' under which rows with these posteriors are likeliest, by EM (Saerens, Latinne &
/// Decaestecker 2002, Neural Computation 14):
///   q_nk = p_nk pi'_k / pi_k / sum_j p_nj pi'_j / pi_j,   pi'_k = mean_n q_nk.
/// The likelihood is concave in pi', and every step raises it. `posteriors` is row-major rows x
/// classes, under the priors `priors`, which are positive.
[[nodiscard]] ShareEstimate estimate_shares(std::span<const double> posteriors,
                                            std::span<const double> priors);

}  // namespace logodds::posterior
