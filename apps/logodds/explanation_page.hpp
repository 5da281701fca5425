// predict --explain --format html: documents in which the words that decided are marked.
#pragma once

#include <functional>
#include <string>

#include "arguments.hpp"
#include "logodds/logodds.hpp"

namespace logodds::app {

/// As write_explanations(), as one page.
ScoreReport write_explanation_page(const Arguments& arguments, const Classifier& model,
                                   BlockSource& source,
                                   const std::function<void(const std::string&)>& write,
                                   const Context& context, const ScoreRequest& request);

}  // namespace logodds::app
