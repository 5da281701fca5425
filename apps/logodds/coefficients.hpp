// inspect --coefficients: the coefficients of log odds as statisticians read them.
#pragma once

#include <string>

#include "json.hpp"
#include "logodds/models/classifier.hpp"
#include "logodds/models/coefficients.hpp"

namespace logodds::app {

/// Throws Error(usage) for a model that is not linear in its features.
[[nodiscard]] const Coefficients& require_coefficients(const Classifier& model);

/// A row a coefficient; what is not known is left empty.
[[nodiscard]] std::string coefficients_text(const CoefficientTable& table, double level);
/// What is not known is null.
[[nodiscard]] Json coefficients_json(const CoefficientTable& table, const Classifier& model,
                                     double level);

}  // namespace logodds::app
