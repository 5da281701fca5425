// Tails of the distributions that regressions are tested by.
#pragma once

namespace logodds::models::line {

/// P(|T| >= |t|) for Student's t with df > 0 degrees of freedom.
[[nodiscard]] double student_two_sided(double t, double df);
/// P(F >= f) for Fisher's F with d1 and d2 > 0 degrees of freedom.
[[nodiscard]] double fisher_upper(double f, double d1, double d2);

}  // namespace logodds::models::line
