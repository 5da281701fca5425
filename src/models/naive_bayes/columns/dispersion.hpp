// The dispersion of counts.
#pragma once

#include "models/naive_bayes/columns/samples.hpp"

namespace logodds::models::naive_bayes::columns {

/// The r of greatest likelihood of a negative binomial law whose mean is that of the sample, all of
/// whose values are counts; infinite, which is Poisson, when the variance is not above the mean.
[[nodiscard]] double dispersion(const Sample& sample);

}  // namespace logodds::models::naive_bayes::columns
