// Quantiles of the standard normal law from + - * / and sqrt only: the same bits on every machine.
#pragma once

namespace logodds::random {

/// ln x for finite normal x > 0; the error is below 1 unit in the last place. frexp, + - * / only,
/// because the ln of one C library is not that of another, nor on another processor.
[[nodiscard]] double portable_log(double x);

/// z with Phi(z) = p, 0 < p < 1: Wichura's PPND16 (Algorithm AS 241, Applied Statistics 37, 1988).
/// Relative error below 1e-15.
[[nodiscard]] double normal_quantile(double p);

}  // namespace logodds::random
