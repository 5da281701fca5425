#include "logodds/models/family.hpp"
#include "models/gaussian/gaussian.hpp"

namespace logodds::models::gaussian {

FamilyRecord record();

FamilyRecord record() {
  return make_record<GaussianFamily>({
      .name = "gaussian",
      .summary = "Gaussian densities: LDA, QDA, naive",
      .example = "--covariance own --ridge 0.01",
      .options = {{.name = "covariance",
                   .type = OptionType::choice,
                   .default_value = "shared",
                   .help = "one covariance for all classes (LDA), one for each (QDA), or variances "
                           "only (Gaussian naive Bayes)",
                   .choices = {"shared", "own", "diagonal"}},
                  {.name = "ridge",
                   .type = OptionType::real,
                   .default_value = "0",
                   .help = "added to every variance, in squared units of the columns",
                   .minimum = 0.0},
                  {.name = "divisor",
                   .type = OptionType::choice,
                   .default_value = "n",
                   .help = "covariances by maximum likelihood (n), or unbiased (n-1; n minus the "
                           "number of classes when pooled)",
                   .choices = {"n", "n-1"}}},
      .capabilities = {.one_pass = true},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::gaussian
