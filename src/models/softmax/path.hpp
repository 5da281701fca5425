// --decay auto: the decay with the least held-out log loss, along a path of decays.
#pragma once

#include "logodds/models/concepts.hpp"
#include "logodds/stats/training_rows.hpp"

namespace logodds::models::softmax {

/// Puts the decay into the options and the losses of all decays into the report.
void settle_decay(const TrainingRows& rows, Options& options, const Schema& schema,
                  const Context& context, FitReport& report);

}  // namespace logodds::models::softmax
