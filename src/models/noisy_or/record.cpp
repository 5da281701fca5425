#include "logodds/models/family.hpp"
#include "models/noisy_or/noisy_or.hpp"

namespace logodds::models::noisy_or {

FamilyRecord record();

FamilyRecord record() {
  return make_record<NoisyOrFamily>({
      .name = "noisy-or",
      .summary =
          "noisy-OR of causes: columns from 0 that each may switch the second of two classes "
          "on (second in the order of the labels)",
      .example = "--optimizer newton",
      .options = {{.name = "optimizer",
                   .type = OptionType::choice,
                   .default_value = "auto",
                   .help = "how the likelihood is maximized: em, newton (projected), or auto: ten "
                           "steps of em, then newton",
                   .choices = {"auto", "em", "newton"}},
                  {.name = "leak",
                   .type = OptionType::choice,
                   .default_value = "on",
                   .help = "whether the second class may be on without any cause",
                   .choices = {"on", "off"}},
                  {.name = "tolerance",
                   .type = OptionType::real,
                   .default_value = "1e-08",
                   .help =
                       "largest component of the projected gradient per unit of weight at which "
                       "the optimizer stops; columns count in units of their largest value",
                   .minimum = 1e-15},
                  {.name = "max-iterations",
                   .type = OptionType::integer,
                   .default_value = "10000",
                   .help = "iterations after which the optimizer stops in any case",
                   .minimum = 1.0},
                  linear::basis_option()},
      .capabilities = {.sparse = true, .many_classes = false},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::noisy_or
