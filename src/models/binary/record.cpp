#include "logodds/models/family.hpp"
#include "models/binary/binary.hpp"

namespace logodds::models::binary {

FamilyRecord record();

namespace {

std::vector<OptionSpec> options() {
  return {{.name = "link",
           .type = OptionType::choice,
           .default_value = "logit",
           .help = "what is linear in the columns: the log odds, the normal quantile of the "
                   "posterior, or ln(-ln(1 - posterior))",
           .choices = {"logit", "probit", "cloglog"}},
          {.name = "decay",
           .type = OptionType::real,
           .default_value = "1e-06",
           .help = "weight decay: this times the sum of squared coefficients, the intercept "
                   "excluded, is added to minus the log-likelihood",
           .minimum = 0.0},
          {.name = "standardize",
           .type = OptionType::flag,
           .default_value = "false",
           .help = "the decay acts on the coefficients of standardized columns"},
          {.name = "intercept",
           .type = OptionType::choice,
           .default_value = "on",
           .help = "whether there is a constant besides the columns",
           .choices = {"on", "off"}},
          {.name = "tolerance",
           .type = OptionType::real,
           .default_value = "1e-08",
           .help = "the fit is done when no component of the gradient, per unit of weight and in "
                   "whitened columns, is larger",
           .minimum = 1e-15},
          {.name = "max-iterations",
           .type = OptionType::integer,
           .default_value = "10000",
           .help = "iterations after which the fit ends, done or not",
           .minimum = 1},
          linear::basis_option()};
}

}  // namespace

FamilyRecord record() {
  return make_record<BinaryFamily>({
      .name = "binary",
      .summary = "two classes with a link: logit, probit or complementary log-log regression",
      .example = "--link probit --decay 0",
      .options = options(),
      .capabilities = {.many_classes = false},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::binary
