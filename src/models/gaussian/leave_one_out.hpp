// Every row scored by the model of all the others, without fitting any of these.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/registry/options.hpp"
#include "models/gaussian/statistics.hpp"

namespace logodds::models::gaussian {

/// Posteriors of `rows`, all of them those of `statistics`, each under the model without it:
/// row-major rows x labels. Flags the rows that were done. A row of class c takes a matrix of rank
/// one away from the scatter of its class, so that with d = x - mean_c, u = L^-1 d and
/// b = w W_c / (W_c - w) / divisor
///   Sigma' = L L^T - b d d^T,   |Sigma'| = |L L^T| (1 - b u.u),
///   v.Sigma'^-1.v = |L^-1 v|^2 + b (u.L^-1 v)^2 / (1 - b u.u).
/// Empty where that is not all that a row changes: structures other than full covariances,
/// regularisers in units of the rows, levels, missing values; and not done are rows whose class or
/// covariance hangs on them.
[[nodiscard]] std::vector<std::uint8_t> leave_one_out(const GaussianStatistics& statistics,
                                                      const Schema& schema, const Options& options,
                                                      const RowBlock& rows,
                                                      std::span<double> posteriors,
                                                      const Context& context);

}  // namespace logodds::models::gaussian
