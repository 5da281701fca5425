#include <cmath>
#include <stdexcept>

#include "logodds/data/csv.hpp"
#include "logodds/error.hpp"
#include "logodds/models/family.hpp"
#include "models/perceptron/perceptron.hpp"

namespace logodds::models::perceptron {

FamilyRecord record();

namespace {

std::string canonical_gamma(const std::string& value) {
  if (value == "auto") { return value; }
  const auto number = parse_number(value);
  if (!number || !std::isfinite(*number) || *number <= 0.0) {
    throw std::invalid_argument("is neither 'auto' nor a number above 0");
  }
  return format_number(*number);
}

std::vector<OptionSpec> options() {
  return {{.name = "variant",
           .type = OptionType::choice,
           .default_value = "auto",
           .help = "which weights decide: the last (plain), their mean over all rows of all passes "
                   "(averaged), or all that there were (voted; posteriors are then shares of "
                   "votes); auto: averaged with the linear kernel, voted with others",
           .choices = {"auto", "plain", "averaged", "voted"}},
          {.name = "kernel",
           .type = OptionType::choice,
           .default_value = "linear",
           .help = "what rows are compared by: 1 + s.x, (1 + gamma s.x)^degree or exp(-gamma "
                   "|s - x|^2), of columns in units of their standard deviations",
           .choices = {"linear", "polynomial", "rbf"}},
          {.name = "degree",
           .type = OptionType::integer,
           .default_value = "3",
           .help = "of the polynomial kernel",
           .minimum = 1.0,
           .maximum = 100.0},
          {.name = "gamma",
           .type = OptionType::text,
           .default_value = "auto",
           .help = "of the polynomial and the rbf kernel; auto: 1 / the sum of the columns' "
                   "variances, in the units in which rows are compared",
           .form = "auto|NUMBER",
           .canonical = canonical_gamma},
          {.name = "passes",
           .type = OptionType::integer,
           .default_value = "10",
           .help = "over the rows at most, each in an order drawn with --seed; a pass without a "
                   "mistake is the last",
           .minimum = 1.0},
          linear::basis_option()};
}

}  // namespace

FamilyRecord record() {
  return make_record<PerceptronFamily>({
      .name = "perceptron",
      .summary =
          "perceptron: learns from its mistakes; plain, averaged or voted, also with a kernel",
      .example = "--kernel rbf",
      .options = options(),
      .capabilities = {.sparse = true, .one_answer = false},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::perceptron
