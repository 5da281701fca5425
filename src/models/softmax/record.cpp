#include "logodds/models/family.hpp"
#include "models/softmax/softmax.hpp"
#include "models/softmax/wish.hpp"

namespace logodds::models::softmax {

FamilyRecord record();

FamilyRecord record() {
  return make_record<SoftmaxFamily>({
      .name = "softmax",
      .summary = "softmax (multinomial logistic) regression",
      .example = "--decay 0.01",
      .options = option_specs(),
      .capabilities = {.sparse = true},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::softmax
