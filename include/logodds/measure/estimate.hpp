// A measured number and the interval that holds the true one in 95 of 100 samples.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace logodds::measure {

/// How an interval came about; docs/measures.md says more.
enum class IntervalMethod : std::uint8_t {
  none,       ///< there is none: the rows say nothing about it, as where all of them agree
  exact,      ///< Clopper & Pearson, from the binomial distribution
  delong,     ///< DeLong, DeLong & Clarke-Pearson, from the placements of the scores
  mover,      ///< Zou & Donner, from the exact intervals of the shares it is a mean of
  jackknife,  ///< infinitesimal jackknife: the limit of the bootstrap's variance
  bootstrap   ///< percentiles over rows drawn again
};

[[nodiscard]] std::string_view method_name(IntervalMethod method);

/// NaN where the rows do not determine it: the precision of a class that was never decided for.
struct Estimate {
  double value = std::numeric_limits<double>::quiet_NaN();
  double lower = std::numeric_limits<double>::quiet_NaN();
  double upper = std::numeric_limits<double>::quiet_NaN();
  IntervalMethod method = IntervalMethod::none;
};

}  // namespace logodds::measure
