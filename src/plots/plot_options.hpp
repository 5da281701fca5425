// Options that several kinds of pictures take. A name means the same in every kind, so that the
// command has one flag for it.
#pragma once

#include "logodds/registry/options.hpp"

namespace logodds::plots {

/// Level of intervals.
[[nodiscard]] OptionSpec level_option();
/// The class that a curve is drawn for; empty: all of them.
[[nodiscard]] OptionSpec class_option();
/// Columns to draw, by name; empty: those that the kind chooses.
[[nodiscard]] OptionSpec columns_option();
/// How many of the largest are shown.
[[nodiscard]] OptionSpec top_option();
/// How rows are decided, where not as the model does.
[[nodiscard]] OptionSpec cost_option();
[[nodiscard]] OptionSpec thresholds_option();
/// The column along which it is drawn.
[[nodiscard]] OptionSpec x_option();
/// Of posteriors.
[[nodiscard]] OptionSpec bins_option();

}  // namespace logodds::plots
