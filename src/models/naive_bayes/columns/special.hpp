// Special functions in double precision, without cancellation for large arguments.
#pragma once

namespace logodds::models::naive_bayes::columns {

/// ln x! for a count x.
[[nodiscard]] double log_factorial(double x);

/// s(z) = ln Gamma(z) - (z - 1/2) ln z + z - 1/2 ln(2 pi), z > 0: what Stirling's formula leaves.
[[nodiscard]] double stirling_remainder(double z);

/// ln a - digamma(a), a > 0: about 1 / (2 a) for large a.
[[nodiscard]] double log_minus_digamma(double a);

/// Its derivative, 1/a - trigamma(a) < 0.
[[nodiscard]] double log_minus_digamma_slope(double a);

/// digamma(a)
[[nodiscard]] double digamma(double a);

/// ln(1 + u) - u, u > -1, exact to the last digits near 0.
[[nodiscard]] double log1p_minus(double u);

}  // namespace logodds::models::naive_bayes::columns
