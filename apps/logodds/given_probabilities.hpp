// evaluate --probabilities: measures of posteriors that stand in a file, whoever computed them.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "logodds/logodds.hpp"
#include "progress.hpp"

namespace logodds::app {

struct GivenProbabilities {
  std::vector<std::string> labels;
  Evaluation evaluation;
  std::vector<std::string> notes;
};

/// The classes are those that --columns names, else those of the columns called p_CLASS, as
/// 'predict --proba' writes them, else the labels of the rows.
[[nodiscard]] GivenProbabilities evaluate_probabilities(const Arguments& arguments,
                                                        const measure::MeasureOptions& options,
                                                        ProgressBar& bar);

}  // namespace logodds::app
