#include "logodds/models/family.hpp"
#include "models/gaussian/expectation.hpp"
#include "models/gaussian/gaussian.hpp"
#include "models/gaussian/rule.hpp"
#include "models/priors.hpp"

namespace logodds::models::gaussian {

FamilyRecord record();

namespace {

OptionSpec real_option(std::string name, std::string help) {
  return {.name = std::move(name),
          .type = OptionType::real,
          .default_value = "0",
          .help = std::move(help),
          .minimum = 0.0};
}

OptionSpec choice_option(std::string name, std::vector<std::string> choices, std::string help) {
  return {.name = std::move(name),
          .type = OptionType::choice,
          .default_value = choices.front(),
          .help = std::move(help),
          .choices = choices};
}

OptionSpec text_option(std::string name, std::string default_value, std::string form,
                       std::string help, std::string (*canonical)(const std::string&)) {
  return {.name = std::move(name),
          .type = OptionType::text,
          .default_value = std::move(default_value),
          .help = std::move(help),
          .form = std::move(form),
          .canonical = canonical};
}

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> all{
      choice_option("covariance",
                    {"shared", "own", "groups", "diagonal", "shared-diagonal", "spherical",
                     "shared-spherical"},
                    "one covariance for all classes (LDA), one for each (QDA), one for each of "
                    "--groups, variances only (Gaussian naive Bayes), or one variance only"),
      text_option("groups", "", "A+B,C",
                  "with --covariance groups: classes joined by + share one covariance, others have "
                  "their own",
                  nullptr),
      priors_option(),
      real_option("ridge", "added to every variance, in squared units of the columns"),
      real_option("ridge-relative", "added to every variance, as a multiple of the mean variance"),
      text_option("shrinkage", "none", "none|ledoit-wolf|oas|SHARE",
                  "shrinks the covariance of each class by a share that is given or estimated",
                  canonical_shrinkage),
      text_option("blend", "none", "none|auto|LAMBDA[,GAMMA]",
                  "LAMBDA from own (0) to shared (1) covariances, GAMMA from these (0) to the "
                  "target (1, by default 0); auto picks the pair by 10-fold cross-validation",
                  canonical_blend),
      choice_option(
          "blend-target", {"diagonal", "spherical"},
          "what GAMMA blends with: the diagonal, or the mean variance times the identity"),
      real_option("wishart",
                  "pseudo-count of an inverse-Wishart prior: so many rows of the scale matrix join "
                  "the scatter"),
      text_option("wishart-scale", "identity", "identity|FILE",
                  "its scale matrix: the mean variance times the identity, or a CSV file without "
                  "header",
                  canonical_matrix),
      {.name = "components",
       .type = OptionType::integer,
       .default_value = "0",
       .help = "project onto so many leading principal components first; 0: do not",
       .minimum = 0.0},
      choice_option(
          "divisor", {"n", "n-1"},
          "covariances by maximum likelihood (n), or unbiased (n-1; n minus the number of "
          "classes when pooled)"),
      choice_option("missing", {"em", "available", "skip", "error"},
                    "training rows that lack a value: use them by EM, or in every mean and product "
                    "that they have values for; leave them out; or stop")};
  for (auto& option : all) { option.from_file = option.name == "wishart-scale"; }
  for (auto& option : em::options()) { all.push_back(std::move(option)); }
  return all;
}

}  // namespace

FamilyRecord record() {
  return make_record<GaussianFamily>({
      .name = "gaussian",
      .summary = "Gaussian densities: LDA, QDA, naive, and everything between",
      .example = "--covariance own --ridge 0.01",
      .options = options(),
      .capabilities = {.one_pass = true, .missing = true, .generative = true, .geometry = true},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::gaussian
