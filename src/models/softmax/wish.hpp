// The options of softmax regression, and what their text means.
#pragma once

#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/registry/options.hpp"
#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

[[nodiscard]] std::vector<OptionSpec> option_specs();

/// `--decay auto`: the decay is still to be chosen.
[[nodiscard]] bool wants_decay_chosen(const Options& options);
/// Without decay and L1: the optimum is that of the likelihood.
[[nodiscard]] bool unpenalized(const Options& options);
/// Indicators of all levels where a penalty shares out what they add up to; else none for the
/// first.
[[nodiscard]] OneHot one_hot_of(const Options& options);
/// What is asked of the optimiser. Throws Error(usage) when it cannot take a penalty that is asked
/// for. The decay must be settled.
[[nodiscard]] Wish wish_of(const Options& options, const Context& context);

}  // namespace logodds::models::softmax
