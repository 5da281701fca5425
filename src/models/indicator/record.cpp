#include "logodds/models/family.hpp"
#include "models/indicator/indicator.hpp"

namespace logodds::models::indicator {

FamilyRecord record();

FamilyRecord record() {
  return make_record<IndicatorFamily>({
      .name = "indicator",
      .summary = "least squares on an indicator matrix, for comparison",
      .example = "--ridge 1",
      .options = {{.name = "ridge",
                   .type = OptionType::real,
                   .default_value = "0",
                   .help = "this times the sum of squared coefficients, intercepts excluded, is "
                           "added to the sum of squared residuals",
                   .minimum = 0.0},
                  linear::basis_option()},
      .capabilities = {},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::indicator
