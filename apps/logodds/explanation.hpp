// predict --explain: its flags, and the run.
#pragma once

#include <functional>
#include <string>

#include "arguments.hpp"
#include "logodds/logodds.hpp"

namespace logodds::app {

/// --log-base: "e", or a number above 1.
[[nodiscard]] double log_base(const Arguments& arguments);
/// Throws Error(usage) for flags that --explain does not go with, or that need it, and for a base
/// of logarithms that is none.
void check_explain_flags(const Arguments& arguments);

/// Explains every row of `source` as the flags say, and hands the text to `write` in the order of
/// the rows.
ScoreReport write_explanations(const Arguments& arguments, const Classifier& model,
                               BlockSource& source,
                               const std::function<void(const std::string&)>& write,
                               const Context& context, const ScoreRequest& request);

}  // namespace logodds::app
