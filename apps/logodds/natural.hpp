// inspect --natural: a model as weights of sufficient statistics.
#pragma once

#include <string>

#include "json.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds::app {

/// Throws Error(usage) when the posteriors of the model are not linear in sufficient statistics.
[[nodiscard]] NaturalParameters require_natural(const Classifier& model);

/// A row a statistic, a column a class; the last row is the constant 1, whose weight is
/// -A(eta_k) + ln pi_k.
[[nodiscard]] std::string natural_text(const NaturalParameters& natural, const Classifier& model);
[[nodiscard]] Json natural_json(const NaturalParameters& natural, const Classifier& model);

}  // namespace logodds::app
