#include "logodds/models/family.hpp"
#include "models/softmax/softmax.hpp"

namespace logodds::models::softmax {

FamilyRecord record();

FamilyRecord record() {
  return make_record<SoftmaxFamily>({
      .name = "softmax",
      .summary = "softmax (multinomial logistic) regression",
      .example = "--decay 0.01",
      // The default is too small to move a printed digit of an ordinary fit, and large enough that
      // separable classes have finite coefficients.
      .options = {{.name = "decay",
                   .type = OptionType::real,
                   .default_value = "1e-06",
                   .help = "weight decay: this times the sum of squared coefficients, intercepts "
                           "excluded, is added to minus the log-likelihood",
                   .minimum = 0.0},
                  linear::basis_option()},
      .capabilities = {},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::softmax
