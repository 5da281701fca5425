// Where an optimiser begins: random weights, or those of a model.
#pragma once

#include <cstdint>
#include <vector>

#include "logodds/models/classifier.hpp"
#include "models/linear/features.hpp"
#include "models/neural/objective.hpp"
#include "models/neural/standardize.hpp"

namespace logodds::models::neural {

/// Free parameters. Weights are uniform with variances that give units inputs of variance about 1
/// (LeCun, Bottou, Orr & Mueller, "Efficient BackProp", 1998), 2 before relu (He et al., 2015) and
/// 4 before sigmoid, which is tanh at twice the scale; skip weights are 0 and the biases of the
/// outputs the log shares of the classes. A function of seed, restart and plan alone.
[[nodiscard]] std::vector<double> random_start(const NetPlan& plan, const NetRows& rows,
                                               std::uint64_t seed, std::uint64_t restart);

/// Free parameters of `model`, for standardized inputs. Throws Error(usage) when it is no neural
/// model of the plan's shape, with these labels and features.
[[nodiscard]] std::vector<double> start_from(const Classifier& model, const NetPlan& plan,
                                             const Schema& schema, const Options& options,
                                             const Standardization& standardization);

}  // namespace logodds::models::neural
